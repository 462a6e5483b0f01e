// What is wrong behind a status of success, and versions that are empty, as real servers answered them.

#include "platform/kubernetes/kubernetes_client.h"
#include "platform/metrics/prometheus_client.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"
#include "tests/transcripts/replay.h"

#include <gtest/gtest.h>

namespace tongchi::test {
namespace {

Exchange recorded(const char *file, const char *name)
{
    const QList<Exchange> exchanges = allExchanges();
    const Exchange *found = findExchange(exchanges, QString::fromLatin1(file), QString::fromLatin1(name));
    EXPECT_TRUE(found) << name;
    return found ? *found : Exchange();
}

TEST(InsideSuccessTest, APartialAnswerKeepsTheWordsOfWhatIsMissing)
{
    const Replayed replayed = replay(recorded("prometheus-limits.txt", "part of the sources does not answer"),
                                     QStringLiteral("query"));
    EXPECT_EQ(replayed.problem, QString());
    EXPECT_FALSE(replayed.error);
    ASSERT_EQ(replayed.warnings.size(), 1);
    EXPECT_TRUE(replayed.warnings.first().startsWith(QStringLiteral("remote_read: error sending request")));
}

TEST(InsideSuccessTest, AnErrorOfPrometheusIsOneWhateverTheStatus)
{
    for (const char *name : {"parse error 400 bad_data", "execution error 422"}) {
        Exchange exchange = recorded("prometheus-debian.txt", name);
        const Replayed refused = replay(exchange, QStringLiteral("query"));
        exchange.status = 200;
        const Replayed inside = replay(exchange, QStringLiteral("query"));
        ASSERT_TRUE(refused.error && inside.error) << name;
        EXPECT_EQ(inside.error->code, refused.error->code);
        EXPECT_EQ(englishText(*inside.error), englishText(*refused.error));
        EXPECT_STREQ(inside.error->remedy, refused.error->remedy);
        exchange.target.replace("/query?", "/query_range?start=0&end=60&step=15&");
        const Replayed range = replay(exchange, QStringLiteral("range"));
        ASSERT_TRUE(range.error) << name;
        EXPECT_EQ(englishText(*range.error), englishText(*refused.error));
    }
}

TEST(InsideSuccessTest, AStatusObjectInsteadOfAListIsAnError)
{
    Exchange exchange = recorded("kubernetes-access.txt", "viewer lists nodes (no rights)");
    const Replayed refused = replay(exchange, QStringLiteral("list"));
    exchange.status = 200;
    const Replayed inside = replay(exchange, QStringLiteral("list"));
    ASSERT_TRUE(refused.error && inside.error);
    EXPECT_EQ(englishText(*inside.error), englishText(*refused.error));
}

TEST(EmptyVersionTest, IsAPrometheusLikeAnyOther)
{
    const Exchange build = recorded("prometheus-v3.16.txt", "buildinfo");
    ASSERT_TRUE(build.body.contains(R"("version":"")"));
    LoopbackServer server;
    server.on("GET", "/api/v1/status/buildinfo", Answer::json(build.body));
    server.on("GET", "/api/v1/query",
              Answer::json(R"({"status":"success","data":{"resultType":"vector","result":[]}})"));
    server.on(
        "GET", "/api/v1/services",
        Answer::json(R"({"kind":"ServiceList","apiVersion":"v1","items":[{"metadata":{"name":"prometheus",)"
                     R"("namespace":"monitoring"},"spec":{"ports":[{"name":"web","port":9090}]}}]})"));
    server.on("GET",
              "/api/v1/namespaces/monitoring/services/http:prometheus:9090/proxy/api/v1/status/buildinfo",
              Answer::json(build.body));
    KubernetesClient kubernetes(ConnectionSettings{.server = server.url()});
    const SystemClock clock;
    PrometheusClient prometheus(&kubernetes.http(), {}, QStringLiteral("p"), &clock);
    const auto info = prometheus.buildInfo();
    ASSERT_TRUE(waitFor(info));
    ASSERT_OK(info.result());
    EXPECT_EQ(info.result()->version, QString());
    const auto query = prometheus.query("up", [](LabelViews, double, Instant) {});
    ASSERT_TRUE(waitFor(query));
    EXPECT_OK(query.result());
    const auto found = kubernetes.findPrometheus();
    ASSERT_TRUE(waitFor(found));
    ASSERT_OK(found.result());
    EXPECT_EQ(found.result()->service, QStringLiteral("http:prometheus:9090"));
    EXPECT_EQ(found.result()->version, QString());
}

TEST(EmptyVersionTest, IsAnApiServerLikeAnyOther)
{
    const auto version = parseServerVersion(
        R"({"major":"","minor":"","gitVersion":"","goVersion":"go1.26.8","platform":"linux/amd64"})");
    ASSERT_OK(version);
    EXPECT_EQ(version->gitVersion, QString());
    EXPECT_EQ(version->minor, 0);
}

} // namespace
} // namespace tongchi::test
