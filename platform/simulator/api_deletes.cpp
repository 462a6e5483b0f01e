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

/// The object as it is marked for its deletion. Grace that was given before is not made longer.
JsonValue ApiWrites::marked(const ResourceType &type, const JsonValue &object, qint64 graceSeconds) const
{
    JsonValue stopping = object;
    JsonValue &metadata = stopping["metadata"];
    const JsonValue *before = metadata.find("deletionGracePeriodSeconds");
    const bool first = metadata.textAt({"deletionTimestamp"}).isEmpty();
    if (!first && before && before->toInteger() <= graceSeconds)
        return stopping;
    if (QByteArrayView(type.kind) == QByteArrayView("Namespace")) {
        stopping["status"].set("phase", JsonValue::string("Terminating"));
    } else {
        metadata.set("deletionGracePeriodSeconds", JsonValue::number(graceSeconds));
        const JsonValue *generation = metadata.find("generation");
        if (first && generation && generation->toInteger() > 0)
            metadata.set("generation", JsonValue::number(generation->toInteger() + 1));
    }
    const qint64 at = m_store.clock().now().time_since_epoch().count() + graceSeconds * 1000;
    stopping["metadata"].set("deletionTimestamp", JsonValue::string(rfc3339(at)));
    return stopping;
}

/// Returns the object as the answer shows it.
JsonValue ApiWrites::deleteObject(const ResourceType &type, const QByteArray &key, const JsonValue &object,
                                  qint64 graceSeconds, bool dryRun)
{
    const JsonValue *finalizers = object.at({"metadata", "finalizers"});
    const bool held = finalizers && finalizers->size() > 0;
    const bool graceful = isPod(type) || QByteArrayView(type.kind) == QByteArrayView("Namespace");
    if (!held && !graceful) {
        if (!dryRun)
            m_store.remove(type, key);
        return object;
    }
    const qint64 grace = isPod(type) && !object.textAt({"spec", "nodeName"}).isEmpty() ? graceSeconds : 0;
    JsonValue stopping = marked(type, object, grace);
    if (dryRun || stopping == object)
        return stopping;
    m_store.put(type, key, stopping);
    if (held)
        return stopping;
    const QByteArray uid = object.textAt({"metadata", "uid"});
    const auto end = [this, &type, key, uid] {
        const std::optional<JsonValue> present = m_store.object(type, key);
        if (present && present->textAt({"metadata", "uid"}) == uid)
            m_store.remove(type, key);
    };
    if (m_later && (grace > 0 || !isPod(type)))
        m_later(stoppingTime, end);
    else
        end();
    return stopping;
}

ApiResult<ApiWrites::Deletion> ApiWrites::readDeletion(const ApiCall &call) const
{
    Deletion deletion;
    JsonProblem problem;
    const JsonValue body = call.http().body.isEmpty()
                               ? JsonValue::object()
                               : readRequestBody(call.http().body, call.mediaType(), &problem);
    if (!problem.message.isEmpty())
        return apiFailure(badRequest("couldn't get version/kind; json parse error: " + problem.message));
    const QByteArray text = call.parameter("gracePeriodSeconds");
    bool isNumber = true;
    if (!text.isEmpty())
        deletion.graceSeconds = text.toLongLong(&isNumber);
    if (!isNumber)
        return apiFailure(badRequest("strconv.ParseInt: parsing " + quoted(text) + ": invalid syntax"));
    if (const JsonValue *wanted = body.find("gracePeriodSeconds"); wanted && !wanted->isNull())
        deletion.graceSeconds = wanted->toInteger();
    QByteArray policy = body.textAt({"propagationPolicy"});
    if (policy.isEmpty())
        policy = call.parameter("propagationPolicy");
    if (!policy.isEmpty() && policy != "Foreground" && policy != "Background" && policy != "Orphan")
        return apiFailure(optionsInvalid("DeleteOptions", {"FieldValueNotSupported",
                                                           "Unsupported value: " + quoted(policy) +
                                                               ": supported values: \"Foreground\", "
                                                               "\"Background\", \"Orphan\", \"nil\"",
                                                           "propagationPolicy"}));
    deletion.dryRun = isDryRun(call, body);
    deletion.uid = body.textAt({"preconditions", "uid"});
    deletion.version = body.textAt({"preconditions", "resourceVersion"});
    return deletion;
}

