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

bool isKnownResource(const QByteArray &group, const QByteArray &resource)
{
    return findResourceType(group, "v1", resource) != nullptr;
}

bool mayDo(const ApiUser &user, const QByteArray &verb, const QByteArray &group, const QByteArray &resource)
{
    if (user.mayWrite)
        return true;
    return user.mayRead && isReadVerb(verb) && resource != "secrets" && isKnownResource(group, resource);
}

/// Why a review says yes; the administrator's group is not asked for a reason.
QByteArray ruleText(const char *binding, const char *group)
{
    return "RBAC: allowed by ClusterRoleBinding " + quoted(binding) + " of ClusterRole " + quoted(binding) +
           " to Group " + quoted(group);
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
    bool allowed = call.user.mayWrite;
    QByteArray reason;
    if (allowed) {
        // without a reason
    } else if (attributes) {
        const QByteArray resource = attributes->textAt({"resource"});
        const QByteArray group = attributes->textAt({"group"});
        const QByteArray verb = attributes->textAt({"verb"});
        if (mayDo(call.user, verb, group, resource))
            reason = ruleText("viewer", "viewers");
        else if (verb == "create" && isOwnReview(group, resource) && !call.user.isAnonymous())
            reason = ruleText("system:basic-user", "system:authenticated");
    } else {
        const QByteArray path = spec.textAt({"nonResourceAttributes", "path"});
        if (!call.user.isAnonymous() && (isPublicPath(path) || isDiscoveryPath(path)))
            reason = ruleText("system:discovery", "system:authenticated");
        else if (isPublicPath(path))
            reason = ruleText("system:public-info-viewer", "system:unauthenticated");
    }
    allowed = allowed || !reason.isEmpty();
    JsonValue shown = spec;
    for (std::size_t i = 0; i < shown.size(); ++i) { // empty members are left out of answers
        JsonValue &part = shown.items()[i];
        for (const QByteArray &key : std::vector<QByteArray>(part.keys())) {
            const JsonValue *value = part.find(key);
            if (value->isNull() || (value->isString() && value->text().isEmpty()))
                part.remove(key);
        }
    }
    QByteArray whyText;
    if (!reason.isEmpty()) {
        whyText = ",\"reason\":";
        writeJsonString(whyText, reason);
    }
    return "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/"
           "v1\",\"metadata\":{},\"spec\":" +
           shown.toJson() + ",\"status\":{\"allowed\":" + (allowed ? "true" : "false") + whyText + "}}\n";
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
    m_tokens.stranger = randomToken();
}

ApiResult<ApiUser> AccessControl::authenticate(const HttpRequest &request) const
{
    // Who signs in in a way that the server does not know is nobody, not refused.
    const QByteArray header = request.header("authorization");
    if (!header.left(7).toLower().startsWith("bearer ") || header.mid(7).trimmed().isEmpty())
        return ApiUser{};
    if (m_expired)
        return apiFailure(unauthorized());
    const QByteArray token = header.mid(7).trimmed();
    if (token == m_tokens.administrator)
        return ApiUser{"admin", "1", {"system:masters", "system:authenticated"}, true, true};
    if (token == m_tokens.viewer)
        return ApiUser{"viewer", "2", {"viewers", "system:authenticated"}, false, true};
    if (token == m_tokens.stranger)
        return ApiUser{"stranger", "3", {"strangers", "system:authenticated"}, false, false};
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
    if (mayDo(call.user, call.verb, call.group, call.resource))
        return std::nullopt;
    if (!call.user.isAnonymous() && call.verb == "create" && isOwnReview(call.group, call.resource))
        return std::nullopt;
    return forbidden(call);
}

ApiResult<QByteArray> AccessControl::review(const ApiCall &call, const QByteArray &now) const
{
    JsonProblem problem;
    const JsonValue body = readRequestBody(call.http().body, call.mediaType(), &problem);
    const char *kind = call.resource == "selfsubjectreviews"        ? "SelfSubjectReview"
                       : call.resource == "selfsubjectrulesreviews" ? "SelfSubjectRulesReview"
                                                                    : "SelfSubjectAccessReview";
    if (!problem.message.isEmpty())
        return apiFailure(unrecognizedBody(kind, problem.message, call.http().body));
    if (body.textAt({"kind"}) != kind) {
        if (auto foreign = foreignKind(body, call.group, call.version, kind))
            return apiFailure(std::move(*foreign));
    }
    if (call.resource == "selfsubjectreviews")
        return subjectReview(call.user, now);
    const JsonValue empty = JsonValue::object();
    const JsonValue &spec = body.find("spec") ? *body.find("spec") : empty;
    if (call.resource == "selfsubjectrulesreviews") {
        if (spec.textAt({"namespace"}).isEmpty())
            return apiFailure(badRequest("no namespace on request"));
        return rulesReview(call.user);
    }
    const JsonValue *path = spec.find("nonResourceAttributes");
    if (path && spec.find("resourceAttributes")) {
        // Shown as the server's own structure, which is not JSON's.
        JsonValue shown = JsonValue::object();
        shown.set("Path", JsonValue::string(path->textAt({"path"})));
        shown.set("Verb", JsonValue::string(path->textAt({"verb"})));
        return apiFailure(invalid("authorization.k8s.io", {}, {},
                                  {{"FieldValueInvalid",
                                    "Invalid value: " + shown.toJson() +
                                        ": cannot be specified in combination with resourceAttributes",
                                    "spec.nonResourceAttributes"}}));
    }
    if (!path && !spec.find("resourceAttributes")) {
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
