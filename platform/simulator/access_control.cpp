#include "platform/simulator/access_control.h"

#include "platform/simulator/certificate_authority.h"
#include "platform/simulator/json_value.h"
#include "platform/simulator/request_body.h"
#include "platform/simulator/resource_types.h"

#include <optional>

namespace tongchi::simulator {

namespace {

bool isPublicPath(const QByteArray &path)
{
    return path == "/version" || path == "/version/" || path == "/healthz" || path == "/livez" ||
           path == "/readyz";
}

bool isDiscoveryPath(const QByteArray &path)
{
    return path == "/api" || path.startsWith("/api/") || path == "/apis" || path.startsWith("/apis/") ||
           path.startsWith("/openapi") || path.startsWith("/livez/") || path.startsWith("/readyz/");
}

bool isReadVerb(const QByteArray &verb)
{
    return verb == "get" || verb == "list" || verb == "watch";
}

bool mayDo(const ApiUser &user, const QByteArray &verb, const QByteArray &resource)
{
    if (user.mayWrite)
        return true;
    return user.mayRead && isReadVerb(verb) && resource != "secrets";
}

bool isOwnReview(const QByteArray &group, const QByteArray &resource)
{
    return (group == "authorization.k8s.io" &&
            (resource == "selfsubjectaccessreviews" || resource == "selfsubjectrulesreviews")) ||
           (group == "authentication.k8s.io" && resource == "selfsubjectreviews");
}

ApiError forbidden(const ApiCall &call)
{
    const QByteArray qualified = call.group.isEmpty() ? call.resource : call.resource + '.' + call.group;
    const QByteArray whole =
        call.subresource.isEmpty() ? call.resource : call.resource + '/' + call.subresource;
    QByteArray message = qualified;
    if (!call.name.isEmpty())
        message += ' ' + quoted(call.name);
    message += " is forbidden: User " + quoted(call.user.name) + " cannot " + call.verb + " resource " +
               quoted(whole) + " in API group " + quoted(call.group);
    message += call.nameSpace.isEmpty() ? QByteArray(" at the cluster scope")
                                        : " in the namespace " + quoted(call.nameSpace);
    QByteArray details = "{";
    if (!call.name.isEmpty()) {
        details += "\"name\":";
        writeJsonString(details, call.name);
        details += ',';
    }
    if (!call.group.isEmpty())
        details += "\"group\":\"" + call.group + "\",";
    details += "\"kind\":";
    writeJsonString(details, call.resource);
    details += '}';
    return {.code = 403, .reason = "Forbidden", .message = message, .details = details};
}

QByteArray accessReview(const ApiCall &call, const JsonValue &spec)
{
    const JsonValue *attributes = spec.find("resourceAttributes");
    bool allowed = false;
    QByteArray reason;
    if (attributes) {
        const QByteArray resource = attributes->textAt({"resource"});
        const QByteArray verb = attributes->textAt({"verb"});
        allowed = mayDo(call.user, verb, resource) ||
                  (verb == "create" && isOwnReview(attributes->textAt({"group"}), resource));
    } else {
        const QByteArray path = spec.textAt({"nonResourceAttributes", "path"});
        allowed =
            call.user.mayWrite || isPublicPath(path) || (isDiscoveryPath(path) && !call.user.isAnonymous());
    }
    JsonValue shown = spec;
    for (std::size_t i = 0; i < shown.size(); ++i) { // empty members are left out of answers
        JsonValue &part = shown.items()[i];
        for (const QByteArray &key : std::vector<QByteArray>(part.keys())) {
            const JsonValue *value = part.find(key);
            if (value->isNull() || (value->isString() && value->text().isEmpty()))
                part.remove(key);
        }
    }
    return "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/"
           "v1\",\"metadata\":{},\"spec\":" +
           shown.toJson() + ",\"status\":{\"allowed\":" + (allowed ? "true" : "false") + "}}\n";
}

QByteArray rulesReview(const ApiUser &user)
{
    QByteArray rules = "{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],\"resources\":["
                       "\"selfsubjectaccessreviews\","
                       "\"selfsubjectrulesreviews\"]},{\"verbs\":[\"create\"],\"apiGroups\":["
                       "\"authentication.k8s.io\"],\"resources\":"
                       "[\"selfsubjectreviews\"]}";
    QByteArray paths = "{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/healthz\",\"/livez\",\"/readyz\",\"/"
                       "version\",\"/version/\"]},"
                       "{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/api\",\"/api/*\",\"/apis\",\"/apis/"
                       "*\",\"/healthz\",\"/livez\","
                       "\"/openapi\",\"/openapi/*\",\"/readyz\",\"/version\",\"/version/\"]}";
    if (user.mayWrite) {
        rules += ",{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}";
        paths += ",{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}";
    } else if (user.mayRead) {
        QByteArrayList groups;
        QByteArrayList resources;
        for (const ResourceType &type : resourceTypes()) {
            const QByteArray group = '"' + QByteArray(type.group) + '"';
            if (!groups.contains(group))
                groups.append(group);
            if (QByteArrayView(type.plural) != QByteArrayView("secrets"))
                resources.append('"' + QByteArray(type.plural) + '"');
        }
        resources.append("\"pods/log\"");
        resources.append("\"services/proxy\"");
        rules += ",{\"verbs\":[\"get\",\"list\",\"watch\"],\"apiGroups\":[" + groups.join(',') +
                 "],\"resources\":[" + resources.join(',') + "]}";
    }
    return "{\"kind\":\"SelfSubjectRulesReview\",\"apiVersion\":\"authorization.k8s.io/"
           "v1\",\"metadata\":{},\"spec\":{},"
           "\"status\":{\"resourceRules\":[" +
           rules + "],\"nonResourceRules\":[" + paths + "],\"incomplete\":false}}\n";
}

QByteArray subjectReview(const ApiUser &user, const QByteArray &now)
{
    QByteArrayList groups;
    for (const QByteArray &group : user.groups)
        groups.append('"' + group + '"');
    return "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/"
           "v1\",\"metadata\":{\"creationTimestamp\":\"" +
           now + "\"},\"status\":{\"userInfo\":{\"username\":\"" + user.name + "\",\"uid\":\"" + user.uid +
           "\",\"groups\":[" + groups.join(',') + "]}}}\n";
}

} // namespace

AccessControl::AccessControl()
{
    renewTokens();
    m_tokens.refused = randomToken();
}

void AccessControl::renewTokens()
{
    m_tokens.administrator = randomToken();
    m_tokens.viewer = randomToken();
}

ApiResult<ApiUser> AccessControl::authenticate(const HttpRequest &request) const
{
    const QByteArray header = request.header("authorization");
    if (header.isEmpty())
        return ApiUser{};
    if (!header.left(7).toLower().startsWith("bearer ") || m_expired)
        return apiFailure(unauthorized());
    const QByteArray token = header.mid(7).trimmed();
    if (token == m_tokens.administrator)
        return ApiUser{"admin", "1", {"system:masters", "system:authenticated"}, true, true};
    if (token == m_tokens.viewer)
        return ApiUser{"viewer", "2", {"viewers", "system:authenticated"}, false, true};
    return apiFailure(unauthorized());
}

std::optional<ApiError> AccessControl::authorize(const ApiCall &call) const
{
    if (!call.isResource) {
        if (isPublicPath(call.path) || call.user.mayWrite ||
            (!call.user.isAnonymous() && isDiscoveryPath(call.path)))
            return std::nullopt;
        return ApiError{.code = 403,
                        .reason = "Forbidden",
                        .message = "forbidden: User " + quoted(call.user.name) + " cannot " + call.verb +
                                   " path " + quoted(call.path),
                        .details = "{}"};
    }
    if (mayDo(call.user, call.verb, call.resource))
        return std::nullopt;
    if (!call.user.isAnonymous() && call.verb == "create" && isOwnReview(call.group, call.resource))
        return std::nullopt;
    return forbidden(call);
}

ApiResult<QByteArray> AccessControl::review(const ApiCall &call, const QByteArray &now) const
{
    JsonProblem problem;
    const JsonValue body = readRequestBody(call.http().body, call.mediaType(), &problem);
    if (!problem.message.isEmpty())
        return apiFailure(badRequest("couldn't get version/kind; json parse error: " + problem.message));
    if (call.resource == "selfsubjectreviews")
        return subjectReview(call.user, now);
    const JsonValue empty = JsonValue::object();
    const JsonValue &spec = body.find("spec") ? *body.find("spec") : empty;
    if (call.resource == "selfsubjectrulesreviews") {
        if (spec.textAt({"namespace"}).isEmpty())
            return apiFailure(badRequest("no namespace on request"));
        return rulesReview(call.user);
    }
    if (bool(spec.find("resourceAttributes")) == bool(spec.find("nonResourceAttributes"))) {
        ApiError error = invalid(
            "authorization.k8s.io", {}, {},
            {{"FieldValueInvalid",
              "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be "
              "specified",
              "spec.resourceAttributes"}});
        return apiFailure(std::move(error));
    }
    return accessReview(call, spec);
}

} // namespace tongchi::simulator
