#include "platform/simulator/api_writes.h"

#include "platform/simulator/api_reads.h"
#include "platform/simulator/cluster_store.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/request_body.h"
#include "platform/simulator/selectors.h"

namespace tongchi::simulator {

namespace {

// A simulated container needs no more than this to stop, whatever it was granted.
constexpr std::chrono::milliseconds stoppingTime{1000};

ApiError preconditionFailed(const ResourceType &type, const QByteArray &name, const QByteArray &why)
{
    QByteArray details = "{\"name\":";
    writeJsonString(details, name);
    return {.code = 409,
            .reason = "Conflict",
            .message =
                "Operation cannot be fulfilled on " + QByteArray(type.kind) + ' ' + quoted(name) + ": " + why,
            .details = details + ",\"kind\":\"" + type.kind + "\"}"};
}

QByteArray deletedStatus(const ResourceType &type, const QByteArray &name, const QByteArray &uid)
{
    QByteArray body = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\","
                      "\"details\":{\"name\":";
    writeJsonString(body, name);
    if (*type.group)
        body += ",\"group\":\"" + QByteArray(type.group) + '"';
    return body + ",\"kind\":\"" + type.plural + "\",\"uid\":\"" + uid + "\"}}\n";
}

bool isPod(const ResourceType &type)
{
    return QByteArrayView(type.kind) == QByteArrayView("Pod");
}

bool isDryRun(const ApiCall &call, const JsonValue &body)
{
    const JsonValue *inBody = body.find("dryRun");
    return call.parameter("dryRun") == "All" || (inBody && inBody->size() > 0);
}

/// Pods that a budget counts and how many of them are ready.
bool budgetMatches(const JsonValue &budget, const JsonValue &pod)
{
    const JsonValue *wanted = budget.at({"spec", "selector", "matchLabels"});
    if (!wanted)
        return true;
    const JsonValue *labels = pod.at({"metadata", "labels"});
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        const JsonValue *label = labels ? labels->find(wanted->keys()[i]) : nullptr;
        if (!label || !(*label == wanted->items()[i]))
            return false;
    }
    return true;
}

} // namespace

bool ApiWrites::deleteObject(const ResourceType &type, const QByteArray &key, const JsonValue &object,
                             qint64 graceSeconds)
{
    if (!isPod(type) || graceSeconds == 0 || object.textAt({"spec", "nodeName"}).isEmpty() || !m_later)
        return m_store.remove(type, key);
    if (!object.textAt({"metadata", "deletionTimestamp"}).isEmpty())
        return true;
    JsonValue stopping = object;
    JsonValue &metadata = stopping["metadata"];
    const qint64 at = m_store.clock().now().time_since_epoch().count() + graceSeconds * 1000;
    metadata.set("deletionTimestamp", JsonValue::string(rfc3339(at)));
    metadata.set("deletionGracePeriodSeconds", JsonValue::number(graceSeconds));
    m_store.put(type, key, stopping);
    const QByteArray uid = object.textAt({"metadata", "uid"});
    m_later(stoppingTime, [this, &type, key, uid] {
        const std::optional<JsonValue> present = m_store.object(type, key);
        if (present && present->textAt({"metadata", "uid"}) == uid)
            m_store.remove(type, key);
    });
    return true;
}

ApiResult<HttpAnswer> ApiWrites::remove(const ApiCall &call)
{
    JsonProblem problem;
    JsonValue body = call.http().body.isEmpty()
                         ? JsonValue::object()
                         : readRequestBody(call.http().body, call.mediaType(), &problem);
    if (!problem.message.isEmpty())
        return apiFailure(badRequest("couldn't get version/kind; json parse error: " + problem.message));
    const std::optional<JsonValue> live = m_store.object(*call.type, call.key());
    if (!live)
        return apiFailure(notFound(*call.type, call.name));
    const QByteArray uid = live->textAt({"metadata", "uid"});
    const QByteArray version = live->textAt({"metadata", "resourceVersion"});
    const QByteArray wantedUid = body.textAt({"preconditions", "uid"});
    if (!wantedUid.isEmpty() && wantedUid != uid)
        return apiFailure(preconditionFailed(*call.type, call.name,
                                             "the UID in the precondition (" + wantedUid +
                                                 ") does not match the UID in record (" + uid +
                                                 "). The object might have been deleted and then recreated"));
    const QByteArray wantedVersion = body.textAt({"preconditions", "resourceVersion"});
    if (!wantedVersion.isEmpty() && wantedVersion != version)
        return apiFailure(preconditionFailed(*call.type, call.name,
                                             "the ResourceVersion in the precondition (" + wantedVersion +
                                                 ") does not match the ResourceVersion in record (" +
                                                 version + "). The object might have been modified"));
    qint64 grace = 30;
    if (const JsonValue *own = live->at({"spec", "terminationGracePeriodSeconds"}))
        grace = own->toInteger(30);
    if (const JsonValue *wanted = body.find("gracePeriodSeconds"); wanted && !wanted->isNull())
        grace = wanted->toInteger(grace);
    if (call.hasParameter("gracePeriodSeconds"))
        grace = call.parameter("gracePeriodSeconds").toLongLong();
    const bool dryRun = isDryRun(call, body);
    if (QByteArrayView(call.type->kind) == QByteArrayView("Namespace") && !dryRun) {
        const QByteArray inside = call.name + '/'; // what is in it goes first
        for (const ResourceType &type : resourceTypes()) {
            if (!type.namespaced)
                continue;
            std::vector<QByteArray> keys;
            m_store.collection(type).snapshot().forEach(inside,
                                                        [&](const StoredObject &object, QByteArrayView) {
                                                            if (!object.key.startsWith(inside))
                                                                return false;
                                                            keys.push_back(object.key);
                                                            return true;
                                                        });
            for (const QByteArray &key : keys)
                m_store.remove(type, key);
        }
    }
    if (!dryRun)
        deleteObject(*call.type, call.key(), *live, grace);
    if (isPod(*call.type)) {
        std::optional<JsonValue> stopping = m_store.object(*call.type, call.key());
        const QByteArray text = storedText(stopping ? *stopping : *live, version.toLongLong());
        return objectAnswer(call, m_store, text, Representation::Json);
    }
    return jsonAnswer(deletedStatus(*call.type, call.name, uid));
}

