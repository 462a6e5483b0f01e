#include "platform/simulator/api_server.h"

#include "platform/simulator/api_discovery.h"
#include "platform/simulator/api_reads.h"
#include "platform/simulator/list_body.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/openapi_documents.h"
#include "platform/simulator/watch_stream.h"

#include <QDateTime>
#include <QTimer>

namespace tongchi::simulator {

namespace {

HttpAnswer pageNotFound()
{
    return textAnswer("404 page not found\n", 404);
}

void answerResult(const ApiCall &call, ApiResult<HttpAnswer> result)
{
    call.exchange->answer(result ? std::move(*result) : errorAnswer(result.error()));
}

/// "http:prometheus-k8s:9090", "prometheus-k8s:web" or "prometheus-k8s".
QByteArray serviceName(const QByteArray &name)
{
    const QList<QByteArray> parts = name.split(':');
    return parts.size() == 3 ? parts.at(1) : parts.first();
}

/// What Prometheus does around every answer of its API: compressed whatever its size, and open to all pages.
void dressApiAnswer(HttpAnswer *answer, QByteArray *body, bool gzip, bool foreign)
{
    if (gzip && answer->contentType == "application/json") {
        answer->headers.push_back({QByteArrayLiteral("Content-Encoding"), QByteArrayLiteral("gzip")});
        *body = gzipped(*body);
    }
    if (!foreign)
        return;
    answer->headers.push_back({QByteArrayLiteral("Access-Control-Allow-Headers"),
                               QByteArrayLiteral("Accept, Authorization, Content-Type, Origin")});
    answer->headers.push_back(
        {QByteArrayLiteral("Access-Control-Allow-Methods"), QByteArrayLiteral("GET, POST, OPTIONS")});
    answer->headers.push_back({QByteArrayLiteral("Access-Control-Allow-Origin"), QByteArrayLiteral("*")});
    answer->headers.push_back(
        {QByteArrayLiteral("Access-Control-Expose-Headers"), QByteArrayLiteral("Date")});
    answer->headers.push_back({QByteArrayLiteral("Vary"), QByteArrayLiteral("Origin")});
}

struct HealthCheck
{
    const char *name;
    bool ready; ///< asked by /readyz
    bool live;  ///< asked by /livez and /healthz
};
constexpr HealthCheck healthChecks[] = {
    {"ping", true, true},
    {"log", true, true},
    {"loopback-serving-certificate", false, true},
    {"etcd", true, true},
    {"etcd-readiness", true, false},
    {"informer-sync", true, false},
    {"poststarthook/start-apiserver-admission-initializer", true, true},
    {"poststarthook/generic-apiserver-start-informers", true, true},
    {"poststarthook/priority-and-fairness-config-consumer", true, true},
    {"poststarthook/priority-and-fairness-filter", true, true},
    {"poststarthook/storage-object-count-tracker-hook", true, true},
    {"poststarthook/start-apiextensions-informers", true, true},
    {"poststarthook/start-apiextensions-controllers", true, true},
    {"poststarthook/crd-informer-synced", true, true},
    {"poststarthook/start-system-namespaces-controller", true, true},
    {"poststarthook/peer-endpoint-reconciler-controller", true, true},
    {"poststarthook/start-cluster-authentication-info-controller", true, true},
    {"poststarthook/start-kube-apiserver-identity-lease-controller", true, true},
    {"poststarthook/start-kube-apiserver-identity-lease-garbage-collector", true, true},
    {"poststarthook/storage-readiness", true, true},
    {"poststarthook/start-legacy-token-tracking-controller", true, true},
    {"poststarthook/start-service-ip-repair-controllers", true, true},
    {"poststarthook/rbac/bootstrap-roles", true, true},
    {"poststarthook/scheduling/bootstrap-system-priority-classes", true, true},
    {"poststarthook/priority-and-fairness-config-producer", true, true},
    {"poststarthook/bootstrap-controller", true, true},
    {"poststarthook/start-kubernetes-service-cidr-controller", true, true},
    {"poststarthook/aggregator-reload-proxy-client-cert", true, true},
    {"poststarthook/start-kube-aggregator-informers", true, true},
    {"poststarthook/apiservice-status-local-available-controller", true, true},
    {"poststarthook/apiservice-status-remote-available-controller", true, true},
    {"poststarthook/apiservice-registration-controller", true, true},
    {"poststarthook/apiservice-discovery-controller", true, true},
    {"poststarthook/kube-apiserver-autoregistration", true, true},
    {"autoregister-completion", true, true},
    {"poststarthook/apiservice-openapi-controller", true, true},
    {"poststarthook/apiservice-openapiv3-controller", true, true},
    {"shutdown", true, false},
};

} // namespace

ApiServer::ApiServer(int cluster, const SimulatedClock &clock, std::shared_ptr<MetricsSource> metrics,
                     QObject *parent)
    : QObject(parent), m_cluster(cluster), m_store(clock), m_writes(m_store), m_metrics(std::move(metrics))
{
    m_madeAt = httpDate(QDateTime::currentDateTimeUtc());
    m_queries.setMaxThreadCount(2);
    m_writes.setLater([this](std::chrono::milliseconds delay, std::function<void()> action) {
        QTimer::singleShot(delay, this, std::move(action));
    });
}

HttpLimits ApiServer::limits()
{
    HttpLimits limits;
    limits.body = 3 * 1024 * 1024;
    limits.tooLarge =
        errorAnswer({.code = 413,
                     .reason = "RequestEntityTooLarge",
                     .message = "Request entity too large: limit is " + QByteArray::number(limits.body)});
    return limits;
}

ApiServer::~ApiServer()
{
    m_queries.waitForDone();
    for (const QPointer<WatchStream> &watch : m_watches)
        delete watch.data();
}

void ApiServer::handle(const HttpExchangePointer &exchange)
{
    ApiCall call = parseCall(exchange);
    if (std::chrono::steady_clock::now() < m_limitedUntil) {
        exchange->answer(
            errorAnswer({.code = 429,
                         .reason = "TooManyRequests",
                         .message = "Too many requests, please try again later.",
                         .details = "{\"retryAfterSeconds\":" + QByteArray::number(m_retryAfter) + '}',
                         .retryAfter = m_retryAfter}));
        return;
    }
    auto user = m_access.authenticate(exchange->request());
    if (!user) {
        exchange->answer(errorAnswer(user.error()));
        return;
    }
    call.user = std::move(*user);
    if (auto refused = m_access.authorize(call)) {
        exchange->answer(errorAnswer(*refused));
        return;
    }
    // Handlers are registered for GET alone, and HEAD is not taken for one.
    if (exchange->request().method == "HEAD" &&
        (call.isResource || call.segments.value(0) == "version" || call.segments.value(0) == "api")) {
        exchange->answer(errorAnswer(methodNotAllowed()));
        return;
    }
    route(call);
}

void ApiServer::route(ApiCall &call)
{
    if (call.isResource) {
        if (!isKnownGroupVersion(call.group, call.version)) {
            // A group's handler answers for what is below it, nobody for an unknown group.
            const bool known = call.group.isEmpty() || isKnownGroupVersion(call.group, "v1");
            call.exchange->answer(known ? errorAnswer(resourceNotFound()) : pageNotFound());
            return;
        }
        routeObject(call);
        return;
    }
    const QByteArray root = call.segments.value(0);
    const bool reads = call.verb == "get";
    if (root == "healthz" || root == "livez" || root == "readyz") {
        call.exchange->answer(healthAnswer(call));
    } else if (root == "openapi" && reads) {
        call.exchange->answer(openApiAnswer(call));
    } else if (std::optional<HttpAnswer> answer = discoveryAnswer(call)) {
        // The root of the groups looks at no method.
        const bool anyMethod = call.segments.size() == 1 && root == "apis";
        call.exchange->answer(reads || anyMethod ? std::move(*answer) : errorAnswer(methodNotAllowed()));
    } else {
        call.exchange->answer(pageNotFound());
    }
}

void ApiServer::routeObject(ApiCall &call)
{
    if (!call.type) {
        const bool review = (call.group == "authorization.k8s.io" || call.group == "authentication.k8s.io") &&
                            call.name.isEmpty() && call.resource.startsWith("selfsubject");
        if (!review) {
            call.exchange->answer(errorAnswer(resourceNotFound()));
        } else if (call.verb != "create") {
            call.exchange->answer(errorAnswer(methodNotAllowed()));
        } else {
            auto body = m_access.review(call, m_store.now());
            call.exchange->answer(body ? jsonAnswer(std::move(*body), 201) : errorAnswer(body.error()));
        }
        return;
    }
    if (call.subresource == "proxy" && QByteArrayView(call.type->plural) == QByteArrayView("services")) {
        proxyService(call);
        return;
    }
    if (call.verb == "watch" ||
        (call.verb == "get" && call.segments.contains("watch") && call.subresource.isEmpty())) {
        startWatch(call);
        return;
    }
    if (!call.subresource.isEmpty()) {
        const QByteArray marker = ';' + call.subresource + '|';
        const QByteArray known = ';' + QByteArray(call.type->subresources);
        if (!known.contains(marker)) {
            call.exchange->answer(errorAnswer(resourceNotFound()));
            return;
        }
    }
    answerResult(call, changeObject(call));
}

ApiResult<HttpAnswer> ApiServer::changeObject(const ApiCall &call)
{
    if (call.subresource == "log")
        return call.verb == "get" ? readLog(call) : apiFailure(methodNotAllowed());
    if (call.subresource == "eviction")
        return call.verb == "create" ? m_writes.evict(call) : apiFailure(methodNotAllowed());
    if (call.verb == "get")
        return readObject(call, m_store);
    if (call.verb == "list")
        return readList(call, m_store);
    if (call.verb == "create" && call.name.isEmpty() && (!call.type->namespaced || !call.nameSpace.isEmpty()))
        return m_writes.create(call);
    if (call.verb == "update" && !call.name.isEmpty())
        return m_writes.replace(call);
    if (call.verb == "patch" && !call.name.isEmpty())
        return m_writes.patch(call);
    if (call.verb == "delete")
        return m_writes.remove(call);
    if (call.verb == "deletecollection" && (!call.type->namespaced || !call.nameSpace.isEmpty()))
        return m_writes.removeAll(call);
    return apiFailure(methodNotAllowed());
}

void ApiServer::startWatch(const ApiCall &call)
{
    auto options = readWatchOptions(call, m_store);
    if (!options) {
        call.exchange->answer(errorAnswer(options.error()));
        return;
    }
    std::erase_if(m_watches, [](const QPointer<WatchStream> &watch) { return watch.isNull(); });
    auto *watch = new WatchStream(call.exchange, m_store, std::move(*options), this);
    m_watches.push_back(watch);
    watch->start();
}

ApiResult<HttpAnswer> ApiServer::readLog(const ApiCall &call)
{
    const std::optional<JsonValue> pod = m_store.object(*call.type, call.key());
    if (!pod)
        return apiFailure(notFound(*call.type, call.name));
    QByteArray container = call.parameter("container");
    const JsonValue *containers = pod->at({"spec", "containers"});
    if (container.isEmpty() && containers && !containers->items().empty())
        container = containers->items().front().textAt({"name"});
    QByteArray line = "simulated pod " + call.nameSpace + '/' + call.name + ", container " + container +
                      ", phase " + pod->textAt({"status", "phase"}) + '\n';
    if (call.flag("timestamps"))
        line.prepend(m_store.now() + ' ');
    HttpAnswer answer = textAnswer(line);
    answer.contentType = QByteArrayLiteral("text/plain");
    return answer;
}

void ApiServer::proxyService(const ApiCall &call)
{
    const QByteArray name = serviceName(call.name);
    const ResourceType &services = *call.type;
    const QList<QByteArray> parts = call.name.split(':');
    if (parts.size() > 3 || (parts.size() == 3 && parts.first() != "http" && parts.first() != "https" &&
                             !parts.first().isEmpty())) {
        call.exchange->answer(errorAnswer(badRequest("invalid service request " + quoted(call.name))));
        return;
    }
    if (!m_store.contains(services, objectKey(call.nameSpace, name))) {
        call.exchange->answer(errorAnswer(notFound(services, name)));
        return;
    }
    if (call.nameSpace != "monitoring" || name != "prometheus-k8s" || !m_metrics) {
        call.exchange->answer(errorAnswer({.code = 503,
                                           .reason = "ServiceUnavailable",
                                           .message = "no endpoints available for service " + quoted(name)}));
        return;
    }
    handleMetrics(call.exchange, call.proxyPath.isEmpty() ? QByteArray("/") : call.proxyPath, true);
}

void ApiServer::handleMetrics(const HttpExchangePointer &exchange, const QByteArray &path, bool proxied)
{
    if (!m_metrics) {
        exchange->answer(pageNotFound());
        return;
    }
    // A query over a large pool takes longer than watches may be kept waiting.
    const HttpRequest &request = exchange->request();
    m_queries.start([this, held = exchange, metrics = m_metrics, cluster = m_cluster, path,
                     method = request.method, query = request.query, body = request.body,
                     gzip = request.header("accept-encoding").contains("gzip"),
                     foreign = !request.header("origin").isEmpty(), proxied]() mutable {
        MetricsSource::Answer found = metrics->handle(cluster, method, path, query, body);
        HttpAnswer answer;
        answer.status = found.status;
        answer.contentType = found.contentType;
        if (proxied)
            answer.headers.push_back(
                {QByteArrayLiteral("Cache-Control"), QByteArrayLiteral("no-cache, private")});
        for (auto &[name, value] : found.headers)
            answer.headers.push_back({std::move(name), std::move(value)});
        if (path.startsWith("/api/"))
            dressApiAnswer(&answer, &found.body, gzip, foreign);
        answer.setBody(std::move(found.body));
        auto ready = std::make_shared<HttpAnswer>(std::move(answer));
        QMetaObject::invokeMethod(
            this, [waiting = std::move(held), ready] { waiting->answer(std::move(*ready)); },
            Qt::QueuedConnection);
    });
}

HttpAnswer ApiServer::healthAnswer(const ApiCall &call) const
{
    const QByteArray root = call.segments.value(0);
    const QByteArray one = call.segments.mid(1).join('/');
    QByteArray all;
    for (const HealthCheck &check : healthChecks) {
        if (!(root == "readyz" ? check.ready : check.live))
            continue;
        if (one == check.name) {
            HttpAnswer answer = textAnswer("ok");
            answer.headers.pop_back(); // nosniff
            return answer;
        }
        all += "[+]" + QByteArray(check.name) + " ok\n";
    }
    if (!one.isEmpty())
        return pageNotFound();
    return textAnswer(call.hasParameter("verbose") ? all + root + " check passed\n" : QByteArray("ok"));
}

HttpAnswer ApiServer::openApiAnswer(const ApiCall &call) const
{
    const QByteArray path = call.segments.mid(2).join('/');
    if (call.segments.value(1) != "v3")
        return pageNotFound();
    const auto add = [](HttpAnswer *answer, const char *name, const QByteArray &value) {
        answer->headers.push_back({name, value});
    };
    HttpAnswer answer;
    if (path.isEmpty()) {
        answer.contentType = QByteArrayLiteral("text/plain; charset=utf-8");
        add(&answer, "Cache-Control", "no-cache, private");
        add(&answer, "Accept-Ranges", "bytes");
        add(&answer, "Last-Modified", m_madeAt);
        fillBody(&answer, openApiIndex(), call.acceptsGzip());
        return answer;
    }
    QByteArray document = openApiDocument(path);
    if (document.isEmpty()) {
        answer.status = 404;
        add(&answer, "Cache-Control", "no-cache, private");
        return answer;
    }
    const QByteArray hash = openApiHash(path);
    const QByteArray tag = '"' + hash + '"';
    const QByteArray asked = call.parameter("hash");
    const bool exact = asked == hash; // then the address names this content and no other
    answer.contentType = QByteArrayLiteral("application/json");
    add(&answer, "Cache-Control", exact ? "public, immutable" : "no-cache, private");
    add(&answer, "Etag", tag);
    add(&answer, "Vary", "Accept");
    if (!asked.isEmpty() && !exact) {
        answer.status = 301;
        add(&answer, "Location", "/openapi/v3/" + path + "?hash=" + hash);
        return answer;
    }
    if (exact)
        add(&answer, "Expires", httpDate(QDateTime::currentDateTimeUtc().addYears(1)).replace("GMT", "UTC"));
    if (call.http().header("if-none-match") == tag) {
        answer.status = 304;
        answer.contentType.clear();
        return answer;
    }
    add(&answer, "Accept-Ranges", "bytes");
    add(&answer, "Last-Modified", m_madeAt);
    if (call.acceptsGzip())
        fillBody(&answer, std::move(document), true);
    else
        answer.setBody(std::move(document));
    return answer;
}

void ApiServer::expireHistory()
{
    m_store.compact();
    for (const QPointer<WatchStream> &watch : std::vector<QPointer<WatchStream>>(m_watches)) {
        if (watch)
            watch->expire();
    }
}

void ApiServer::limitUntil(std::chrono::steady_clock::time_point until, int retryAfterSeconds)
{
    m_limitedUntil = until;
    m_retryAfter = retryAfterSeconds;
}

} // namespace tongchi::simulator
