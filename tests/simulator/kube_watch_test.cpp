// Watches and what breaks them.

#include "tests/simulator/server_test_pool.h"

#include <QTemporaryDir>

namespace tongchi::test {
namespace {

using KubeWatch = PoolTest;

QString typeOf(const QJsonObject &event)
{
    return event.value(QLatin1String("type")).toString();
}

QString nameOf(const QJsonObject &event)
{
    return event.value(QLatin1String("object"))
        .toObject()
        .value(QLatin1String("metadata"))
        .toObject()
        .value(QLatin1String("name"))
        .toString();
}

QByteArray versionOfList(const ServerAnswer &list)
{
    return list.json()
        .value(QLatin1String("metadata"))
        .toObject()
        .value(QLatin1String("resourceVersion"))
        .toString()
        .toUtf8();
}

TEST_F(KubeWatch, SendsWhatHappensAfterTheList)
{
    const QByteArray from = versionOfList(get("/api/v1/nodes?resourceVersion=0"));
    mergePatch("/api/v1/nodes/e-0001",
               R"({"spec":{"unschedulable":true}})"); // before the watch, after the list
    const auto watch = stream("/api/v1/nodes?watch=1&resourceVersion=" + from);
    ASSERT_TRUE(watch->waitForLines(1));
    send("DELETE", "/api/v1/nodes/e-0002");
    fleet->happens({ObjectChange::Kind::Upsert, ScriptedFleet::node("e-0009")});
    ASSERT_TRUE(watch->waitForLines(3));
    EXPECT_EQ(typeOf(watch->event(0)), QStringLiteral("MODIFIED"));
    EXPECT_EQ(typeOf(watch->event(1)), QStringLiteral("DELETED"));
    EXPECT_EQ(typeOf(watch->event(2)), QStringLiteral("ADDED"));
    EXPECT_EQ(nameOf(watch->event(2)), QStringLiteral("e-0009"));
}

TEST_F(KubeWatch, AnObjectThatLeavesTheSelectionIsDeletedForThisWatch)
{
    const auto watch =
        stream("/api/v1/nodes?watch=1&labelSelector=kubernetes.io/hostname%3De-0001&timeoutSeconds=30");
    ASSERT_TRUE(watch->waitForLines(1));
    mergePatch("/api/v1/nodes/e-0001", R"({"metadata":{"labels":{"kubernetes.io/hostname":"other"}}})");
    mergePatch("/api/v1/nodes/e-0002", R"({"metadata":{"labels":{"kubernetes.io/hostname":"e-0001"}}})");
    ASSERT_TRUE(watch->waitForLines(3));
    EXPECT_EQ(typeOf(watch->event(1)), QStringLiteral("DELETED"));
    EXPECT_EQ(nameOf(watch->event(1)), QStringLiteral("e-0001"));
    EXPECT_EQ(typeOf(watch->event(2)), QStringLiteral("ADDED"));
    EXPECT_EQ(nameOf(watch->event(2)), QStringLiteral("e-0002"));
}

TEST_F(KubeWatch, AStreamedListEndsInItsBookmark)
{
    const auto watch = stream("/api/v1/nodes?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                              "&allowWatchBookmarks=true&labelSelector=kubernetes.io/hostname%3De-0003");
    ASSERT_TRUE(watch->waitForLines(2));
    EXPECT_EQ(typeOf(watch->event(0)), QStringLiteral("ADDED"));
    const QByteArray bookmark = watch->line(1);
    EXPECT_TRUE(bookmark.startsWith(
        R"({"type":"BOOKMARK","object":{"kind":"Node","apiVersion":"v1","metadata":{"resourceVersion":")"));
    EXPECT_TRUE(bookmark.endsWith(
        R"(","annotations":{"k8s.io/initial-events-end":"true"}},"spec":{},"status":{"daemonEndpoints":)"
        R"({"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"","bootID":"",)"
        R"("kernelVersion":"","osImage":"","containerRuntimeVersion":"","kubeletVersion":"",)"
        R"("kubeProxyVersion":"","operatingSystem":"","architecture":""}}}})"))
        << bookmark.toStdString();
}

TEST_F(KubeWatch, NothingIsLostWhileTheInitialStateIsSent)
{
    pool.reset();
    startPool(2000, 0);
    const auto watch = stream(
        "/api/v1/"
        "nodes?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
    for (int i = 0; i < 5; ++i)
        mergePatch("/api/v1/nodes/e-000" + QByteArray::number(i), R"({"metadata":{"labels":{"x":"y"}}})");
    const auto modified = [&] {
        int found = 0;
        for (int i = 0; i < watch->count(); ++i)
            found += watch->line(i).contains(R"("x":"y")") ? 1 : 0;
        return found;
    };
    ASSERT_TRUE(watch->waitForLines(2001));
    EXPECT_TRUE(waitUntil([&] { return modified() == 5; }));
}

TEST_F(KubeWatch, ATooOldVersionIsAnErrorEventInAGoodAnswer)
{
    const auto watch = stream("/api/v1/nodes?watch=1&resourceVersion=2");
    ASSERT_TRUE(watch->waitForLines(1));
    ASSERT_TRUE(watch->waitForEnd());
    EXPECT_EQ(watch->status(), 200);
    EXPECT_TRUE(watch->line(0).startsWith(
        R"({"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 2 ()"))
        << watch->line(0).toStdString();
    EXPECT_TRUE(watch->line(0).endsWith(R"x()","reason":"Expired","code":410}})x"));
}

TEST_F(KubeWatch, EndsCleanlyAfterItsTimeout)
{
    const auto watch = stream("/api/v1/nodes?watch=1&resourceVersion=999999999&timeoutSeconds=1");
    ASSERT_TRUE(watch->waitForEnd());
    EXPECT_EQ(watch->status(), 200);
    EXPECT_EQ(watch->count(), 0);
}

TEST_F(KubeWatch, TablesDescribeTheirColumnsOnce)
{
    const auto watch =
        stream("/api/v1/nodes?watch=1", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
    ASSERT_TRUE(watch->waitForLines(2));
    EXPECT_TRUE(watch->line(0).contains(R"("columnDefinitions":[{"name":"Name")"));
    EXPECT_TRUE(watch->line(1).contains(R"("columnDefinitions":null)"));
}

TEST_F(KubeWatch, CompactionEndsOpenWatchesWith410)
{
    const QByteArray from = versionOfList(get("/api/v1/nodes"));
    const auto watch = stream("/api/v1/nodes?watch=1&resourceVersion=" + from);
    mergePatch("/api/v1/nodes/e-0001", R"({"metadata":{"labels":{"x":"y"}}})");
    ASSERT_TRUE(watch->waitForLines(1));
    pool->injectFault(PoolFault::Compact, QStringLiteral("east"));
    ASSERT_TRUE(watch->waitForEnd());
    EXPECT_EQ(typeOf(watch->event(1)), QStringLiteral("ERROR"));
    const auto again = stream("/api/v1/nodes?watch=1&resourceVersion=" + from);
    ASSERT_TRUE(again->waitForLines(1));
    EXPECT_EQ(typeOf(again->event(0)), QStringLiteral("ERROR"));
}

TEST_F(KubeWatch, AHalfOpenWatchStaysSilentWhileOthersWork)
{
    const auto frozen = stream("/api/v1/nodes?watch=1&labelSelector=kubernetes.io/hostname%3De-0000");
    ASSERT_TRUE(frozen->waitForLines(1));
    pool->injectFault(PoolFault::HalfOpen);
    const auto alive = stream("/api/v1/nodes?watch=1&labelSelector=kubernetes.io/hostname%3De-0000");
    ASSERT_TRUE(alive->waitForLines(1));
    mergePatch("/api/v1/nodes/e-0000", R"({"metadata":{"labels":{"x":"y"}}})");
    ASSERT_TRUE(alive->waitForLines(2));
    EXPECT_EQ(frozen->count(), 1);
}

TEST_F(KubeWatch, ARestartDropsEveryConnection)
{
    const auto watch = stream("/api/v1/nodes?watch=1");
    ASSERT_TRUE(watch->waitForLines(5));
    pool->injectFault(PoolFault::Restart);
    ASSERT_TRUE(watch->waitForEnd());
    EXPECT_EQ(get("/api/v1/nodes").status, 200);
}

TEST_F(KubeWatch, ADeadClusterRefusesUntilItIsAlive)
{
    pool->injectFault(PoolFault::Dead, QStringLiteral("east"));
    ASSERT_TRUE(waitUntil([this] { return get("/version").error == QNetworkReply::ConnectionRefusedError; }));
    QNetworkReply *other =
        manager.get(request("/version", pool->info().clusters.at(1).administratorToken, 1));
    ASSERT_TRUE(waitUntil([other] { return other->isFinished(); }));
    EXPECT_EQ(other->error(), QNetworkReply::NoError);
    delete other;
    pool->injectFault(PoolFault::Alive, QStringLiteral("east"));
    ASSERT_TRUE(waitUntil([this] { return get("/version").status == 200; }));
}

TEST_F(KubeWatch, TooManyRequestsSaysWhenToComeBack)
{
    pool->injectFault(PoolFault::TooManyRequests, {}, std::chrono::milliseconds(300));
    ServerAnswer answer;
    ASSERT_TRUE(waitUntil([&] { return (answer = get("/api/v1/nodes")).status == 429; }));
    EXPECT_EQ(answer.header("Retry-After"), QByteArray("1"));
    ASSERT_TRUE(waitUntil([this] { return get("/api/v1/nodes").status == 200; }));
}

TEST_F(KubeWatch, ExpiredTokensAreRefusedAndNewOnesWork)
{
    const QByteArray old = administrator();
    pool->injectFault(PoolFault::ExpiredToken);
    ASSERT_TRUE(waitUntil([&] { return administrator() != old; }));
    EXPECT_EQ(send("GET", "/api/v1/nodes", {}, {}, old).status, 401);
    EXPECT_EQ(get("/api/v1/nodes").status, 200);
}

TEST_F(KubeWatch, AFaultPlanIsPlayed)
{
    QTemporaryDir folder;
    QFile plan(folder.filePath(QStringLiteral("plan.json")));
    ASSERT_TRUE(plan.open(QIODevice::WriteOnly));
    plan.write(
        R"([{"at_seconds":0.3,"cluster":"east","fault":"compact"},{"at_seconds":600,"fault":"dead","seconds":1}])");
    plan.close();
    options.faultPlan = plan.fileName();
    pool.reset();
    startPool();
    const auto watch = stream("/api/v1/nodes?watch=1");
    ASSERT_TRUE(watch->waitForEnd());
    EXPECT_EQ(typeOf(watch->event(watch->count() - 1)), QStringLiteral("ERROR"));
}

TEST_F(KubeWatch, AFaultPlanWithAnEntryThatMeansNothingIsRefused)
{
    QTemporaryDir folder;
    for (const char *text :
         {"[1]", R"([{"at_seconds":5,"fault":"nope"}])", R"([{"at_seconds":"x","fault":"dead"}])",
          R"([{"at_seconds":-5,"fault":"dead"}])", R"([{"at_seconds":1e308,"fault":"dead"}])",
          R"([{"fault":"dead"}])", R"([{"at_seconds":1,"fault":"dead","often":true}])",
          R"([{"at_seconds":1,"fault":"dead","cluster":3}])",
          R"([{"at_seconds":1,"fault":"dead","cluster":"north"}])"}) {
        QFile plan(folder.filePath(QStringLiteral("plan.json")));
        ASSERT_TRUE(plan.open(QIODevice::WriteOnly));
        plan.write(text);
        plan.close();
        options.faultPlan = plan.fileName();
        pool.reset();
        failure.reset();
        startPool();
        ASSERT_TRUE(failure) << text;
        EXPECT_EQ(failure->code, ErrorCode::Invalid) << text;
    }
}

TEST_F(KubeWatch, AFaultPlanThatIsNoListIsRefused)
{
    options.faultPlan = QStringLiteral("/nonexistent/plan.json");
    pool.reset();
    startPool();
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code, ErrorCode::Storage);
}

} // namespace
} // namespace tongchi::test
