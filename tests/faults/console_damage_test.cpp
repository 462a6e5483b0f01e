// Answers that something on the way to one of three clusters has damaged: what is damaged is never taken for
// data, and what it hid is asked for again.

#include "tests/faults/behind_proxy.h"

#include <QFile>
#include <cmath>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using std::chrono::milliseconds;

class ConsoleDamage : public test::BehindProxy
{
protected:
    ConsoleDamage() { endsTls = true; }

    /// The first answer to such a target has been damaged, and seen by the console.
    bool waitForDamage(int pieces)
    {
        return eventually([this, pieces] { return proxy->damagedPieces() >= pieces; });
    }
    /// A plan as the embedded pool reads it.
    void follow(const QByteArray &json)
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("plan.json")));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(json);
        file.close();
        const auto plan = simulator::readFaultSchedule(file.fileName());
        ASSERT_OK(plan);
        ASSERT_OK(proxy->follow(*plan));
    }
    /// The start of a target that was asked for before and holds these words.
    QByteArray targetOf(const QByteArray &words) const
    {
        for (const QByteArray &request : proxy->requests()) {
            if (const qsizetype at = request.indexOf(words); at >= 0) {
                const qsizetype begin = request.indexOf('/');
                return request.mid(begin, at - begin + words.size());
            }
        }
        ADD_FAILURE() << "nobody has asked for " << words.constData();
        return {};
    }
    std::uint32_t measuredCards() const
    {
        std::uint32_t count = 0;
        for (const CardIndex card : inventory->table().rows())
            count += !std::isnan(inventory->store().utilizationOf(card));
        return count;
    }
};

TEST_F(ConsoleDamage, OfADeletionLeavesNoGhost)
{
    openWhole();
    proxy->damageNext("/api/v1/nodes?watch");
    EXPECT_EQ(ask("DELETE", "/api/v1/nodes/" + nodeOf(0)).status, 200);
    ASSERT_TRUE(waitForDamage(1));
    EXPECT_TRUE(waitForTheTruth());
    EXPECT_EQ(kubernetes().unreadable, 0);
}

TEST_F(ConsoleDamage, OfAChangeIsAskedForAgain)
{
    openWhole();
    proxy->damageNext("/api/v1/nodes?watch");
    change(nodeOf(0), R"({"metadata":{"labels":{"tongchi.io/business":"training"}}})");
    ASSERT_TRUE(waitForDamage(1));
    EXPECT_TRUE(eventually([this] {
        const auto facts = shown();
        return facts.begin()->second.contains("\"node_business_label\":\"training\"");
    }));
    EXPECT_TRUE(waitForTheTruth());
}

TEST_F(ConsoleDamage, OfAnyListIsReadAnew)
{
    for (const bool packed : {true, false}) {
        compressed = packed;
        for (const char *list : {"/api/v1/nodes?", "/api/v1/pods?", "/apis/resource.k8s.io/"}) {
            SCOPED_TRACE(list);
            const int before = proxy->damagedPieces();
            proxy->damageNext(list);
            addSession(optionsBehindProxy());
            EXPECT_TRUE(eventually([this] { return isWhole() && isTheTruth(); }))
                << test::differenceOf(shown(), truth());
            EXPECT_EQ(proxy->damagedPieces(), before + 1);
            inventory->removeSource(lastId);
        }
    }
}

TEST_F(ConsoleDamage, OfTheDiscoveryHidesNoCards)
{
    ASSERT_TRUE(eventually([this] { return direct->isComplete(); }));
    for (const char *target : {"/apis", "/api/v1/services"}) {
        SCOPED_TRACE(target);
        proxy->damageNext(target);
        addSession(optionsBehindProxy());
        ASSERT_TRUE(eventually([this] { return faultyStatus().complete; }));
        EXPECT_EQ(shown().size(), truth().size()) << "it is complete only when nothing is missing";
        EXPECT_TRUE(eventually([this] { return isWhole() && isTheTruth(); }))
            << test::differenceOf(shown(), truth());
        EXPECT_GE(proxy->damagedPieces(), 1);
        inventory->removeSource(lastId);
    }
}

TEST_F(ConsoleDamage, OfMeasurementsIsSaidAndLeavesTheLastOnes)
{
    openWhole();
    const std::uint32_t measured = measuredCards();
    ASSERT_GT(measured, 300u);
    proxy->damageNext(targetOf("/proxy/api/v1/query?"));
    EXPECT_TRUE(eventually([this] { return faultyStatus().metrics.state == SourceState::Lost; }));
    EXPECT_EQ(faultyStatus().metrics.error->code, ErrorCode::Protocol);
    EXPECT_EQ(measuredCards(), measured);
    EXPECT_EQ(kubernetes().state, SourceState::Live);
    EXPECT_TRUE(waitForTheTruth());
    EXPECT_EQ(measuredCards(), measured);
}

TEST_F(ConsoleDamage, OfTheHourBeforeIsReadAgain)
{
    patience = std::chrono::seconds(5); // only what is damaged is to be lost
    proxy->damageNext(
        "/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy/api/v1/query_range");
    addSession(optionsBehindProxy());
    ASSERT_TRUE(waitForDamage(1));
    EXPECT_TRUE(eventually([this] { return isWhole() && faultyStatus().historyComplete; }));
    EXPECT_THAT(faultyStatus().notes.join(u'\n').toStdString(),
                ::testing::Not(::testing::HasSubstr("last hour")));
}

TEST_F(ConsoleDamage, OfEverythingForAWhileEndsWithIt)
{
    openWhole();
    const auto before = shown();
    inject({.fault = PoolFault::CorruptChunk, .duration = std::chrono::hours(1)});
    changeThree();
    ASSERT_TRUE(eventually([this] { return kubernetes().error.has_value(); }));
    test::expectNothingElse(shown(), before, truth());
    inject({.fault = PoolFault::Alive});
    EXPECT_TRUE(waitForTheTruth());
}

TEST_F(ConsoleDamage, AndEveryOtherFaultOfAPlanOneAfterTheOther)
{
    openWhole();
    follow(R"([{"at_seconds": 0.1, "fault": "cut"}, {"at_seconds": 0.2, "fault": "half-open"},
               {"at_seconds": 0.3, "fault": "drip", "bytes_per_second": 300000, "seconds": 0.2},
               {"at_seconds": 0.4, "fault": "reset", "after_bytes": 3000, "seconds": 0.1},
               {"at_seconds": 0.5, "fault": "dead", "seconds": 0.1},
               {"at_seconds": 0.6, "cluster": "south-prod", "fault": "dead"},
               {"at_seconds": 0.7, "fault": "delay", "delay_seconds": 0.05, "seconds": 0.3},
               {"at_seconds": 0.8, "fault": "half-open", "seconds": 0.2},
               {"at_seconds": 0.9, "fault": "corrupt-chunk", "seconds": 0.3}])");
    ASSERT_TRUE(eventually([this] { return proxy->faultsDone() >= 2; }));
    changeThree();
    ASSERT_TRUE(eventually([this] { return proxy->faultsDone() >= 8; }));
    follow(R"([{"at_seconds": 0, "fault": "cut"}, {"at_seconds": 0.05, "fault": "restart"},
               {"at_seconds": 0.1, "fault": "half-open"}, {"at_seconds": 0.2, "fault": "compact"}])");
    ASSERT_TRUE(eventually([this] { return proxy->faultsDone() >= 12; }));
    EXPECT_TRUE(waitForTheTruth());
}

} // namespace
} // namespace tongchi
