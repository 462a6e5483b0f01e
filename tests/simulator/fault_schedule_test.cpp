// Fault plans, and what they do to the bytes between a server and its clients.

#include "platform/simulator/fault_schedule.h"
#include "platform/simulator/link_faults.h"
#include "tests/support/qt_printers.h"

#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi::simulator {
namespace {

using std::chrono::milliseconds;

class FaultPlan : public ::testing::Test
{
protected:
    Result<std::vector<ScheduledFault>> read(const QByteArray &json)
    {
        QFile file(folder.filePath(QStringLiteral("plan.json")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(json);
        file.close();
        return readFaultSchedule(file.fileName());
    }
    /// The key that a plan of this one entry is refused for.
    std::string wrongIn(const QByteArray &entry)
    {
        const auto faults = read('[' + entry + ']');
        if (faults)
            return "nothing";
        EXPECT_EQ(faults.error().code, ErrorCode::Invalid);
        EXPECT_EQ(faults.error().arguments.value(0), QStringLiteral("1"));
        return faults.error().arguments.value(1).toStdString();
    }

    QTemporaryDir folder;
};

TEST_F(FaultPlan, HasAWordForEveryFaultWithItsMeasures)
{
    const auto faults = read(R"([
        {"at_seconds": 0, "fault": "restart"}, {"at_seconds": 1, "fault": "compact", "cluster": "bj-prod"},
        {"at_seconds": 2, "fault": "too-many-requests", "seconds": 3},
        {"at_seconds": 3, "fault": "expired-token"}, {"at_seconds": 4, "fault": "half-open", "seconds": 2.5},
        {"at_seconds": 5, "fault": "delay", "delay_seconds": 0.25}, {"at_seconds": 6, "fault": "delay"},
        {"at_seconds": 7, "fault": "drip", "bytes_per_second": 50},
        {"at_seconds": 8, "fault": "cut", "after_bytes": 700}, {"at_seconds": 9, "fault": "reset"},
        {"at_seconds": 10, "fault": "corrupt-chunk"}, {"at_seconds": 11, "fault": "dead"},
        {"at_seconds": 12.5, "fault": "alive"}])");
    ASSERT_OK(faults);
    ASSERT_EQ(faults->size(), 13u);
    const std::vector<PoolFault> kinds{
        PoolFault::Restart,  PoolFault::Compact, PoolFault::TooManyRequests, PoolFault::ExpiredToken,
        PoolFault::HalfOpen, PoolFault::Delay,   PoolFault::Delay,           PoolFault::Drip,
        PoolFault::Cut,      PoolFault::Reset,   PoolFault::CorruptChunk,    PoolFault::Dead,
        PoolFault::Alive};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        EXPECT_EQ((*faults)[i].what.fault, kinds[i]) << i;
    EXPECT_EQ((*faults)[1].cluster, QStringLiteral("bj-prod"));
    EXPECT_EQ((*faults)[4].what.duration, milliseconds(2500));
    EXPECT_EQ((*faults)[5].what.delay, milliseconds(250));
    EXPECT_EQ((*faults)[6].what.delay, milliseconds(1000));
    EXPECT_EQ((*faults)[7].what.bytesPerSecond, 50);
    EXPECT_EQ((*faults)[8].what.afterBytes, 700);
    EXPECT_EQ((*faults)[9].what.afterBytes, 0);
    EXPECT_EQ((*faults)[12].at, milliseconds(12'500));
    for (const ScheduledFault &each : *faults)
        EXPECT_FALSE(faultName(each.what.fault).isEmpty());
}

TEST_F(FaultPlan, NamesTheKeyThatIsWrong)
{
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "explode"})"), "fault");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1})"), "fault");
    EXPECT_EQ(wrongIn(R"({"fault": "cut"})"), "at_seconds");
    EXPECT_EQ(wrongIn(R"({"at_seconds": -1, "fault": "cut"})"), "at_seconds");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "seconds": "9"})"), "seconds");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "cluster": 9})"), "cluster");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "after": 9})"), "after");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "after_bytes": 1.5})"), "after_bytes");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "after_bytes": -1})"), "after_bytes");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "cut", "bytes_per_second": 9})"), "bytes_per_second");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "drip", "bytes_per_second": 0})"), "bytes_per_second");
    EXPECT_EQ(wrongIn(R"({"at_seconds": 1, "fault": "restart", "delay_seconds": 1})"), "delay_seconds");
    EXPECT_EQ(wrongIn("7"), "{}");
    const auto noList = read("{}");
    ASSERT_FALSE(noList);
    EXPECT_EQ(noList.error().code, ErrorCode::Invalid);
    const auto noFile = readFaultSchedule(folder.filePath(QStringLiteral("nowhere")));
    ASSERT_FALSE(noFile);
    EXPECT_EQ(noFile.error().code, ErrorCode::Storage);
    ASSERT_OK(readFaultSchedule({}));
    EXPECT_TRUE(readFaultSchedule({})->empty());
}

