// The console behind a bad way to the real API server and to the real Prometheus. TLS passes through the
// proxy with the administrator's certificate, or ends there, with his token, so that it can damage what it
// carries. The truth is what a second console sees that asks directly; every test makes nodes of its own.

#include "app/services.h"
#include "models/inventory/inventory_controller.h"
#include "tests/faults/impatient_session.h"
#include "tests/faults/inventory_facts.h"
#include "tests/real/support/bed.h"
#include "tests/real/support/real_test.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <cmath>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using std::chrono::milliseconds;
using test::CardFacts;
using test::FaultProxy;

constexpr auto waitLimit = std::chrono::seconds(30);
constexpr milliseconds usualPatience{1'500};

class FaultyWay : public ::testing::Test
{
protected:
    enum class Kind { PassesThrough, EndsTls };
    static constexpr Kind bothKinds[] = {Kind::PassesThrough, Kind::EndsTls};

    void SetUp() override
    {
        makeNodes();
        QObject::connect(&inventory, &InventoryController::statusChanged, &inventory,
                         [this] { lookAround(); });
        for (const char *context : {"real", "viewer"}) { // both, as in the other: they are one cluster
            direct.addSource(std::make_unique<ClusterSession>(services.nextClusterId(),
                                                              calmSessionFor(QLatin1String(context)),
                                                              services.sessionEnvironment()));
        }
        inventory.addSource(std::make_unique<ClusterSession>(services.nextClusterId(),
                                                             calmSessionFor(QStringLiteral("viewer")),
                                                             services.sessionEnvironment()));
    }
    void TearDown() override
    {
        EXPECT_EQ(disturbed, QStringList());
        bed.kubectl({"delete", "nodes", "-l", "faulty-way=yes", "--ignore-not-found"});
    }

    SessionOptions calmSessionFor(const QString &context)
    {
        SessionOptions options =
            services.sessionFor(bed.context(context), {}, {bed.url(QStringLiteral("prometheus"))});
        options.metricsInterval = std::chrono::seconds(1);
        return options;
    }
    /// Begins anew with a proxy of this kind in front of the API server, and one in front of Prometheus.
    void openBehind(Kind kind)
    {
        close();
        const QUrl server(bed.url(QStringLiteral("kubernetes")));
        FaultProxy::Options options{.upstream = server, .cluster = name(kind)};
        if (kind == Kind::EndsTls) {
            QFile authorityFile(bed.fact(QStringLiteral("ca")).toString());
            ASSERT_TRUE(authorityFile.open(QIODevice::ReadOnly));
            options.identity = authority.issue();
            options.upstreamAuthorityPem = authorityFile.readAll();
        }
        cluster = name(kind);
        proxy = std::make_unique<FaultProxy>(options);
        metricsProxy = std::make_unique<FaultProxy>(
            FaultProxy::Options{.upstream = QUrl(bed.url(QStringLiteral("prometheus"))), .cluster = cluster});
    }
    void connectConsole()
    {
        const bool ends = cluster == name(Kind::EndsTls);
        SessionOptions options = test::behind(
            *proxy, services.sessionFor(bed.context(cluster), {}, {metricsProxy->url().toString()}),
            ends ? authority.pem() : QByteArray(), patience, compressed);
        sourceId = services.nextClusterId();
        inventory.addSource(
            std::make_unique<ClusterSession>(sourceId, std::move(options), services.sessionEnvironment()));
    }
    void openWhole(Kind kind)
    {
        openBehind(kind);
        connectConsole();
        ASSERT_TRUE(waitForTheTruth());
        ASSERT_GT(shown().size(), 50u);
    }
    void close()
    {
        if (sourceId != 0)
            inventory.removeSource(std::exchange(sourceId, 0));
        proxy.reset();
        metricsProxy.reset();
        compressed = true;
        patience = usualPatience;
    }
    static QString name(Kind kind)
    {
        return kind == Kind::EndsTls ? QStringLiteral("token") : QStringLiteral("real");
    }

    void lookAround()
    {
        for (const ClusterStatus &status : inventory.statuses()) {
            const bool fine = !status.complete || (status.kubernetes.state == SourceState::Live &&
                                                   status.pods.state == SourceState::Live);
            if (status.name == u"viewer" && !fine)
                disturbed << status.name;
        }
    }
    ClusterStatus status() const
    {
        for (const ClusterStatus &each : inventory.statuses()) {
            if (each.name == cluster)
                return each;
        }
        return {};
    }
    /// The two consoles call the cluster by different contexts.
    CardFacts shown() const { return withoutName(test::factsOf(inventory, cluster)); }
    CardFacts truth() const { return withoutName(test::factsOf(direct, QStringLiteral("real"))); }
    static CardFacts withoutName(const CardFacts &facts)
    {
        CardFacts plain;
        for (const auto &[identity, text] : facts) {
            const auto rest = [](const QByteArray &json) { return json.mid(json.indexOf(',')); };
            plain.emplace(rest(identity), rest(text));
        }
        return plain;
    }
    bool isTheTruth() const
    {
        const ClusterStatus now = status();
        return now.complete && now.kubernetes.state == SourceState::Live &&
               now.pods.state == SourceState::Live && now.metrics.state == SourceState::Live &&
               direct.isComplete() && !direct.isPartial() && shown() == truth();
    }
    bool waitForTheTruth()
    {
        const bool found = test::waitUntil([this] { return isTheTruth(); }, waitLimit);
        const ClusterStatus now = status();
        const auto said = [](const SourceStatus &source) {
            return std::string(sourceStateKey(source.state)) +
                   (source.error ? ": " + englishText(*source.error).toStdString() : "");
        };
        EXPECT_TRUE(found) << "nodes " << said(now.kubernetes) << "\npods " << said(now.pods) << "\nmetrics "
                           << said(now.metrics) << '\n'
                           << test::differenceOf(shown(), truth());
        return found;
    }
    void inject(const InjectedFault &fault) { ASSERT_OK(proxy->inject(fault)); }
    bool waitForState(SourceState state)
    {
        return test::waitUntil([this, state] { return status().kubernetes.state == state; }, waitLimit);
    }

    void makeNodes()
    {
        bed.kubectl({"delete", "nodes", "-l", "faulty-way=yes", "--ignore-not-found"});
        QByteArray nodes;
        for (const char *node : {"faulty-a0", "faulty-b", "faulty-c"})
            nodes += (nodes.isEmpty() ? "" : ",") + nodeObject(node);
        bed.create('[' + nodes + ']');
    }
    static QByteArray nodeObject(const QByteArray &name)
    {
        return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name +
               R"(","labels":{"faulty-way":"yes"},"annotations":{"kwok.x-k8s.io/node":"fake"}},
                  "status":{"capacity":{"nvidia.com/gpu":"2"},"allocatable":{"nvidia.com/gpu":"2"}}})";
    }
    /// One node gone, one labelled, one cordoned and one more; done when the direct console shows them.
    void change()
    {
        const QByteArray before = "faulty-a" + QByteArray::number(changes++);
        const QByteArray after = "faulty-a" + QByteArray::number(changes);
        bed.kubectl({"delete", "node", before.constData()});
        bed.create('[' + nodeObject(after) + ']');
        const QString label = changes % 2 ? QStringLiteral("tongchi.io/business=mixed")
                                          : QStringLiteral("tongchi.io/business=training");
        bed.kubectl({QStringLiteral("label"), QStringLiteral("node"), QStringLiteral("faulty-b"), label,
                     QStringLiteral("--overwrite")});
        bed.kubectl({changes % 2 ? "cordon" : "uncordon", "faulty-c"});
        const auto has = [this](const QByteArray &node, const QByteArray &fact) {
            for (const auto &[identity, facts] : truth()) {
                if (facts.contains(QByteArray("\"node\":\"" + node + '"')))
                    return facts.contains(fact);
            }
            return false;
        };
        ASSERT_TRUE(test::waitUntil(
            [&] {
                return !has(before, "") && has(after, "") &&
                       has("faulty-b", changes % 2 ? "\"node_business_label\":\"mixed\""
                                                   : "\"node_business_label\":\"training\"") &&
                       has("faulty-c", changes % 2 ? "\"schedulable\":false" : "\"schedulable\":true");
            },
            waitLimit));
    }
    std::size_t measured() const
    {
        std::size_t count = 0;
        for (const CardIndex card : inventory.table().rows()) {
            const CardStore &store = inventory.store();
            const ClusterStatus *of = store.status(store.node(store.nodeIndexOf(card)).clusterId);
            count += of && of->name == cluster && !std::isnan(store.utilizationOf(card));
        }
        return count;
    }

    const real::Bed bed;
    Services services;
    test::TestAuthority authority;
    InventoryController direct{services.strings, services.clock, {.applyInterval = milliseconds(10)}};
    InventoryController inventory{services.strings,
                                  services.clock,
                                  {.applyInterval = milliseconds(10), .tickInterval = milliseconds(50)}};
    std::unique_ptr<FaultProxy> proxy, metricsProxy;
    QString cluster;
    quint32 sourceId = 0;
    int changes = 0;
    bool compressed = true;
    milliseconds patience = usualPatience;
    QStringList disturbed;
};

