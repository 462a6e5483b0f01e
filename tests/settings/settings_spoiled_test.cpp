// DA-01: the settings file spoiled in nine ways.

#include "platform/settings/connection_profiles.h"
#include "platform/settings/saved_filters.h"
#include "platform/settings/settings_store.h"
#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

class SpoiledSettingsTest : public ::testing::Test
{
protected:
    QString path() const { return folder.path() + QStringLiteral("/settings.json"); }
    /// Two connections and a saved view, and a window with sizes.
    void SetUp() override
    {
        SettingsStore settings(path(), &clock);
        ConnectionProfiles connections(&settings);
        connections.save({.id = QStringLiteral("a"),
                          .name = QStringLiteral("北京"),
                          .context = QStringLiteral("bj"),
                          .connectAtStart = true});
        connections.save(
            {.id = QStringLiteral("b"), .name = QStringLiteral("上海"), .context = QStringLiteral("sh")});
        SavedFilters(&settings, QStringLiteral("cards"))
            .save({QStringLiteral("idle"), QStringLiteral("util<20")});
        settings.setValue(QStringLiteral("window.maximized"), true);
        settings.setValue(QStringLiteral("window.width"), 1440);
        ASSERT_OK(settings.flush());
    }
    void spoil(const char *how)
    {
        QProcess process;
        process.start(QStringLiteral("sh"), {test::dataPath(QStringLiteral("settings/spoil.sh")), path(),
                                             QString::fromLatin1(how)});
        ASSERT_TRUE(process.waitForFinished());
        ASSERT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
    }
    static void expectEverything(SettingsStore &settings)
    {
        const auto connections = ConnectionProfiles(&settings).list();
        ASSERT_EQ(connections.size(), 2);
        EXPECT_EQ(connections.at(0).name, QStringLiteral("北京"));
        EXPECT_EQ(connections.at(1).context, QStringLiteral("sh"));
        EXPECT_EQ(SavedFilters(&settings, QStringLiteral("cards")).list().size(), 1);
    }
    QStringList asideFiles() const
    {
        return QDir(folder.path()).entryList({QStringLiteral("settings.json.spoiled-*")}, QDir::AllEntries);
    }

    QTemporaryDir folder;
    ManualClock clock;
};

TEST_F(SpoiledSettingsTest, IsSetAsideAndTheLastGoodCopyTaken)
{
    int spoiledSoFar = 0;
    for (const char *how : {"empty", "half", "nul", "tail-nul", "noise"}) {
        QFile before(path());
        spoil(how);
        ASSERT_TRUE(before.open(QIODevice::ReadOnly));
        const QByteArray spoiled = before.readAll();
        before.close();
        {
            SettingsStore settings(path(), &clock);
            expectEverything(settings);
            EXPECT_TRUE(settings.value(QStringLiteral("window.maximized"), false)) << how;
            ASSERT_EQ(settings.notes().size(), 1) << how;
            EXPECT_EQ(asideFiles().size(), ++spoiledSoFar) << how;
            const QString aside = settings.notes().front().arguments.at(1);
            EXPECT_TRUE(englishText(settings.notes().front()).contains(aside)) << how;
            QFile kept(aside);
            ASSERT_TRUE(kept.open(QIODevice::ReadOnly)) << how;
            EXPECT_EQ(kept.readAll(), spoiled) << how;
            EXPECT_OK(settings.flush());
        }
        SettingsStore again(path(), &clock); // told once
        expectEverything(again);
        EXPECT_TRUE(again.notes().isEmpty()) << how;
    }
}

TEST_F(SpoiledSettingsTest, WithoutAGoodCopyTheDefaultsHold)
{
    for (const char *how : {"noise", "empty"}) {
        spoil(how);
        QFile copy(settingsCopyPath(path()));
        ASSERT_TRUE(copy.open(QIODevice::WriteOnly));
        copy.write("noise too");
        copy.close();
        SettingsStore settings(path(), &clock);
        EXPECT_EQ(settings.value(QStringLiteral("window.width"), 1120), 1120);
        EXPECT_EQ(settings.notes().size(), 1);
        EXPECT_TRUE(settings.isSaving());
        settings.setValue(QStringLiteral("window.width"), 900);
        EXPECT_OK(settings.flush());
        EXPECT_EQ(SettingsStore(path(), &clock).value(QStringLiteral("window.width"), 0), 900);
    }
}

TEST_F(SpoiledSettingsTest, EachWrongValueFallsBackAlone)
{
    spoil("wrong-types");
    SettingsStore settings(path(), &clock);
    expectEverything(settings);
    EXPECT_FALSE(ConnectionProfiles(&settings).list().at(0).connectAtStart);
    EXPECT_FALSE(settings.value(QStringLiteral("window.maximized"), false));
    EXPECT_EQ(settings.value(QStringLiteral("window.width"), 1120), 1120);
    EXPECT_TRUE(settings.notes().isEmpty());
    EXPECT_TRUE(asideFiles().isEmpty());
    settings.setValue(QStringLiteral("window.width"), 1000);
    EXPECT_OK(settings.flush());
    SettingsStore again(path(), &clock);
    expectEverything(again);
    EXPECT_EQ(again.value(QStringLiteral("window.width"), 0), 1000);
}

