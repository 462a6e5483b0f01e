#include "platform/simulator/api_error.h"

#include "platform/simulator/json_value.h"
#include "platform/simulator/resource_types.h"

namespace tongchi::simulator {

namespace {

QByteArray objectDetails(const ResourceType &type, const QByteArray &name, const char *kind)
{
    QByteArray details = "{\"name\":";
    writeJsonString(details, name);
    if (*type.group)
        details += ",\"group\":\"" + QByteArray(type.group) + '"';
    return details + ",\"kind\":\"" + kind + "\"}";
}

HttpHeader noCache()
{
    return {QByteArrayLiteral("Cache-Control"), QByteArrayLiteral("no-cache, private")};
}

} // namespace

QByteArray quoted(QByteArrayView text)
{
    QByteArray out = "\"";
    for (char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += c;
        }
    }
    return out + '"';
}

QByteArray statusBody(const ApiError &error)
{
    QByteArray body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{";
    if (!error.continueToken.isEmpty())
        body += "\"continue\":\"" + error.continueToken + '"';
    body += "},\"status\":\"Failure\",\"message\":";
    writeJsonString(body, error.message);
    if (!error.reason.isEmpty())
        body += ",\"reason\":\"" + error.reason + '"';
    if (!error.details.isEmpty())
        body += ",\"details\":" + error.details;
    return body + ",\"code\":" + QByteArray::number(error.code) + "}\n";
}

HttpAnswer errorAnswer(const ApiError &error)
{
    HttpAnswer answer = jsonAnswer(statusBody(error), error.code);
    if (error.code == 403)
        answer.headers.push_back({QByteArrayLiteral("X-Content-Type-Options"), QByteArrayLiteral("nosniff")});
    if (error.retryAfter > 0)
        answer.headers.push_back({QByteArrayLiteral("Retry-After"), QByteArray::number(error.retryAfter)});
    return answer;
}

HttpAnswer jsonAnswer(QByteArray body, int status)
{
    HttpAnswer answer;
    answer.status = status;
    answer.headers.push_back(noCache());
    answer.contentType = QByteArrayLiteral("application/json");
    answer.setBody(std::move(body));
    return answer;
}

HttpAnswer textAnswer(QByteArray body, int status)
{
    HttpAnswer answer;
    answer.status = status;
    answer.headers.push_back(noCache());
    answer.headers.push_back({QByteArrayLiteral("X-Content-Type-Options"), QByteArrayLiteral("nosniff")});
    answer.contentType = QByteArrayLiteral("text/plain; charset=utf-8");
    answer.setBody(std::move(body));
    return answer;
}

ApiError badRequest(QByteArray message)
{
    return {.code = 400, .reason = "BadRequest", .message = std::move(message)};
}

ApiError internalError(QByteArray message)
{
    return {.code = 500, .message = std::move(message)};
}

ApiError notFound(const ResourceType &type, const QByteArray &name)
{
    return {.code = 404,
            .reason = "NotFound",
            .message = type.qualifiedPlural() + ' ' + quoted(name) + " not found",
            .details = objectDetails(type, name, type.plural)};
}

ApiError resourceNotFound()
{
    return {.code = 404,
            .reason = "NotFound",
            .message = "the server could not find the requested resource",
            .details = "{}"};
}

ApiError methodNotAllowed()
{
    return {.code = 405,
            .reason = "MethodNotAllowed",
            .message = "the server does not allow this method on the requested resource",
            .details = "{}"};
}

ApiError unauthorized()
{
    return {.code = 401, .reason = "Unauthorized", .message = "Unauthorized"};
}

ApiError conflict(const ResourceType &type, const QByteArray &name, const QByteArray &why)
{
    return {.code = 409,
            .reason = "Conflict",
            .message = "Operation cannot be fulfilled on " + type.qualifiedPlural() + ' ' + quoted(name) +
                       ": " + why,
            .details = objectDetails(type, name, type.plural)};
}

ApiError alreadyExists(const ResourceType &type, const QByteArray &name)
{
    return {.code = 409,
            .reason = "AlreadyExists",
            .message = type.qualifiedPlural() + ' ' + quoted(name) + " already exists",
            .details = objectDetails(type, name, type.plural)};
}

ApiError invalid(const QByteArray &group, const QByteArray &kind, const QByteArray &name,
                 const std::vector<FieldCause> &causes)
{
    // The message names a field once, even where the server found the same thing several times.
    std::vector<QByteArray> sentences;
    for (const FieldCause &cause : causes) {
        QByteArray sentence = cause.field + ": " + cause.message;
        if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
            sentences.push_back(std::move(sentence));
    }
    QByteArray message = kind;
    if (!group.isEmpty())
        message += '.' + group;
    message += ' ' + quoted(name) + " is invalid: ";
    if (sentences.size() > 1)
        message += '[';
    for (std::size_t i = 0; i < sentences.size(); ++i)
        message += (i > 0 ? ", " : "") + sentences[i];
    if (sentences.size() > 1)
        message += ']';
    QByteArray details = "{";
    const auto member = [&details](const char *key, const QByteArray &value) {
        if (value.isEmpty())
            return;
        if (details.size() > 1)
            details += ',';
        details += '"' + QByteArray(key) + "\":";
        writeJsonString(details, value);
    };
    member("name", name);
    member("group", group);
    member("kind", kind);
    details += details.size() > 1 ? ",\"causes\":[" : "\"causes\":[";
    for (std::size_t i = 0; i < causes.size(); ++i) {
        details += (i > 0 ? ",{\"reason\":\"" : "{\"reason\":\"") + causes[i].reason + "\",\"message\":";
        writeJsonString(details, causes[i].message);
        details += ",\"field\":";
        writeJsonString(details, causes[i].field);
        details += '}';
    }
    details += "]}";
    return {.code = 422, .reason = "Invalid", .message = message, .details = details};
}

ApiError optionsInvalid(const char *optionsKind, FieldCause cause)
{
    ApiError error = invalid("meta.k8s.io", optionsKind, {}, {std::move(cause)});
    return error;
}

ApiError tooOldVersion(const QByteArray &message)
{
    return {.code = 410, .reason = "Expired", .message = message};
}

} // namespace tongchi::simulator