ApiResult<HttpAnswer> ApiWrites::removeAll(const ApiCall &call)
{
    auto list = readList(call, m_store);
    if (!list)
        return list;
    auto labels = LabelSelector::parse(call.parameter("labelSelector"));
    auto fields = FieldSelector::parse(call.parameter("fieldSelector"), *call.type);
    if (!labels || !fields)
        return list;
    JsonProblem problem;
    const JsonValue body = readRequestBody(call.http().body, call.mediaType(), &problem);
    if (isDryRun(call, body))
        return list;
    const QByteArray prefix = call.nameSpace.isEmpty() ? QByteArray() : call.nameSpace + '/';
    std::vector<QByteArray> keys;
    m_store.collection(*call.type)
        .snapshot()
        .forEach(prefix, [&](const StoredObject &object, QByteArrayView text) {
            if (!object.key.startsWith(prefix))
                return false;
            if (labels->matches(text) && fields->matches(text))
                keys.push_back(object.key);
            return true;
        });
    for (const QByteArray &key : keys) {
        if (const std::optional<JsonValue> object = m_store.object(*call.type, key))
            deleteObject(*call.type, key, *object, 30);
    }
    return list;
}

ApiResult<HttpAnswer> ApiWrites::evict(const ApiCall &call)
{
    const ResourceType &pods = *call.type;
    const std::optional<JsonValue> pod = m_store.object(pods, call.key());
    if (!pod)
        return apiFailure(notFound(pods, call.name));
    std::optional<ApiError> refused;
    const ResourceType &budgets = *findResourceType("policy", "v1", "poddisruptionbudgets");
    const QByteArray prefix = call.nameSpace + '/';
    m_store.collection(budgets).snapshot().forEach(prefix, [&](const StoredObject &object,
                                                               QByteArrayView text) {
        if (!object.key.startsWith(prefix))
            return false;
        const JsonValue budget = JsonValue::parse(text, nullptr);
        if (!budgetMatches(budget, *pod))
            return true;
        qint64 healthy = 0;
        m_store.collection(pods).snapshot().forEach(
            prefix, [&](const StoredObject &other, QByteArrayView otherText) {
                if (!other.key.startsWith(prefix))
                    return false;
                healthy += budgetMatches(budget, JsonValue::parse(otherText, nullptr)) ? 1 : 0;
                return true;
            });
        const JsonValue *minimum = budget.at({"spec", "minAvailable"});
        const JsonValue *maximum = budget.at({"spec", "maxUnavailable"});
        qint64 needed = minimum ? minimum->toInteger() : maximum ? healthy - maximum->toInteger() : 0;
        if (minimum && minimum->text().endsWith('%'))
            needed = (healthy * minimum->text().chopped(1).toLongLong() + 99) / 100;
        if (healthy > needed)
            return true;
        QByteArray cause;
        writeJsonString(cause, QByteArray("The disruption budget " + budget.textAt({"metadata", "name"}) +
                                          " needs " + QByteArray::number(needed) + " healthy pods and has " +
                                          QByteArray::number(healthy) + " currently"));
        refused =
            ApiError{.code = 429,
                     .reason = "TooManyRequests",
                     .message = "Cannot evict pod as it would violate the pod's disruption budget.",
                     .details = "{\"causes\":[{\"reason\":\"DisruptionBudget\",\"message\":" + cause + "}]}"};
        return false;
    });
    if (refused)
        return apiFailure(std::move(*refused));
    JsonProblem problem;
    const JsonValue body = readRequestBody(call.http().body, call.mediaType(), &problem);
    const JsonValue *options = body.find("deleteOptions");
    if (!isDryRun(call, options ? *options : JsonValue()))
        deleteObject(pods, call.key(), *pod, 30);
    return jsonAnswer(
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"code\":201}\n",
        201);
}

} // namespace tongchi::simulator
