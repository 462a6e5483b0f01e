#include "app/kubeconfig_watcher.h"
#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

class KubeconfigWatching : public ::testing::Test
{
protected:
    QString path(const QString &name) const { return folder.filePath(name); }
    void write(const QString &name, const QByteArray &text)
    {
        QFile out(path(name));
        ASSERT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    void watch(const QStringList &names)
    {
        KubeconfigWatcher::Digests files;
        for (const QString &name : names) {
            const FilePath file = QFile::encodeName(path(name));
            files.insert(file, KubeconfigWatcher::digest(file));
        }
        QSignalSpy watching(&watcher, &KubeconfigWatcher::watching);
        watcher.watch(files);
        ASSERT_TRUE(test::waitUntil([&watching] { return watching.count() == 1; }));
    }
    bool waitForChange()
    {
        const bool came = test::waitUntil([this] { return changes.count() > 0; });
        changes.clear();
        return came;
    }

    QTemporaryDir folder;
    KubeconfigWatcher watcher{std::chrono::milliseconds(5)};
    QSignalSpy changes{&watcher, &KubeconfigWatcher::changed};
};

TEST_F(KubeconfigWatching, TellsOfAFileThatIsWrittenReplacedRemovedAndMadeAgain)
{
    write(QStringLiteral("config"), "one");
    watch({QStringLiteral("config")});
    write(QStringLiteral("config"), "two");
    EXPECT_TRUE(waitForChange());
    for (const char *text : {"three", "four"}) { // the second: the new file is watched as the old one was
        QSaveFile out(path(QStringLiteral("config")));
        ASSERT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(text);
        ASSERT_TRUE(out.commit());
        EXPECT_TRUE(waitForChange()) << text;
    }
    QFile::remove(path(QStringLiteral("config")));
    EXPECT_TRUE(waitForChange());
    write(QStringLiteral("config"), "five");
    EXPECT_TRUE(waitForChange());
}

TEST_F(KubeconfigWatching, TellsOfAFileWhoseFolderIsMadeLater)
{
    watch({QStringLiteral("kube/deep/config")});
    ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("kube/deep")));
    write(QStringLiteral("kube/deep/config"), "one");
    EXPECT_TRUE(waitForChange());
}

TEST_F(KubeconfigWatching, FollowsALink)
{
    ASSERT_TRUE(QDir(folder.path()).mkpath(QStringLiteral("elsewhere")));
    write(QStringLiteral("elsewhere/real"), "one");
    ASSERT_TRUE(QFile::link(path(QStringLiteral("elsewhere/real")), path(QStringLiteral("config"))));
    watch({QStringLiteral("config")});
    QSaveFile out(path(QStringLiteral("elsewhere/real")));
    ASSERT_TRUE(out.open(QIODevice::WriteOnly));
    out.write("two");
    ASSERT_TRUE(out.commit());
    EXPECT_TRUE(waitForChange());
}

TEST_F(KubeconfigWatching, SaysNothingOfWhatIsOnlyTouchedOrLiesBesideIt)
{
    write(QStringLiteral("config"), "one");
    watch({QStringLiteral("config")});
    write(QStringLiteral("config"), "one");
    write(QStringLiteral("cache"), "anything");
    // Another watch() compares everything at once; its end comes after whatever it would have told.
    watch({QStringLiteral("config"), QStringLiteral("other")});
    EXPECT_EQ(changes.count(), 0);
    write(QStringLiteral("other"), "made");
    EXPECT_TRUE(waitForChange());
}

TEST_F(KubeconfigWatching, TellsOfAChangeFromBetweenTwoCalls)
{
    write(QStringLiteral("a"), "one");
    watch({QStringLiteral("a")});
    write(QStringLiteral("a"), "two");
    watch({QStringLiteral("a"), QStringLiteral("b")});
    EXPECT_TRUE(waitForChange());
}

TEST_F(KubeconfigWatching, TellsOfAChangeFromBetweenTheCallersReadingAndTheCall)
{
    write(QStringLiteral("config"), "one");
    const FilePath file = QFile::encodeName(path(QStringLiteral("config")));
    const KubeconfigWatcher::Digests known{{file, KubeconfigWatcher::digest(file)}};
    write(QStringLiteral("config"), "two");
    watcher.watch(known);
    EXPECT_TRUE(waitForChange());
}

} // namespace
} // namespace tongchi