TEST_F(SpoiledSettingsTest, AFileOfALaterVersionIsNotOverwrittenWithoutAsking)
{
    spoil("newer");
    QFile file(path());
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray newer = file.readAll();
    file.close();
    {
        SettingsStore settings(path(), &clock);
        expectEverything(settings);
        EXPECT_TRUE(settings.isNewerFile());
        EXPECT_EQ(settings.notes().size(), 1);
        settings.setValue(QStringLiteral("window.width"), 1000);
        EXPECT_OK(settings.flush());
        EXPECT_EQ(settings.value(QStringLiteral("window.width"), 0), 1000); // holds for this run
    }
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), newer);
    file.close();
    {
        SettingsStore settings(path(), &clock);
        settings.overwriteNewer();
        settings.setValue(QStringLiteral("window.width"), 1001);
        EXPECT_OK(settings.flush());
    }
    SettingsStore settings(path(), &clock);
    EXPECT_FALSE(settings.isNewerFile());
    expectEverything(settings);
    EXPECT_EQ(settings.value(QStringLiteral("window.width"), 0), 1001);
}

TEST_F(SpoiledSettingsTest, ALaterVersionThatAppearsWhileRunningIsLeftAlone)
{
    SettingsStore settings(path(), &clock);
    spoil("newer");
    settings.setValue(QStringLiteral("window.width"), 1000);
    const Status status = settings.flush();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Conflict);
    EXPECT_EQ(readSettingsFile(path()).state, SettingsFileState::Newer);
    EXPECT_EQ(settings.notes().size(), 1);
    settings.setValue(QStringLiteral("window.width"), 1001);
    EXPECT_OK(settings.flush()); // not tried, not told again
    EXPECT_EQ(settings.notes().size(), 1);
}

TEST_F(SpoiledSettingsTest, WhereNothingCanBeWrittenTheRunGoesOnAndSaysItOnce)
{
    if (geteuid() == 0)
        GTEST_SKIP() << "to root everything is writable";
    spoil("read-only");
    SettingsStore settings(path(), &clock);
    expectEverything(settings);
    settings.setValue(QStringLiteral("window.width"), 1000);
    (void)settings.flush();
    settings.setValue(QStringLiteral("window.width"), 1001);
    (void)settings.flush();
    EXPECT_EQ(settings.notes().size(), 1);
    EXPECT_EQ(settings.value(QStringLiteral("window.width"), 0), 1001);
    QFile::setPermissions(folder.path(),
                          QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
}

TEST_F(SpoiledSettingsTest, AFolderInItsPlaceIsSaidOnce)
{
    spoil("folder");
    SettingsStore settings(path(), &clock);
    expectEverything(settings); // from the copy
    EXPECT_FALSE(settings.isSaving());
    settings.setValue(QStringLiteral("window.width"), 1000);
    EXPECT_OK(settings.flush());
    ASSERT_EQ(settings.notes().size(), 1);
    EXPECT_EQ(settings.notes().front().code, ErrorCode::Storage);
    EXPECT_TRUE(QFileInfo(path()).isDir());
    EXPECT_TRUE(asideFiles().isEmpty());
}

TEST_F(SpoiledSettingsTest, AFileInPlaceOfTheFolderIsSaidOnce)
{
    QFile blocker(folder.path() + QStringLiteral("/file"));
    ASSERT_TRUE(blocker.open(QIODevice::WriteOnly));
    SettingsStore settings(blocker.fileName() + QStringLiteral("/settings.json"), &clock);
    settings.setValue(QStringLiteral("a"), 1);
    (void)settings.flush();
    settings.setValue(QStringLiteral("a"), 2);
    (void)settings.flush();
    EXPECT_EQ(settings.notes().size(), 1);
    EXPECT_EQ(settings.value(QStringLiteral("a"), 0), 2);
}

TEST_F(SpoiledSettingsTest, AWriteThatFailsLaterIsToldOnceAndNotTriedAgain)
{
    SettingsStore settings(path(), &clock);
    int told = 0;
    QObject::connect(&settings, &SettingsStore::noted, &settings, [&told] { ++told; });
    spoil("folder");
    settings.setValue(QStringLiteral("window.width"), 1);
    clock.advance(61s);
    settings.setValue(QStringLiteral("window.width"), 2);
    ASSERT_TRUE(test::waitUntil([&told] { return told > 0; }, 20s));
    settings.setValue(QStringLiteral("window.width"), 3);
    EXPECT_OK(settings.flush());
    EXPECT_EQ(told, 1);
}

TEST_F(SpoiledSettingsTest, OddJsonIsSpoiledAndCrashesNothing)
{
    for (const QByteArray &text :
         {QByteArray("[]"), QByteArray("null"), QByteArray("{}"), QByteArray(R"({"values":[1]})"),
          QByteArray(R"({"values":null})"), QByteArray(100'000, '['), QByteArray("\xff\xfe{\0}\0", 6)}) {
        QFile file(path());
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        EXPECT_EQ(readSettingsFile(path()).state, SettingsFileState::Spoiled) << text.left(20).toStdString();
    }
}

} // namespace
} // namespace tongchi