REAL_TEST_F(FaultyWay, DelaysAndTheClusterIsWholeAndOnlyLater, "7: delay in front of the real API server")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openBehind(kind);
        inject({.fault = PoolFault::Delay, .delay = milliseconds(60)});
        ASSERT_OK(metricsProxy->inject({.fault = PoolFault::Delay, .delay = milliseconds(60)}));
        connectConsole();
        ASSERT_TRUE(waitForTheTruth());
        change();
        EXPECT_TRUE(waitForTheTruth());
    }
}

REAL_TEST_F(FaultyWay, DripsAndTheListsAreReadToTheirEnd, "7: drip in front of the real API server")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openBehind(kind);
        inject({.fault = PoolFault::Drip, .bytesPerSecond = 100'000});
        connectConsole();
        ASSERT_TRUE(waitForTheTruth());
        change();
        EXPECT_TRUE(waitForTheTruth());
    }
}

REAL_TEST_F(FaultyWay, BreaksListsOffAndTheyAreReadAnew,
            "7: cut and reset within the lists of the real API server")
{
    for (const Kind kind : bothKinds) {
        for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
            SCOPED_TRACE(name(kind).toStdString());
            openBehind(kind);
            inject({.fault = fault, .duration = std::chrono::hours(1), .afterBytes = 6'000});
            connectConsole();
            ASSERT_TRUE(test::waitUntil([this] { return status().kubernetes.error.has_value(); }, waitLimit));
            EXPECT_EQ(status().kubernetes.error->code, ErrorCode::Network);
            inject({.fault = PoolFault::Alive});
            EXPECT_TRUE(waitForTheTruth());
        }
    }
}

REAL_TEST_F(FaultyWay, EndsConnectionsAndNothingIsLostOrDoubled,
            "7: cut and reset within the watches of the real API server")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openWhole(kind);
        for (const PoolFault fault : {PoolFault::Cut, PoolFault::Reset}) {
            const auto before = shown();
            inject({.fault = fault, .duration = std::chrono::hours(1)});
            ASSERT_TRUE(test::waitUntil([this] { return status().kubernetes.error.has_value(); }, waitLimit));
            EXPECT_EQ(status().kubernetes.error->code, ErrorCode::Network);
            change();
            EXPECT_EQ(shown(), before) << "what was known stays";
            inject({.fault = PoolFault::Alive});
            EXPECT_TRUE(waitForTheTruth());
        }
    }
}

