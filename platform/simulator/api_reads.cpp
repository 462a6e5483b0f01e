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

ApiError listOptionsInvalid(const char *reason, const QByteArray &message)
{
    return optionsInvalid("ListOptions", {reason, message, "resourceVersionMatch"});
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
    list.representation = *representation;
    auto labels = LabelSelector::parse(call.parameter("labelSelector"));
    if (!labels)
        return apiFailure(labels.error());
    list.labels = std::move(*labels);
    auto fields = FieldSelector::parse(call.parameter("fieldSelector"), *call.type);
    if (!fields)
        return apiFailure(fields.error());
    list.fields = std::move(*fields);
    const QByteArray limit = call.parameter("limit");
    if (!limit.isEmpty()) {
        bool ok = false;
        list.limit = limit.toLongLong(&ok);
        if (!ok)
            return apiFailure(badRequest("strconv.ParseInt: parsing " + quoted(limit) + ": invalid syntax"));
    }
    if (call.parameter("includeObject") == "Object")
        list.include = IncludeObject::Object;
    else if (call.parameter("includeObject") == "None")
        list.include = IncludeObject::None;
    list.continueToken = call.parameter("continue");
    const QByteArray versionText = call.parameter("resourceVersion");
    const QByteArray match = call.parameter("resourceVersionMatch");
    if (!match.isEmpty()) {
        if (versionText.isEmpty())
            return apiFailure(listOptionsInvalid(
                "FieldValueForbidden",
                "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"));
        if (match != "Exact" && match != "NotOlderThan")
            return apiFailure(listOptionsInvalid(
                "FieldValueNotSupported", "Unsupported value: " + quoted(match) +
                                              ": supported values: \"Exact\", \"NotOlderThan\", \"\""));
        if (match == "Exact" && versionText == "0")
            return apiFailure(listOptionsInvalid(
                "FieldValueForbidden",
                "Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
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
        return apiFailure(badRequest(problem + "server does not recognize this encoded version " +
                                     quoted(value.textAt({"v"}))));
    const JsonValue *version = value.find("rv");
    if (!version || version->toInteger() == 0)
        return apiFailure(
            badRequest(problem + "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"));
    QByteArray start = value.textAt({"start"});
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
             .message =
                 "you requested PartialObjectMetadataList, but the requested object is not a list (*core." +
                 QByteArray(call.type->kind) + ')'});
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
    const QByteArray match = call.parameter("resourceVersionMatch");
    const bool initialEvents = call.flag("sendInitialEvents");
    if (call.hasParameter("sendInitialEvents") && match != "NotOlderThan")
        return apiFailure(listOptionsInvalid(
            "FieldValueForbidden",
            "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    if (!call.hasParameter("sendInitialEvents") && !match.isEmpty())
        return apiFailure(listOptionsInvalid(
            "FieldValueForbidden",
            "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
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
