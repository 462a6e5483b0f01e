// An API server that stands still for a minute, and a console whose clock is not the server's.

#include "tests/real/support/real_inventory.h"
#include "tests/support/shifted_clock.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <cmath>

namespace tongchi::real {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class InventorySilence : public RealInventory
{
protected:
    void TearDown() override
    {
        // The controllers have called the nodes unreachable meanwhile; the next test finds them as they were.
        (void)bed.kubectl({"wait", "--for=condition=Ready", "node", "--all", "--timeout=90s"});
        expectTruth("at the end");
    }
};

REAL_TEST_F(InventorySilence, AMinutesStandstillIsNoticedWithItsAge,
            "5: apiserver stopped with SIGSTOP for a minute: the silence is noticed, its age shown")
{
    LiveInventory live(bed);
    live.open(QStringLiteral("real"));
    WatchedInventory watch(bed, {QStringLiteral("--context"), QStringLiteral("real")});
    ASSERT_TRUE(live.waitUntilComplete());
    ASSERT_TRUE(watch.waitFor([](const Cards &cards) { return !cards.empty(); }, patience));
    const std::size_t count = watch.cards().size();
    const auto age = [&live] {
        return clusterOf(live.document(), QStringLiteral("real"))
            .value(QLatin1String("age_seconds"))
            .toDouble(-1);
    };
    const auto toldLast = [&watch] {
        return watch.statesOf(QStringLiteral("real"))
            .value(watch.statesOf(QStringLiteral("real")).size() - 1);
    };
    QElapsedTimer timer;
    {
        const Pause pause(bed, QStringLiteral("apiserver"));
        timer.start();
        ASSERT_TRUE(live.reach(SourceState::Late, minutes(1))) << "a minute is long";
        std::printf("     late after %lld ms", static_cast<long long>(timer.elapsed()));
        ASSERT_TRUE(live.reach(SourceState::Lost, minutes(1)));
        std::printf(", lost after %lld ms\n", static_cast<long long>(timer.elapsed()));
        ASSERT_TRUE(live.status().kubernetes.error);
        EXPECT_EQ(live.status().kubernetes.error->code, ErrorCode::Timeout);
        const auto lastHeard = live.status().kubernetes.lastHeard;
        ASSERT_TRUE(test::waitUntil([&] { return toldLast() == QLatin1String("lost"); }, minutes(1)));
        ASSERT_TRUE(test::waitUntil([&age] { return age() >= 60; }, minutes(2)));
        EXPECT_EQ(live.status().kubernetes.lastHeard, lastHeard)
            << "nothing was heard, so its age is its own";
        EXPECT_LE(age(), double(timer.elapsed()) / 1000 + 10) << "and no greater than the silence";
        EXPECT_TRUE(live.controller().isPartial());
        EXPECT_EQ(live.store().cardCount(), count) << "what was known stays";
        EXPECT_EQ(watch.cards().size(), count);
        EXPECT_TRUE(watch.messages().contains("cluster lost")) << watch.messages().toStdString();
    }
    timer.start();
    ASSERT_TRUE(live.reach(SourceState::Live));
    std::printf("     live again %lld ms after the server went on\n",
                static_cast<long long>(timer.elapsed()));
    EXPECT_TRUE(test::waitUntil([&] { return toldLast() == QLatin1String("live"); }, patience));
    EXPECT_TRUE(test::waitUntil([&age] { return age() >= 0 && age() < 10; }, patience));
    live.expectTruth("after the standstill");
    expectSame(watch, "after the standstill");
}

class InventoryClock : public RealInventory
{
protected:
    /// What is said of times: none absurd, none in the future.
    static void expectSaneTimes(LiveInventory &live)
    {
        const QJsonObject document = live.document();
        const double age =
            clusterOf(document, QStringLiteral("real")).value(QLatin1String("age_seconds")).toDouble(-1);
        EXPECT_GE(age, 0);
        EXPECT_LT(age, 60);
        const double now = double(live.clock().now().time_since_epoch().count()) / 1000;
        int measured = 0;
        for (const auto &[identity, card] : cardsOf(document)) {
            const QJsonValue at = card.value(QLatin1String("as_of"));
            if (at.isNull())
                continue;
            ++measured;
            const double old =
                now -
                double(QDateTime::fromString(at.toString(), Qt::ISODateWithMs).toMSecsSinceEpoch()) / 1000;
            EXPECT_GE(old, -1) << identity.toStdString() << ' ' << at.toString().toStdString();
            EXPECT_LT(old, 60) << identity.toStdString() << ' ' << at.toString().toStdString();
        }
        EXPECT_GT(measured, 30);
    }
    /// Nothing was measured in the future, nothing long ago.
    static bool isFresh(const LiveInventory &live)
    {
        const CardStore &store = live.store();
        const Instant now = live.clock().now();
        for (CardIndex card = 0; card < store.cardSlots(); ++card) {
            const auto at = store.isUsed(card) ? store.sampledAt(card) : std::nullopt;
            if (at && (*at > now + seconds(1) || freshnessOf(at, now) != Freshness::Live))
                return false;
        }
        return true;
    }
};

REAL_TEST_F(InventoryClock, AnHourAheadOrBehindMakesNoAgeAbsurd,
            "5: clock skew: an hour ahead or behind, ages are right and the skew is said")
{
    for (const minutes shift : {minutes(60), minutes(-60)}) {
        const test::ShiftedClock clock(shift);
        LiveInventory live(bed, &clock);
        live.open(QStringLiteral("real"), bed.url(QStringLiteral("prometheus")));
        ASSERT_TRUE(live.waitUntilComplete());
        ASSERT_EQ(live.status().metrics.state, SourceState::Live);
        expectSaneTimes(live);
        EXPECT_TRUE(isFresh(live)) << shift.count();
        ASSERT_TRUE(live.status().metrics.clockSkew) << "source minus ours";
        EXPECT_LT(std::abs((*live.status().metrics.clockSkew + shift).count()), 30'000)
            << live.status().metrics.clockSkew->count();
        EXPECT_FALSE(live.controller().isPartial());
        live.expectTruth("with a skewed clock");
        // The last hour is asked for by the server's clock and shown by ours.
        ASSERT_TRUE(test::waitUntil([&live] { return live.controller().isHistoryComplete(); }, patience));
    }
}

REAL_TEST_F(InventoryClock, AClockThatIsPutRightUnderWayLeavesNothingInTheFuture,
            "5: clock skew: our clock jumps an hour back and forth while we watch")
{
    test::ShiftedClock clock;
    LiveInventory live(bed, &clock);
    live.open(QStringLiteral("real"), bed.url(QStringLiteral("prometheus")),
              [](SessionOptions &options) { options.metricsInterval = milliseconds(500); });
    ASSERT_TRUE(live.waitUntilComplete());
    for (const minutes jump : {minutes(-60), minutes(60)}) {
        clock.shift(jump);
        // At once no age is negative; with the next poll all are right.
        EXPECT_GE(clusterOf(live.document(), QStringLiteral("real"))
                      .value(QLatin1String("age_seconds"))
                      .toDouble(-1),
                  0);
        EXPECT_TRUE(test::waitUntil(
            [&] {
                return live.status().kubernetes.state == SourceState::Live &&
                       live.status().metrics.state == SourceState::Live && isFresh(live);
            },
            patience))
            << jump.count();
        expectSaneTimes(live);
    }
    live.expectTruth("after the jumps");
}

} // namespace
} // namespace tongchi::real
