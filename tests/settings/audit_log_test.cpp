#include "platform/settings/audit_log.h"
#include "tests/support/locales.h"
#include "tests/support/qt_printers.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QSet>
#include <QTemporaryDir>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

class AuditLogTest : public ::testing::Test
{
protected:
    QString folder() const { return root.path() + QStringLiteral("/audit"); }
    QByteArray bytes() const
    {
        QFile file(folder() + QStringLiteral("/audit.jsonl"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void appendRaw(const QByteArray &text) const
    {
        QFile file(folder() + QStringLiteral("/audit.jsonl"));
        ASSERT_TRUE(file.open(QIODevice::Append));
        file.write(text);
    }
    static AuditLine line(const char *object)
    {
        return {.cluster = QStringLiteral("bj"),
                .verb = QStringLiteral("patch"),
                .object = QString::fromUtf8(object)};
    }

    QTemporaryDir root;
    ManualClock clock;
};

TEST_F(AuditLogTest, KeepsEveryFieldOfALine)
{
    AuditLine whole{.id = QStringLiteral("id-1"),
                    .at = clock.now(),
                    .osUser = QStringLiteral("zhang"),
                    .clusterUser = QStringLiteral("ops@bj"),
                    .cluster = QStringLiteral("北京"),
                    .verb = QStringLiteral("patch"),
                    .object = QStringLiteral("node/\n\"x\""),
                    .before = QStringLiteral("{\"a\":1}"),
                    .after = QStringLiteral("{}"),
                    .dryRun = QStringLiteral("ok"),
                    .result = QStringLiteral("done"),
                    .detail = QStringLiteral("d"),
                    .undoOf = QStringLiteral("id-0")};
    AuditLog log(folder(), &clock);
    const auto id = log.append(whole);
    ASSERT_OK(id);
    EXPECT_EQ(*id, whole.id);
    EXPECT_EQ(bytes().count('\n'), 1);
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    ASSERT_EQ(page->lines.size(), 1);
    EXPECT_EQ(page->lines.at(0), whole);
    EXPECT_EQ(QFile::permissions(log.filePath()) & (QFileDevice::ReadOther | QFileDevice::ReadGroup),
              QFileDevice::Permissions());
}

TEST_F(AuditLogTest, FillsInWhoAndWhen)
{
    AuditLog log(folder(), &clock);
    ASSERT_OK(log.append(line("a")));
    clock.advance(1s);
    ASSERT_OK(log.append(line("b")));
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    ASSERT_EQ(page->lines.size(), 2);
    EXPECT_EQ(page->lines.at(0).object, QStringLiteral("b")); // newest first
    EXPECT_FALSE(page->lines.at(0).osUser.isEmpty());
    EXPECT_EQ(page->lines.at(0).at, clock.now());
    EXPECT_NE(page->lines.at(0).id, page->lines.at(1).id);
}

TEST_F(AuditLogTest, ALineTornByACrashIsSetAside)
{
    ASSERT_OK(AuditLog(folder(), &clock).append(line("whole")));
    const QByteArray good = bytes();
    const QByteArray torn = good.left(good.size() / 2);
    for (const QByteArray &tail :
         {torn, QByteArray("{\"time\":"), QByteArray(200'000, 'x'), QByteArray(5, '\0')}) {
        appendRaw(tail);
        AuditLog log(folder(), &clock);
        ASSERT_FALSE(log.tornFile().isEmpty());
        QFile aside(log.tornFile());
        ASSERT_TRUE(aside.open(QIODevice::ReadOnly));
        EXPECT_EQ(aside.readAll(), tail);
        EXPECT_EQ(bytes(), good);
    }
    AuditLog log(folder(), &clock);
    EXPECT_TRUE(log.tornFile().isEmpty());
    ASSERT_OK(log.append(line("after")));
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    EXPECT_EQ(page->lines.size(), 2);
    EXPECT_EQ(page->unreadable, 0);
}

TEST_F(AuditLogTest, AWholeLineWithoutItsEndIsKept)
{
    ASSERT_OK(AuditLog(folder(), &clock).append(line("whole")));
    appendRaw(bytes().trimmed());
    AuditLog log(folder(), &clock);
    EXPECT_TRUE(log.tornFile().isEmpty());
    ASSERT_OK(log.append(line("after")));
    EXPECT_EQ(AuditLog::read(folder(), {})->lines.size(), 3);
}

TEST_F(AuditLogTest, LinesOutliveAProcessThatIsKilled)
{
    int pipeEnds[2];
    ASSERT_EQ(pipe(pipeEnds), 0);
    const pid_t child = fork();
    if (child == 0) {
        AuditLog log(folder(), &clock);
        for (;;) {
            const bool written =
                log.append({.verb = QStringLiteral("patch"), .object = QStringLiteral("node")}).has_value();
            if (!written || write(pipeEnds[1], "x", 1) != 1)
                _exit(1);
        }
    }
    // Every line that the child was told of must be there, whenever it is killed.
    char byte = 0;
    int told = 0;
    while (told < 50 && read(pipeEnds[0], &byte, 1) == 1)
        ++told;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(pipeEnds[0]);
    close(pipeEnds[1]);
    ASSERT_EQ(told, 50);
    AuditLog log(folder(), &clock);
    ASSERT_OK(log.append(line("next")));
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    EXPECT_GE(page->lines.size(), 51);
    EXPECT_EQ(page->unreadable, 0);
}

TEST_F(AuditLogTest, ALargeFileGetsItsDateAndNothingIsLost)
{
    AuditLog log(folder(), &clock, /*rotateAt=*/2000);
    QSet<QString> ids;
    for (int i = 0; i < 100; ++i) {
        const auto id = log.append(line("node/x"));
        ASSERT_OK(id);
        ids.insert(*id);
        clock.advance(100ms);
    }
    EXPECT_GT(QDir(folder()).entryList({QStringLiteral("audit-*.jsonl")}).size(), 5);
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    ASSERT_EQ(page->lines.size(), 100);
    QSet<QString> read;
    for (qsizetype i = 0; i < page->lines.size(); ++i) {
        read.insert(page->lines.at(i).id);
        if (i > 0) {
            EXPECT_GE(page->lines.at(i - 1).at, page->lines.at(i).at);
        }
    }
    EXPECT_EQ(read, ids);
    const auto newest = AuditLog::read(folder(), {.limit = 7});
    ASSERT_OK(newest);
    EXPECT_EQ(newest->lines.size(), 7);
    EXPECT_EQ(newest->lines.at(0).at, page->lines.at(0).at);
}

TEST_F(AuditLogTest, TwoConsolesShareOneLog)
{
    AuditLog first(folder(), &clock, 2000), second(folder(), &clock, 2000);
    for (int i = 0; i < 40; ++i) {
        ASSERT_OK(first.append(line("first")));
        ASSERT_OK(second.append(line("second")));
        clock.advance(1s);
    }
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    EXPECT_EQ(page->lines.size(), 80);
    EXPECT_EQ(page->unreadable, 0);
}

TEST_F(AuditLogTest, FindsByTimeClusterAndText)
{
    AuditLog log(folder(), &clock);
    const Instant start = clock.now();
    for (const char *cluster : {"bj", "sh", "bj"}) {
        AuditLine each = line("node/SH-H100-01");
        each.cluster = QString::fromLatin1(cluster);
        ASSERT_OK(log.append(each));
        clock.advance(60s);
    }
    const auto count = [this](const AuditFilter &filter) {
        return AuditLog::read(folder(), filter)->lines.size();
    };
    EXPECT_EQ(count({.cluster = QStringLiteral("bj")}), 2);
    EXPECT_EQ(count({.text = QStringLiteral("h100")}), 3);
    EXPECT_EQ(count({.text = QStringLiteral("nothing")}), 0);
    EXPECT_EQ(count({.from = start + 60s}), 2);
    EXPECT_EQ(count({.from = start + 60s, .to = start + 60s}), 1);
    EXPECT_EQ(count({.to = start - 1s}), 0);
}

TEST_F(AuditLogTest, ForeignLinesAreCountedAndLeftOut)
{
    AuditLog log(folder(), &clock);
    ASSERT_OK(log.append(line("a")));
    appendRaw("not json\n[]\n{\"time\":5}\n{\"time\":\"2026-11-30T00:00:00Z\",\"verb\":null}\n\n\xff\xfe\n");
    ASSERT_OK(log.append(line("b")));
    const auto page = AuditLog::read(folder(), {});
    ASSERT_OK(page);
    EXPECT_EQ(page->lines.size(), 2);
    EXPECT_EQ(page->unreadable, 5);
    EXPECT_EQ(AuditLog::read(root.path() + QStringLiteral("/nowhere"), {})->lines.size(), 0);
}

TEST_F(AuditLogTest, SaysWhenItCannotBeWritten)
{
    QFile blocker(folder());
    ASSERT_TRUE(blocker.open(QIODevice::WriteOnly));
    AuditLog log(folder(), &clock);
    const auto id = log.append(line("a"));
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error().code, ErrorCode::Storage);
    EXPECT_NE(id.error().remedy, nullptr);
}

TEST_F(AuditLogTest, IsTheSameUnderEveryLocale)
{
    QByteArray first;
    for (const char *name : test::everyLocale) {
        test::LocaleScope locale(name);
        const QByteArray text =
            QJsonDocument(auditObject({.at = clock.now(), .verb = QStringLiteral("patch")})).toJson();
        first = first.isEmpty() ? text : first;
        EXPECT_EQ(text, first) << name;
        EXPECT_TRUE(auditLineOf(QJsonDocument::fromJson(text).object())) << name;
    }
}

} // namespace
} // namespace tongchi
