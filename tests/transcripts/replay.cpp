#include "tests/transcripts/replay.h"

#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/kubernetes_client.h"
#include "platform/kubernetes/kubernetes_client_task.h"
#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/reflector.h"
#include "platform/metrics/prometheus_client.h"
#include "tests/kubernetes/kubeconfig_files.h"
#include "tests/support/loopback_server.h"
#include "tests/support/wait.h"

#include <mutex>

namespace tongchi::test {

namespace {

/// The recorded answer. Lengths are the server's own affair: some of the recordings lost their last line end.
Answer recordedAnswer(const Exchange &exchange)
{
    Answer answer;
    answer.status = exchange.status;
    answer.body = exchange.body + '\n';
    for (const auto &[name, value] : exchange.headers) {
        if (name.compare("Transfer-Encoding", Qt::CaseInsensitive) == 0)
            answer.framing = Answer::Framing::Chunked;
        else if (name.compare("Content-Length", Qt::CaseInsensitive) != 0 &&
                 name.compare("Connection", Qt::CaseInsensitive) != 0)
            answer.headers.append({name, value});
    }
    return answer;
}

template <typename T> Result<T> outcomeOf(const QFuture<Result<T>> &future)
{
    if (waitFor(future) && future.resultCount() > 0)
        return future.result();
    return failure({.code = ErrorCode::Cancelled, .detail = QStringLiteral("no result")});
}

template <typename T> Replayed replayedOf(const Result<T> &result)
{
    Replayed replayed;
    if (!result)
        replayed.error = result.error();
    return replayed;
}

/// The object of a path, as errors name it: the last part that is not an action on it.
QString objectOf(const QByteArray &path)
{
    const QList<QByteArray> parts = path.split('/');
    return QString::fromUtf8(parts.last() == "eviction" ? parts.value(parts.size() - 2) : parts.last());
}

/// A connection as a kubeconfig makes it: with a token where the recorded request had one.
ConnectionSettings settingsFor(const LoopbackServer &server, const Exchange &exchange)
{
    static const SystemClock clock;
    const bool token = !Exchange::header(exchange.requestHeaders, "Authorization").isEmpty();
    const KubeContext context =
        contextOf(oneContext("{server: '" + server.url().toEncoded() + "'}", token ? "{token: t}" : "{}"));
    const Result<ConnectionSettings> settings =
        makeConnection(context, {.clock = &clock, .variables = {}}, nullptr);
    EXPECT_OK(settings);
    return settings ? *settings : ConnectionSettings();
}

Replayed throughKubernetes(LoopbackServer &server, const Exchange &exchange, const QString &as)
{
    KubernetesClient client(settingsFor(server, exchange));
    if (as == QLatin1String("get"))
        return replayedOf(outcomeOf(client.getRaw(exchange.target)));
    if (as == QLatin1String("patch"))
        return replayedOf(
            outcomeOf(client.patch({.path = exchange.path(),
                                    .contentType = Exchange::header(exchange.requestHeaders, "Content-Type"),
                                    .body = exchange.requestBody,
                                    .subject = objectOf(exchange.path())})));
    HttpRequest request = apiPost(exchange.target, exchange.requestBody);
    request.repeatable = false;
    const Result<HttpResponse> response = outcomeOf(client.http().send(request));
    if (!response)
        return replayedOf(response);
    Replayed replayed;
    if (const Status status = checkApiAnswer(*response, objectOf(exchange.path())); !status)
        replayed.error = status.error();
    return replayed;
}

class StateKeeper final : public ResourceSink<NodeRecord>
{
public:
    void listStarted() override {}
    void upsert(const NodeRecord &) override {}
    void removed(const ObjectKey &) override {}
    void unreadable(const UnreadableObject &) override {}
    void listFinished() override { ++lists; }
    void stateChanged(const WatchState &state) override
    {
        if (state.error && !error)
            error = state.error;
    }

    int lists = 0;
    std::optional<Error> error; ///< the first that was shown
};

constexpr const char *shortList =
    R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"832"},"items":[]})";
constexpr const char *firstPage =
    R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"839","continue":"token"},"items":[]})";

