// One cluster's session against a server whose every answer the test decides.

#include "models/inventory/inventory_controller.h"
#include "platform/inventory/cluster_session.h"
#include "platform/inventory/device_catalog.h"
#include "platform/metrics/metric_catalog.h"
#include "tests/support/loopback_server.h"
#include "tests/support/wait.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

using std::chrono::milliseconds;
using test::Answer;
using test::ReceivedRequest;

class ScriptedServer : public ::testing::Test
{
protected:
    void SetUp() override
    {
        server.allowUnexpected(); // it has no API groups
        serve("/api/v1/nodes", R"({"kind":"NodeList","metadata":{"resourceVersion":"7"},"items":[)"
                               R"({"metadata":{"name":"one","uid":"u1","resourceVersion":"6"},)"
                               R"("status":{"capacity":{"nvidia.com/gpu":"2"}}}]})");
        serve("/api/v1/pods", R"({"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]})");
        server.on("GET", "/version", [this](const ReceivedRequest &) {
            return stopped ? Answer::silence() : Answer::json(R"({"gitVersion":"v1.36.3"})");
        });
    }
    void serve(const QByteArray &path, const QByteArray &list)
    {
        server.on("GET", path, [this, list](const ReceivedRequest &request) {
            if (!request.target.contains("watch=1"))
                return Answer::json(list);
            auto body = std::make_shared<test::LiveBody>();
            {
                const std::lock_guard lock(mutex);
                watches.push_back(body);
            }
            return Answer::stream(body);
        });
    }
    void open()
    {
        SessionOptions options;
        options.name = QStringLiteral("c");
        options.connect = [url = server.url()]() -> Result<ConnectionSettings> {
            return ConnectionSettings{.server = url};
        };
        options.flushInterval = milliseconds(10);
        options.lostAfter = milliseconds(600);
        options.pulse = {
            .quietFor = milliseconds(100), .limit = milliseconds(200), .again = milliseconds(20)};
        options.reflector.heartbeat = milliseconds(50);
        inventory.addSource(std::make_unique<ClusterSession>(
            1, std::move(options), SessionEnvironment{&strings, &clock, &devices, &metrics}));
    }
    SourceStatus kubernetes() const { return inventory.statuses().first().kubernetes; }
    bool reach(SourceState state)
    {
        return test::waitUntil([this, state] { return kubernetes().state == state; });
    }
    std::size_t watchesAsked()
    {
        const std::lock_guard lock(mutex);
        return watches.size();
    }

    std::atomic<bool> stopped{false};
    std::mutex mutex; ///< protects watches
    std::vector<std::shared_ptr<test::LiveBody>> watches;
    test::LoopbackServer server;
    SystemClock clock;
    StringPool strings;
    DeviceCatalog devices = DeviceCatalog::builtIn();
    MetricCatalog metrics = MetricCatalog::builtIn();
    InventoryController inventory{strings, clock, {.applyInterval = milliseconds(10)}};
};

TEST_F(ScriptedServer, ThatFallsSilentIsLateThenLostAndLiveAgainWithNewWatches)
{
    open();
    ASSERT_TRUE(reach(SourceState::Live));
    ASSERT_TRUE(test::waitUntil([this] { return server.requests("/version").size() >= 4; }))
        << "a quiet server is asked for a word";
    EXPECT_EQ(kubernetes().state, SourceState::Live) << "quiet is not silent";
    EXPECT_LT(clock.now() - *kubernetes().lastHeard, milliseconds(1'000));
    const std::size_t watching = watchesAsked();
    EXPECT_EQ(watching, 2u);

    stopped = true;
    ASSERT_TRUE(reach(SourceState::Late));
    const auto lastHeard = kubernetes().lastHeard;
    ASSERT_TRUE(reach(SourceState::Lost));
    ASSERT_TRUE(kubernetes().error);
    EXPECT_EQ(kubernetes().error->code, ErrorCode::Timeout);
    EXPECT_EQ(kubernetes().lastHeard, lastHeard) << "the age grows";
    EXPECT_TRUE(inventory.isPartial());
    EXPECT_EQ(inventory.store().cardCount(), 2u) << "what was known stays";

    stopped = false;
    ASSERT_TRUE(reach(SourceState::Live));
    EXPECT_FALSE(kubernetes().error);
    EXPECT_TRUE(test::waitUntil([&] { return watchesAsked() >= watching + 2; }))
        << "whoever answers now may be another process";
}

TEST_F(ScriptedServer, IsAskedForItsPrometheusOnceHoweverOftenItIsRefreshed)
{
    const QByteArray services = "/api/v1/services";
    server.on("GET", services, Answer::json(R"({"kind":"ServiceList","metadata":{},"items":[]})"));
    open();
    ASSERT_TRUE(test::waitUntil(
        [this] { return inventory.statuses().first().metrics.state == SourceState::Missing; }));
    const std::size_t before = server.requests(services).size();
    ASSERT_TRUE(test::waitUntil([&] {
        inventory.refreshAll();
        return server.requests(services).size() >= 2 * before;
    }));
    // It is asked for a word only once all else is quiet.
    const std::size_t words = server.requests("/version").size();
    ASSERT_TRUE(test::waitUntil([&] { return server.requests("/version").size() >= words + 2; }));
    EXPECT_EQ(server.requests(services).size(), 2 * before);
}

} // namespace
} // namespace tongchi