REAL_TEST_F(FaultyWay, ForgetsConnectionsAndTheyAreRenewed, "7: half-open links to the real API server")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openWhole(kind);
        inject({.fault = PoolFault::HalfOpen});
        ASSERT_OK(metricsProxy->inject({.fault = PoolFault::HalfOpen}));
        QElapsedTimer timer;
        timer.start();
        change();
        EXPECT_TRUE(waitForTheTruth());
        std::printf("     whole again %lld ms after the links died\n",
                    static_cast<long long>(timer.elapsed()));
    }
}

REAL_TEST_F(FaultyWay, FallsSilentAndItIsSaidWithItsAge,
            "7: a stalled stream is noticed, its age is shown, and other clusters go on")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openWhole(kind);
        const auto before = shown();
        const Instant silentSince = services.clock.now();
        inject({.fault = PoolFault::HalfOpen, .duration = std::chrono::hours(1)});
        ASSERT_TRUE(waitForState(SourceState::Late));
        change();
        ASSERT_TRUE(waitForState(SourceState::Lost));
        EXPECT_LE(*status().kubernetes.lastHeard, silentSince + milliseconds(200));
        EXPECT_EQ(status().kubernetes.error->code, ErrorCode::Timeout);
        EXPECT_EQ(shown(), before) << "what was known stays";
        EXPECT_TRUE(inventory.isPartial());
        inject({.fault = PoolFault::Alive});
        EXPECT_TRUE(waitForTheTruth());
        EXPECT_FALSE(status().kubernetes.error);
    }
}

REAL_TEST_F(FaultyWay, ClosesAndOpensAgain, "7: nobody listens for a while in front of the real API server")
{
    for (const Kind kind : bothKinds) {
        SCOPED_TRACE(name(kind).toStdString());
        openWhole(kind);
        inject({.fault = PoolFault::Dead});
        ASSERT_TRUE(waitForState(SourceState::Lost));
        change();
        inject({.fault = PoolFault::Alive});
        EXPECT_TRUE(waitForTheTruth());
    }
}

REAL_TEST_F(FaultyWay, DamagesAnEventAndItIsAskedForAgain,
            "7: a corrupted chunk of a watch of the real API server is never data")
{
    openWhole(Kind::EndsTls);
    for (int i = 0; i < 4; ++i) { // a deletion, an addition, a label, a cordon come in this order
        proxy->damageNext("/api/v1/nodes?watch");
        change();
        EXPECT_TRUE(waitForTheTruth());
        EXPECT_EQ(proxy->damagedPieces(), i + 1);
        EXPECT_EQ(status().kubernetes.unreadable, 0);
    }
}