/// Lists and watches; the one request that `as` names gets the recorded answer, every other a good one.
class NodeServer
{
public:
    NodeServer(LoopbackServer &server, const Exchange &exchange, const QString &as)
        : m_exchange(exchange), m_as(as)
    {
        server.on("GET", "/api/v1/nodes",
                  [this](const ReceivedRequest &request) { return answerTo(request); });
    }
    bool wasPlayed() const { return m_played; }
    /// A watch is open that nothing ends.
    bool isQuiet() const { return m_live->isOpen(); }

private:
    Answer answerTo(const ReceivedRequest &request)
    {
        const bool watch = request.target.contains("watch=1");
        const bool page = request.target.contains("continue=");
        const bool meant = m_as == QLatin1String("watch")   ? watch
                           : m_as == QLatin1String("pages") ? page
                                                            : !watch;
        if (meant && !m_played.exchange(true))
            return recordedAnswer(m_exchange);
        if (watch)
            return Answer::stream(m_live);
        return Answer::json(m_as == QLatin1String("pages") && !m_played ? firstPage : shortList);
    }

    const Exchange &m_exchange;
    const QString m_as;
    std::atomic<bool> m_played{false};
    std::shared_ptr<LiveBody> m_live = std::make_shared<LiveBody>();
};

Replayed throughReflector(LoopbackServer &server, const Exchange &exchange, const QString &as)
{
    NodeServer nodes(server, exchange, as);
    StateKeeper keeper;
    StreamClient streams(settingsFor(server, exchange));
    Replayed replayed;
    {
        Reflector<NodeRecord> reflector({.path = "/api/v1/nodes",
                                         .subject = QStringLiteral("nodes of bj-prod"),
                                         .pages = as == QLatin1String("pages")},
                                        &streams, std::make_unique<NodeParser>(), &keeper);
        reflector.start();
        if (!waitUntil([&] { return keeper.error || (nodes.wasPlayed() && nodes.isQuiet()); }))
            replayed.problem = QStringLiteral("neither an error nor a watch");
        reflector.stop();
    }
    replayed.error = keeper.error;
    server.stop(); // its threads answer from the objects here
    return replayed;
}

Replayed throughPrometheus(LoopbackServer &server, const Exchange &exchange, const QString &as)
{
    HttpClient http(as == QLatin1String("proxy") ? settingsFor(server, exchange)
                                                 : ConnectionSettings{.server = server.url()});
    const SystemClock clock;
    const qsizetype api = exchange.target.indexOf("/api/v1/query");
    PrometheusClient client(&http, as == QLatin1String("proxy") ? exchange.target.left(api) : QByteArray(),
                            QStringLiteral("Prometheus of bj-prod"), &clock);
    const QByteArray query = exchange.parameter("query");
    if (as == QLatin1String("names"))
        return replayedOf(outcomeOf(client.metricNames(exchange.parameter("match%5B%5D"))));
    const auto seconds = [&exchange](const char *key) {
        return std::chrono::milliseconds(qint64(exchange.parameter(key).toDouble() * 1000));
    };
    const Result<QueryOutcome> outcome =
        as == QLatin1String("range")
            ? outcomeOf(client.queryRange(
                  query, {Instant(seconds("start")), Instant(seconds("end")), seconds("step")},
                  [](LabelViews, std::span<const Sample>) {}))
            : outcomeOf(client.query(query, [](LabelViews, double, Instant) {}));
    Replayed replayed = replayedOf(outcome);
    if (outcome)
        replayed.warnings = outcome->answer.warnings;
    return replayed;
}

} // namespace

Replayed replay(const Exchange &exchange, const QString &as)
{
    using Way = Replayed (*)(LoopbackServer &, const Exchange &, const QString &);
    static const QHash<QString, Way> ways{
        {QStringLiteral("get"), throughKubernetes},      {QStringLiteral("patch"), throughKubernetes},
        {QStringLiteral("post"), throughKubernetes},     {QStringLiteral("list"), throughReflector},
        {QStringLiteral("watch"), throughReflector},     {QStringLiteral("pages"), throughReflector},
        {QStringLiteral("query"), throughPrometheus},    {QStringLiteral("range"), throughPrometheus},
        {QStringLiteral("names"), throughPrometheus},    {QStringLiteral("proxy"), throughPrometheus},
        {QStringLiteral("elsewhere"), throughPrometheus}};
    const auto way = ways.find(as);
    if (way == ways.end())
        return {.problem = QStringLiteral("no way is called ") + as};
    LoopbackServer server;
    for (const char *method : {"GET", "PATCH", "POST"})
        server.on(method, "/*", recordedAnswer(exchange));
    Replayed replayed = way.value()(server, exchange, as);
    for (const ReceivedRequest &request : server.requests()) {
        if (as != QLatin1String("elsewhere") &&
            (request.path() != exchange.path() || request.method != exchange.method))
            replayed.problem = QStringLiteral("asked for ") + QString::fromUtf8(request.target);
    }
    if (server.requests().empty())
        replayed.problem = QStringLiteral("nothing was asked");
    return replayed;
}

} // namespace tongchi::test