/// What is in a namespace goes before it.
void ApiWrites::emptyNamespace(const QByteArray &name)
{
    const QByteArray inside = name + '/';
    for (const ResourceType &type : resourceTypes()) {
        if (!type.namespaced)
            continue;
        std::vector<QByteArray> keys;
        m_store.collection(type).snapshot().forEach(inside, [&](const StoredObject &object, QByteArrayView) {
            if (!object.key.startsWith(inside))
                return false;
            keys.push_back(object.key);
            return true;
        });
        for (const QByteArray &key : keys)
            m_store.remove(type, key);
    }
}

ApiResult<HttpAnswer> ApiWrites::remove(const ApiCall &call)
{
    auto deletion = readDeletion(call);
    if (!deletion)
        return apiFailure(deletion.error());
    const std::optional<JsonValue> live = m_store.object(*call.type, call.key());
    if (!live)
        return apiFailure(notFound(*call.type, call.name));
    const QByteArray uid = live->textAt({"metadata", "uid"});
    const QByteArray version = live->textAt({"metadata", "resourceVersion"});
    if (!deletion->uid.isEmpty() && deletion->uid != uid)
        return apiFailure(preconditionFailed(*call.type, call.name,
                                             "the UID in the precondition (" + deletion->uid +
                                                 ") does not match the UID in record (" + uid +
                                                 "). The object might have been deleted and then recreated"));
    if (!deletion->version.isEmpty() && deletion->version != version)
        return apiFailure(preconditionFailed(*call.type, call.name,
                                             "the ResourceVersion in the precondition (" + deletion->version +
                                                 ") does not match the ResourceVersion in record (" +
                                                 version + "). The object might have been modified"));
    qint64 grace = 30;
    if (const JsonValue *own = live->at({"spec", "terminationGracePeriodSeconds"}))
        grace = own->toInteger(30);
    if (QByteArrayView(call.type->kind) == QByteArrayView("Namespace") && !deletion->dryRun)
        emptyNamespace(call.name);
    const JsonValue shown =
        deleteObject(*call.type, call.key(), *live, deletion->graceSeconds.value_or(grace), deletion->dryRun);
    const JsonValue *finalizers = live->at({"metadata", "finalizers"});
    if (!call.type->deletionAnswersObject() && (!finalizers || finalizers->size() == 0))
        return jsonAnswer(deletedStatus(*call.type, call.name, uid));
    const std::optional<JsonValue> present = m_store.object(*call.type, call.key());
    const QByteArray now = present ? present->textAt({"metadata", "resourceVersion"}) : version;
    return objectAnswer(call, m_store, storedText(shown, now.toLongLong()), Representation::Json);
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
            deleteObject(*call.type, key, *object, 30, false);
    }
    return list;
}

ApiResult<HttpAnswer> ApiWrites::evict(const ApiCall &call)
{
    const ResourceType &pods = *call.type;
    JsonProblem problem;
    const JsonValue body = readRequestBody(call.http().body, call.mediaType(), &problem);
    if (!problem.message.isEmpty())
        return apiFailure(unrecognizedBody("Eviction", problem.message, call.http().body));
    const QByteArray named = body.textAt({"metadata", "name"});
    if (named != call.name)
        return apiFailure(badRequest("name in URL does not match name in Eviction object"));
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
    const JsonValue *options = body.find("deleteOptions");
    const JsonValue *own = pod->at({"spec", "terminationGracePeriodSeconds"});
    deleteObject(pods, call.key(), *pod, own ? own->toInteger(30) : 30,
                 isDryRun(call, options ? *options : JsonValue()));
    return jsonAnswer(
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"code\":201}\n",
        201);
}

} // namespace tongchi::simulator