REAL_TEST_F(FaultyWay, DamagesAListAndItIsReadAnew,
            "7: a corrupted chunk of a list of the real API server is never data")
{
    ASSERT_TRUE(test::waitUntil([this] { return direct.isComplete(); }, waitLimit));
    for (const bool packed : {true, false}) {
        for (const char *list :
             {"/api/v1/nodes?", "/api/v1/pods?", "/apis/resource.k8s.io/", "/api/v1/configmaps?", "/apis"}) {
            SCOPED_TRACE(list);
            openBehind(Kind::EndsTls);
            compressed = packed;
            proxy->damageNext(list);
            connectConsole();
            ASSERT_TRUE(test::waitUntil([this] { return status().complete; }, waitLimit));
            EXPECT_EQ(shown().size(), truth().size()) << "complete means that nothing is missing";
            EXPECT_TRUE(waitForTheTruth());
            EXPECT_EQ(proxy->damagedPieces(), 1);
        }
    }
}

REAL_TEST_F(FaultyWay, DamagesEverythingForAWhile, "7: nothing of what is corrupted is shown")
{
    openWhole(Kind::EndsTls);
    const auto before = shown();
    inject({.fault = PoolFault::CorruptChunk, .duration = std::chrono::hours(1)});
    change();
    ASSERT_TRUE(test::waitUntil([this] { return status().kubernetes.error.has_value(); }, waitLimit));
    test::expectNothingElse(shown(), before, truth());
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitForTheTruth());
}

REAL_TEST_F(FaultyWay, ToPrometheusLeavesTheCardsAndTheirLastValues,
            "7: every fault in front of the real Prometheus")
{
    openWhole(Kind::PassesThrough);
    const std::size_t before = measured();
    ASSERT_GT(before, 20u);
    const auto hour = std::chrono::hours(1);
    for (const InjectedFault &fault :
         std::initializer_list<InjectedFault>{{.fault = PoolFault::Cut, .duration = hour, .afterBytes = 300},
                                              {.fault = PoolFault::Reset, .duration = hour},
                                              {.fault = PoolFault::HalfOpen, .duration = hour},
                                              {.fault = PoolFault::Drip, .bytesPerSecond = 100},
                                              {.fault = PoolFault::Delay, .delay = std::chrono::seconds(30)},
                                              {.fault = PoolFault::CorruptChunk, .duration = hour},
                                              {.fault = PoolFault::Dead}}) {
        SCOPED_TRACE(simulator::faultName(fault.fault).toStdString());
        ASSERT_OK(metricsProxy->inject(fault));
        ASSERT_TRUE(
            test::waitUntil([this] { return status().metrics.state == SourceState::Lost; }, waitLimit));
        EXPECT_TRUE(status().metrics.error);
        EXPECT_EQ(status().kubernetes.state, SourceState::Live);
        EXPECT_EQ(measured(), before) << "the last values stay, with their age";
        EXPECT_EQ(shown(), truth());
        ASSERT_OK(metricsProxy->inject({.fault = PoolFault::Alive}));
        EXPECT_TRUE(waitForTheTruth());
        EXPECT_EQ(measured(), before);
    }
}

REAL_TEST_F(FaultyWay, FollowsTheFaultPlansOfTheEmbeddedPool,
            "7: one fault plan for the pool and for the proxy")
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("plan.json")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"([{"at_seconds": 0.1, "fault": "cut"}, {"at_seconds": 0.3, "fault": "half-open"},
                   {"at_seconds": 0.6, "fault": "drip", "bytes_per_second": 200000, "seconds": 0.5},
                   {"at_seconds": 0.8, "fault": "reset", "after_bytes": 3000, "seconds": 0.2},
                   {"at_seconds": 1.2, "fault": "dead", "seconds": 0.2},
                   {"at_seconds": 1.5, "cluster": "bj-prod", "fault": "dead"},
                   {"at_seconds": 1.6, "fault": "delay", "delay_seconds": 0.1, "seconds": 0.5},
                   {"at_seconds": 1.8, "fault": "half-open", "seconds": 0.5},
                   {"at_seconds": 2.4, "fault": "corrupt-chunk", "seconds": 0.5}])");
    file.close();
    const auto plan = simulator::readFaultSchedule(file.fileName());
    ASSERT_OK(plan);
    openWhole(Kind::EndsTls);
    ASSERT_OK(proxy->follow(*plan));
    change();
    ASSERT_TRUE(test::waitUntil([this] { return proxy->faultsDone() >= 8; }, waitLimit));
    change();
    EXPECT_TRUE(waitForTheTruth());
}

} // namespace
} // namespace tongchi