class LinkFaultTimes : public ::testing::Test
{
protected:
    LinkTime start = LinkTime() + std::chrono::hours(1);
    LinkFaults faults;
};

TEST_F(LinkFaultTimes, LastAsLongAsTheyAreToldTo)
{
    faults.begin({.fault = PoolFault::Delay, .duration = milliseconds(100), .delay = milliseconds(7)}, start);
    faults.begin({.fault = PoolFault::Drip, .bytesPerSecond = 5}, start);
    faults.begin({.fault = PoolFault::HalfOpen, .duration = milliseconds(100)}, start);
    faults.begin({.fault = PoolFault::Reset, .duration = milliseconds(100), .afterBytes = 9}, start);
    const LinkTime during = start + milliseconds(99), later = start + milliseconds(100);
    EXPECT_EQ(faults.delay(during), milliseconds(7));
    EXPECT_EQ(faults.delay(later), milliseconds(0));
    EXPECT_TRUE(faults.isSilent(during));
    EXPECT_FALSE(faults.isSilent(later));
    ASSERT_TRUE(faults.breakOf(during));
    EXPECT_EQ(faults.breakOf(during)->afterBytes, 9);
    EXPECT_TRUE(faults.breakOf(during)->reset);
    EXPECT_FALSE(faults.breakOf(later));
    EXPECT_EQ(faults.bytesPerSecond(later + std::chrono::hours(1)), 5) << "until further notice";
    faults.begin({.fault = PoolFault::Alive}, during);
    EXPECT_EQ(faults.bytesPerSecond(during), 0);
    EXPECT_FALSE(faults.isSilent(during));
    EXPECT_FALSE(faults.breakOf(during));
}

TEST_F(LinkFaultTimes, WithoutATimeConcernTheMoment)
{
    faults.begin({.fault = PoolFault::HalfOpen}, start);
    faults.begin({.fault = PoolFault::Cut}, start);
    EXPECT_FALSE(faults.isSilent(start));
    EXPECT_FALSE(faults.breakOf(start));
    faults.begin({.fault = PoolFault::CorruptChunk}, start);
    EXPECT_TRUE(faults.takeDamage(start + std::chrono::hours(1)));
    EXPECT_FALSE(faults.takeDamage(start + std::chrono::hours(1)));
    faults.begin({.fault = PoolFault::CorruptChunk, .duration = milliseconds(5)}, start);
    EXPECT_TRUE(faults.takeDamage(start));
    EXPECT_TRUE(faults.takeDamage(start + milliseconds(4)));
    EXPECT_FALSE(faults.takeDamage(start + milliseconds(5)));
}

TEST_F(LinkFaultTimes, BytesComeLaterAndInTheirOrder)
{
    PacedBytes bytes;
    bytes.add("one", milliseconds(50), start);
    bytes.add("two", milliseconds(0), start + milliseconds(10)); // the delay has ended meanwhile
    EXPECT_EQ(bytes.size(), 6);
    EXPECT_EQ(bytes.take(100, 0, start + milliseconds(49)), "");
    EXPECT_EQ(bytes.next(0, start), start + milliseconds(50));
    EXPECT_EQ(bytes.take(4, 0, start + milliseconds(50)), "onet");
    EXPECT_EQ(bytes.take(100, 0, start + milliseconds(50)), "wo");
    EXPECT_FALSE(bytes.next(0, start));
    bytes.add("three", std::chrono::hours(1), start);
    bytes.hurry();
    EXPECT_EQ(bytes.take(100, 0, start), "three");
    EXPECT_EQ(bytes.size(), 0);
}

TEST_F(LinkFaultTimes, ADripIsAsFastAsItSays)
{
    PacedBytes bytes;
    bytes.add(QByteArray(2'000, 'x'), milliseconds(0), start);
    qint64 came = 0;
    LinkTime now = start;
    while (bytes.size() > 0) {
        came += bytes.take(1'000'000, 1'000, now).size();
        const double seconds = std::chrono::duration<double>(now - start).count();
        EXPECT_LE(double(came), 1'000 * seconds + 51);
        EXPECT_GE(double(came), 1'000 * seconds - 6);
        if (const auto next = bytes.next(1'000, now)) {
            ASSERT_GT(*next, now);
            now = *next;
        }
    }
    bytes.add("x", milliseconds(0), now);
    EXPECT_EQ(bytes.take(10, 1, now + milliseconds(1)), "x") << "the slowest drip gives a byte at last";
}

TEST(DamagedRange, IsInTheMiddle)
{
    const auto span = [](qint64 size) {
        const DamagedRange range = damagedRange(size);
        return std::pair(range.from, range.to);
    };
    EXPECT_EQ(span(100), std::pair(qint64(42), qint64(58)));
    EXPECT_EQ(span(3), std::pair(qint64(0), qint64(3)));
    EXPECT_EQ(span(0), std::pair(qint64(0), qint64(0)));
}

} // namespace
} // namespace tongchi::simulator
