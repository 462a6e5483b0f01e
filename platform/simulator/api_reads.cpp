#include "platform/simulator/api_reads.h"

#include "platform/simulator/cluster_store.h"
#include "platform/simulator/list_body.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/printer_table.h"
#include "platform/simulator/selectors.h"
#include "platform/simulator/watch_stream.h"

namespace tongchi::simulator {

namespace {

/// Everything of a list request that has to be right before anything is read.
struct ListRequest
{
    LabelSelector labels;
    FieldSelector fields;
    Representation representation = Representation::Json;
    IncludeObject include = IncludeObject::Metadata;
    qint64 limit = 0;
    std::optional<qint64> version; ///< absent: the most recent state
    bool exact = false;
    QByteArray continueToken;
};

/// What is wrong with a list's or a watch's options, as k8s.io/apimachinery checks them.
std::vector<FieldCause> optionCauses(const ApiCall &call, bool watch)
{
    std::vector<FieldCause> causes;
    const QByteArray match = call.parameter("resourceVersionMatch");
    const bool initialEvents = call.hasParameter("sendInitialEvents");
    const auto forbidden = [&causes](const char *why, const char *field = "resourceVersionMatch") {
        causes.push_back({"FieldValueForbidden", QByteArray("Forbidden: ") + why, field});
    };
    const auto unsupported = [&](const char *known) {
        causes.push_back({"FieldValueNotSupported",
                          "Unsupported value: " + quoted(match) + ": supported values: " + known,
                          "resourceVersionMatch"});
    };
    const bool continues = !call.parameter("continue").isEmpty();
    if (watch) {
        if (initialEvents && match != "NotOlderThan")
            forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        if (!match.isEmpty() && !initialEvents)
            forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        if (!match.isEmpty() && match != "NotOlderThan")
            unsupported("\"NotOlderThan\"");
        if (!match.isEmpty() && continues)
            forbidden("resourceVersionMatch is forbidden when continue is provided");
        return causes;
    }
    const QByteArray version = call.parameter("resourceVersion");
    if (!match.isEmpty()) {
        if (version.isEmpty())
            forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
        if (continues)
            forbidden("resourceVersionMatch is forbidden when continue is provided");
        if (match != "Exact" && match != "NotOlderThan")
            unsupported("\"Exact\", \"NotOlderThan\", \"\"");
        if (match == "Exact" && version == "0")
            forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
    if (initialEvents)
        forbidden("sendInitialEvents is forbidden for list", "sendInitialEvents");
    return causes;
}

/// Numbers of the query that cannot be read are refused before anything else.
std::optional<ApiError> badNumber(const ApiCall &call)
{
    for (const char *name : {"timeoutSeconds", "limit"}) {
        const QByteArray text = call.parameter(name);
        bool isNumber = true;
        if (!text.isEmpty() && (text.toLongLong(&isNumber), !isNumber))
            return badRequest("strconv.ParseInt: parsing " + quoted(text) + ": invalid syntax");
    }
    return std::nullopt;
}

/// How much of each object the rows of a table hold.
ApiResult<IncludeObject> includedObject(const ApiCall &call, Representation representation)
{
    const QByteArray wish = call.parameter("includeObject");
    if (wish == "Object")
        return IncludeObject::Object;
    if (wish == "None")
        return IncludeObject::None;
    if (wish.isEmpty() || wish == "Metadata" || representation != Representation::Table)
        return IncludeObject::Metadata;
    return apiFailure(badRequest("Unable to convert to Table as requested: includeObject: Invalid value: " +
                                 quoted(wish) + ": must be 'Metadata', 'Object', 'None', or empty"));
}

/// "core" or "apps": how messages name the package of a kind.
QByteArray internalGroup(const ResourceType &type)
{
    const QByteArray group(type.group);
    return group.isEmpty() ? QByteArray("core") : group.left(group.indexOf('.'));
}

ApiResult<std::optional<qint64>> parseVersion(const QByteArray &text, const QByteArray &prefix, int code)
{
    if (text.isEmpty())
        return std::nullopt;
    bool ok = false;
    const qulonglong value = text.toULongLong(&ok);
    if (ok && value <= 0x7fffffffffffffffULL)
        return qint64(value);
    const QByteArray message = prefix + "resourceVersion: Invalid value: " + quoted(text) +
                               ": strconv.ParseUint: parsing " + quoted(text) + ": invalid syntax";
    return apiFailure(code == 400 ? badRequest(message) : internalError(message));
}

ApiResult<ListRequest> parseListRequest(const ApiCall &call)
{
    ListRequest list;
    const auto representation = call.representation();
    if (!representation)
        return apiFailure(representation.error());
    if (*representation == Representation::PartialMetadata)
        return apiFailure(
            {.code = 406,
             .reason = "NotAcceptable",
             .message = "you requested PartialObjectMetadata, but the requested object is a list (*" +
                        internalGroup(*call.type) + '.' + call.type->kind + "List)"});
    list.representation = *representation;
    if (auto refused = badNumber(call))
        return apiFailure(std::move(*refused));
    auto labels = LabelSelector::parse(call.parameter("labelSelector"));
    if (!labels)
        return apiFailure(labels.error());
    list.labels = std::move(*labels);
    auto fields = FieldSelector::parse(call.parameter("fieldSelector"), *call.type);
    if (!fields)
        return apiFailure(fields.error());
    list.fields = std::move(*fields);
    list.limit = call.parameter("limit").toLongLong();
    const auto include = includedObject(call, list.representation);
    if (!include)
        return apiFailure(include.error());
    list.include = *include;
    list.continueToken = call.parameter("continue");
    const QByteArray versionText = call.parameter("resourceVersion");
    const QByteArray match = call.parameter("resourceVersionMatch");
    if (const std::vector<FieldCause> causes = optionCauses(call, false); !causes.empty())
        return apiFailure(invalid("meta.k8s.io", "ListOptions", {}, causes));
    if (!list.continueToken.isEmpty() && !versionText.isEmpty() && versionText != "0")
        return apiFailure(badRequest("specifying resource version is not allowed when using continue"));
    auto version = parseVersion(versionText, "invalid resource version: ", 400);
    if (!version)
        return apiFailure(version.error());
    list.version = *version;
    list.exact = match == "Exact" || (match.isEmpty() && list.limit > 0 && list.version.value_or(0) > 0);
    return list;
}

QByteArray makeContinueToken(qint64 version, const QByteArray &start)
{
    QByteArray json = "{\"v\":\"meta.k8s.io/v1\",\"rv\":" + QByteArray::number(version) + ",\"start\":";
    writeJsonString(json, QByteArray(start + '\0'));
    json += '}';
    return json.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

struct ContinuePoint
{
    qint64 version = 0;
    QByteArray from;
};

ApiResult<ContinuePoint> parseContinueToken(const QByteArray &token)
{
    const QByteArray problem = "invalid continue token: continue key is not valid: ";
    const auto decoded =
        QByteArray::fromBase64Encoding(token, QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals |
                                                  QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return apiFailure(badRequest(problem + "illegal base64 data at input byte 0"));
    JsonProblem json;
    const JsonValue value = JsonValue::parse(decoded.decoded, &json);
    if (!json.message.isEmpty())
        return apiFailure(badRequest(problem + json.message));
    if (value.textAt({"v"}) != "meta.k8s.io/v1")
        return apiFailure(
            badRequest(problem + "server does not recognize this encoded version " + value.textAt({"v"})));
    const JsonValue *version = value.find("rv");
    if (!version || version->toInteger() == 0)
        return apiFailure(
            badRequest(problem + "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"));
    QByteArray start = value.textAt({"start"});
    if (start.isEmpty())
        return apiFailure(badRequest(problem + "encoded start key empty (version meta.k8s.io/v1)"));
    if (start.contains("..")) // no way out of the resource's own keys
        return apiFailure(badRequest(problem + start));
    if (start.startsWith('/'))
        start.remove(0, 1);
    return ContinuePoint{version->toInteger(), start};
}

ApiError expiredContinue(const QByteArray &from)
{
    QByteArray start = from;
    if (start.endsWith('\0'))
        start.chop(1);
    ApiError error = tooOldVersion(
        "The provided continue parameter is too old to display a consistent list result. You can start a new "
        "list without "
        "the continue parameter, or use the continue token in this response to retrieve the remainder of the "
        "results. "
        "Continuing with the provided token results in an inconsistent list - objects that were created, "
        "modified, or "
        "deleted between the time the first chunk was returned and now may show up in the list.");
    error.continueToken = makeContinueToken(-1, start);
    return error;
}

ApiError tooLargeVersion(qint64 wanted, qint64 current)
{
    return {.code = 504,
            .reason = "Timeout",
            .message = "Timeout: Too large resource version: " + QByteArray::number(wanted) +
                       ", current: " + QByteArray::number(current),
            .details = "{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large "
                       "resource version\"}],"
                       "\"retryAfterSeconds\":1}",
            .retryAfter = 1};
}

/// The state that the request is about, under the version that the answer names.
ApiResult<ObjectSnapshot> chooseSnapshot(const ListRequest &list, const ContinuePoint &point,
                                         ObjectCollection &collection, qint64 current)
{
    ObjectSnapshot now = collection.snapshot();
    const qint64 lastChange = now.version;
    now.version = current;
    if (!list.continueToken.isEmpty()) {
        if (point.version == -1)
            return now;
        if (auto remembered = collection.at(point.version))
            return *remembered;
        if (point.version >= lastChange && point.version <= current &&
            point.version >= collection.oldestVersion()) {
            now.version = point.version;
            return now;
        }
        return apiFailure(expiredContinue(point.from));
    }
    const qint64 wanted = list.version.value_or(0);
    if (wanted > current)
        return apiFailure(tooLargeVersion(wanted, current));
    if (!list.exact)
        return now;
    if (auto remembered = collection.at(wanted))
        return *remembered;
    if (wanted >= lastChange && wanted >= collection.oldestVersion()) {
        now.version = wanted;
        return now;
    }
    return apiFailure(tooOldVersion("The resourceVersion for the provided list is too old."));
}

QByteArray listMetadata(qint64 version, const QByteArray &next, qint64 remaining)
{
    QByteArray metadata = "{\"resourceVersion\":\"" + QByteArray::number(version) + '"';
    if (!next.isEmpty())
        metadata += ",\"continue\":\"" + next + '"';
    if (remaining > 0)
        metadata += ",\"remainingItemCount\":" + QByteArray::number(remaining);
    return metadata + '}';
}

QByteArray listHead(const ApiCall &call, Representation representation, const QByteArray &metadata)
{
    switch (representation) {
    case Representation::Table:
        return tableHead(*call.type, metadata, true);
    case Representation::PartialMetadata:
    case Representation::PartialMetadataList:
        return "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":" +
               metadata + ",\"items\":[";
    case Representation::Json:
        break;
    }
    return "{\"kind\":\"" + QByteArray(call.type->kind) + "List\",\"apiVersion\":\"" +
           call.type->apiVersion() + "\",\"metadata\":" + metadata + ",\"items\":[";
}

} // namespace

HttpAnswer objectAnswer(const ApiCall &call, const ClusterStore &store, QByteArrayView text,
                        Representation representation, int status)
{
    HttpAnswer answer = jsonAnswer({}, status);
    QByteArray body;
    switch (representation) {
    case Representation::Json:
        body = completeText(text, call.type->kind, call.type->apiVersion());
        break;
    case Representation::Table: {
        const QByteArray version = rawString(rawMember(text, {"metadata", "resourceVersion"}));
        body = tableHead(*call.type, "{\"resourceVersion\":\"" + version + "\"}", true);
        const QByteArray include = call.parameter("includeObject");
        TableRows(*call.type, store.clock().now())
            .append(body, text,
                    include == "Object" ? IncludeObject::Object
                    : include == "None" ? IncludeObject::None
                                        : IncludeObject::Metadata);
        body += "]}";
        break;
    }
    case Representation::PartialMetadata:
    case Representation::PartialMetadataList:
        body = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":";
        body.append(rawMember(text, "metadata"));
        body += '}';
        break;
    }
    body += '\n';
    fillBody(&answer, std::move(body), call.acceptsGzip());
    return answer;
}

ApiResult<HttpAnswer> readObject(const ApiCall &call, ClusterStore &store)
{
    const auto representation = call.representation();
    if (!representation)
        return apiFailure(representation.error());
    if (*representation == Representation::PartialMetadataList)
        return apiFailure(
            {.code = 406,
             .reason = "NotAcceptable",
             .message = "you requested PartialObjectMetadataList, but the requested object is not a list (*" +
                        internalGroup(*call.type) + '.' + call.type->kind + ')'});
    if (const auto version = parseVersion(call.parameter("resourceVersion"), {}, 500); !version)
        return apiFailure(version.error());
    const std::optional<QByteArray> text = store.collection(*call.type).find(call.key());
    if (!text)
        return apiFailure(notFound(*call.type, call.name));
    return objectAnswer(call, store, *text, *representation);
}

ApiResult<HttpAnswer> readList(const ApiCall &call, ClusterStore &store)
{
    auto parsed = parseListRequest(call);
    if (!parsed)
        return apiFailure(parsed.error());
    ListRequest &list = *parsed;
    ContinuePoint point;
    if (!list.continueToken.isEmpty()) {
        auto decoded = parseContinueToken(list.continueToken);
        if (!decoded)
            return apiFailure(decoded.error());
        point = std::move(*decoded);
    }
    // The real server's cache, which answers version 0, takes no notice of a limit.
    if (list.version == 0)
        list.limit = 0;
    ObjectCollection &collection = store.collection(*call.type);
    auto chosen = chooseSnapshot(list, point, collection, store.version());
    if (!chosen)
        return apiFailure(chosen.error());
    ObjectSnapshot snapshot = std::move(*chosen);
    HttpAnswer answer = jsonAnswer({});
    answer.pieces.clear();
    const bool selective = !list.labels.isEmpty() || !list.fields.isEmpty() || !call.nameSpace.isEmpty();
    const bool whole = !selective && list.representation == Representation::Json && point.from.isEmpty() &&
                       (list.limit <= 0 || list.limit >= snapshot.count);
    if (whole && snapshot.count > 0) {
        const QByteArray head = listHead(call, Representation::Json, listMetadata(snapshot.version, {}, 0));
        if (call.acceptsGzip() && snapshot.count > 16) {
            const ObjectSnapshot &packed = collection.packedSnapshot();
            qint64 bytes = 0;
            for (const ObjectChunkPointer &chunk : packed.chunks)
                bytes += chunk->packed->length;
            if (bytes > gzipThreshold && packed.count == snapshot.count &&
                packed.version <= snapshot.version) {
                fillPackedList(&answer, head, packed);
                return answer;
            }
        }
        fillPlainList(&answer, head, snapshot);
        return answer;
    }
    const QByteArray prefix = call.nameSpace.isEmpty() ? QByteArray() : call.nameSpace + '/';
    const QByteArray onlyName = list.fields.onlyName();
    QByteArray from = point.from.isEmpty() ? prefix : point.from;
    if (!onlyName.isEmpty() && (!call.type->namespaced || !prefix.isEmpty()))
        from = std::max(from, QByteArray(prefix + onlyName));
    TableRows rows(*call.type, store.clock().now());
    QByteArray items;
    qint64 taken = 0;
    QByteArray last;
    bool more = false;
    snapshot.forEach(from, [&](const StoredObject &object, QByteArrayView text) {
        if (!prefix.isEmpty() && !object.key.startsWith(prefix))
            return false;
        if (!onlyName.isEmpty() && (!call.type->namespaced || !prefix.isEmpty()) &&
            object.key != prefix + onlyName)
            return false;
        if (!list.fields.matches(text) || !list.labels.matches(text))
            return true;
        if (list.limit > 0 && taken >= list.limit) {
            more = true;
            return false;
        }
        if (taken++ > 0)
            items += ',';
        last = object.key;
        switch (list.representation) {
        case Representation::Json:
            items.append(text);
            break;
        case Representation::Table:
            rows.append(items, text, list.include);
            break;
        case Representation::PartialMetadata:
        case Representation::PartialMetadataList:
            items += "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":";
            items.append(rawMember(text, "metadata"));
            items += '}';
            break;
        }
        return true;
    });
    QByteArray next;
    qint64 remaining = 0;
    if (more) {
        collection.remember(snapshot);
        next = makeContinueToken(snapshot.version, '/' + last);
        if (list.labels.isEmpty() && list.fields.isEmpty()) {
            qint64 upTo = 0;
            for (const ObjectChunkPointer &chunk : snapshot.chunks) {
                for (const StoredObject &object : chunk->objects)
                    upTo +=
                        object.key <= last || (!prefix.isEmpty() && !object.key.startsWith(prefix)) ? 1 : 0;
            }
            remaining = snapshot.count - upTo;
        }
    }
    QByteArray body = listHead(call, list.representation, listMetadata(snapshot.version, next, remaining));
    body += items;
    body += "]}\n";
    fillBody(&answer, std::move(body), call.acceptsGzip());
    return answer;
}

ApiResult<WatchOptions> readWatchOptions(const ApiCall &call, ClusterStore &store)
{
    WatchOptions options;
    options.type = call.type;
    options.nameSpace = call.nameSpace;
    const auto representation = call.representation();
    if (!representation)
        return apiFailure(representation.error());
    options.representation = *representation;
    if (auto refused = badNumber(call))
        return apiFailure(std::move(*refused));
    auto labels = LabelSelector::parse(call.parameter("labelSelector"));
    if (!labels)
        return apiFailure(labels.error());
    options.labels = std::move(*labels);
    QByteArray fieldText = call.parameter("fieldSelector");
    if (!call.name.isEmpty()) // the old form: /watch/nodes/NAME
        fieldText += (fieldText.isEmpty() ? "metadata.name=" : ",metadata.name=") + call.name;
    auto fields = FieldSelector::parse(fieldText, *call.type);
    if (!fields)
        return apiFailure(fields.error());
    options.fields = std::move(*fields);
    const bool initialEvents = call.flag("sendInitialEvents");
    if (const std::vector<FieldCause> causes = optionCauses(call, true); !causes.empty())
        return apiFailure(invalid("meta.k8s.io", "ListOptions", {}, causes));
    const auto version = parseVersion(call.parameter("resourceVersion"), {}, 500);
    if (!version)
        return apiFailure(version.error());
    options.bookmarks = call.flag("allowWatchBookmarks");
    options.initialState =
        version->value_or(0) == 0 ? !call.hasParameter("sendInitialEvents") || initialEvents : initialEvents;
    options.initialEnd = initialEvents && options.bookmarks;
    options.from = version->value_or(0) == 0 ? store.version() : **version;
    options.timeout = std::chrono::seconds(call.parameter("timeoutSeconds").toInt());
    return options;
}

} // namespace tongchi::simulator
