#include "platform/simulator/api_call.h"

#include "platform/simulator/resource_types.h"

namespace tongchi::simulator {

namespace {

/// "namespaces/x/status" is a part of the namespace itself, not a resource in it.
bool isNamespacePart(const QByteArray &segment)
{
    return segment == "status" || segment == "finalize";
}

QByteArray verbOf(const QByteArray &method, bool onItem, bool watch)
{
    if (method == "GET" || method == "HEAD")
        return watch && !onItem ? "watch" : onItem ? "get" : "list";
    if (method == "POST")
        return "create";
    if (method == "PUT")
        return "update";
    if (method == "PATCH")
        return "patch";
    if (method == "DELETE")
        return onItem ? "delete" : "deletecollection";
    return method.toLower();
}

/// Path below /api/v1 or /apis/GROUP/VERSION.
void takeResourcePath(ApiCall *call, QList<QByteArray> rest)
{
    bool watch = call->flag("watch");
    if (rest.size() > 1 && rest.first() == "watch") { // the old form of a watch
        watch = true;
        rest.removeFirst();
    }
    if (rest.size() > 2 && rest.first() == "namespaces" && !isNamespacePart(rest.at(2))) {
        call->nameSpace = rest.at(1);
        rest.remove(0, 2);
    }
    call->resource = rest.value(0);
    call->name = rest.value(1);
    call->subresource = rest.value(2);
    call->type = findResourceType(call->group, call->version, call->resource);
    call->isResource = true;
    if (rest.size() > 3 && call->subresource != "proxy")
        call->type = nullptr;
    if (call->type) {
        // A namespaced object has no place outside a namespace, and the other way round.
        if (call->type->namespaced ? (call->nameSpace.isEmpty() && !call->name.isEmpty())
                                   : !call->nameSpace.isEmpty())
            call->type = nullptr;
    }
    call->verb = verbOf(call->http().method, !call->name.isEmpty(), watch);
    if (call->subresource == "proxy") {
        const QByteArray &raw = call->http().path;
        const qsizetype at = raw.indexOf("/proxy");
        call->proxyPath = at < 0 ? QByteArray() : raw.mid(at + 6);
    }
}

} // namespace

QByteArray percentDecoded(const QByteArray &text, bool plusIsSpace)
{
    QByteArray copy = text;
    if (plusIsSpace)
        copy.replace('+', ' ');
    return QByteArray::fromPercentEncoding(copy);
}

ApiCall parseCall(const HttpExchangePointer &exchange)
{
    ApiCall call;
    call.exchange = exchange;
    const HttpRequest &http = exchange->request();
    call.path = percentDecoded(http.path, false);
    for (const QByteArray &part : http.query.split('&')) {
        if (part.isEmpty())
            continue;
        const qsizetype equals = part.indexOf('=');
        call.parameters.emplace_back(percentDecoded(equals < 0 ? part : part.left(equals), true),
                                     equals < 0 ? QByteArray() : percentDecoded(part.mid(equals + 1), true));
    }
    for (const QByteArray &segment : http.path.split('/')) {
        if (!segment.isEmpty())
            call.segments.append(percentDecoded(segment, false));
    }
    call.verb = http.method == "HEAD" ? QByteArray("get") : http.method.toLower();
    if (call.segments.value(0) == "api" && call.segments.size() > 2) {
        call.version = call.segments.at(1);
        takeResourcePath(&call, call.segments.mid(2));
    } else if (call.segments.value(0) == "apis" && call.segments.size() > 3) {
        call.group = call.segments.at(1);
        call.version = call.segments.at(2);
        takeResourcePath(&call, call.segments.mid(3));
    }
    return call;
}

QByteArray ApiCall::parameter(const char *wanted) const
{
    for (const auto &[key, value] : parameters) {
        if (key == wanted)
            return value;
    }
    return {};
}

bool ApiCall::hasParameter(const char *wanted) const
{
    for (const auto &entry : parameters) {
        if (entry.first == wanted)
            return true;
    }
    return false;
}

bool ApiCall::flag(const char *wanted) const
{
    if (!hasParameter(wanted))
        return false;
    const QByteArray value = parameter(wanted).toLower();
    return value != "0" && value != "false";
}

QByteArray ApiCall::key() const
{
    return nameSpace.isEmpty() ? name : nameSpace + '/' + name;
}

QByteArray ApiCall::mediaType() const
{
    const QByteArray header = http().header("content-type");
    const qsizetype semicolon = header.indexOf(';');
    return (semicolon < 0 ? header : header.left(semicolon)).trimmed().toLower();
}

bool ApiCall::acceptsGzip() const
{
    for (const QByteArray &coding : http().header("accept-encoding").split(',')) {
        const QByteArray name_ = coding.trimmed().toLower();
        if (name_ == "gzip" || (name_.startsWith("gzip;") && !name_.contains("q=0")))
            return true;
    }
    return false;
}

std::vector<AcceptedForm> ApiCall::acceptedForms() const
{
    std::vector<AcceptedForm> forms;
    const QByteArray accept = http().header("accept");
    if (accept.isEmpty())
        return {{"*/*", {}, {}, {}}};
    for (const QByteArray &alternative : accept.split(',')) {
        const QList<QByteArray> parts = alternative.split(';');
        AcceptedForm form;
        form.media = parts.first().trimmed().toLower();
        for (const QByteArray &part : parts.mid(1)) {
            const QByteArray trimmed = part.trimmed();
            if (trimmed.startsWith("as="))
                form.as = trimmed.mid(3);
            else if (trimmed.startsWith("g="))
                form.group = trimmed.mid(2);
            else if (trimmed.startsWith("v="))
                form.version = trimmed.mid(2);
        }
        forms.push_back(std::move(form));
    }
    return forms;
}

ApiError ApiCall::notAcceptable() const
{
    bool known = false;
    for (const AcceptedForm &form : acceptedForms())
        known = known || form.isJson() || form.media == "application/yaml" ||
                form.media == "application/vnd.kubernetes.protobuf";
    // The media type is looked at before its parameters, in another place and in other words.
    if (known)
        return {.code = 406,
                .reason = "NotAcceptable",
                .message = "only the following media types are accepted: application/json, application/yaml, "
                           "application/vnd.kubernetes.protobuf"};
    QByteArray available = "application/json";
    if (segments.value(0) != "version")
        available += ", application/yaml, application/vnd.kubernetes.protobuf";
    if (isResource && name.isEmpty() && http().method == "GET")
        available += ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    return {.code = 406,
            .reason = "NotAcceptable",
            .message = "406: Not Acceptable\n\nAvailable representations: " + available,
            .details = "{}"};
}

ApiResult<Representation> ApiCall::representation() const
{
    for (const AcceptedForm &form : acceptedForms()) {
        if (!form.isJson())
            continue;
        if (form.as.isEmpty())
            return Representation::Json;
        if (form.group != "meta.k8s.io" || form.version != "v1")
            continue;
        if (form.as == "Table")
            return Representation::Table;
        if (form.as == "PartialObjectMetadata")
            return Representation::PartialMetadata;
        if (form.as == "PartialObjectMetadataList")
            return Representation::PartialMetadataList;
    }
    return apiFailure(notAcceptable());
}

} // namespace tongchi::simulator
