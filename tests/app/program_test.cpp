// The program itself, started as from a terminal: what it prints where, and its exit codes.

#include "app/command_line.h"
#include "tests/support/qt_printers.h"
#include "tests/support/test_certificates.h"
#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What one run left behind.
struct Ended
{
    int code = -1;
    std::string out, err;
    long errorLines() const { return std::count(err.begin(), err.end(), '\n'); }
};

class Program : public ::testing::Test
{
protected:
    void prepare(QProcess &process, const QByteArray &locale = "C.UTF-8", const QString &runtime = {}) const
    {
        QProcessEnvironment environment;
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        environment.insert(QStringLiteral("HOME"), folder.path());
        environment.insert(QStringLiteral("TMPDIR"), folder.path());
        environment.insert(QStringLiteral("LC_ALL"), QString::fromLatin1(locale));
        if (!runtime.isEmpty())
            environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime);
        process.setWorkingDirectory(folder.path());
        process.setProcessEnvironment(environment);
    }

    /// In the test's folder, with a home and a locale of its own and no display.
    Ended run(const QStringList &arguments, const QByteArray &locale = "C.UTF-8", const QString &runtime = {},
              const QString &output = {})
    {
        QProcess process;
        prepare(process, locale, runtime);
        if (!output.isEmpty())
            process.setStandardOutputFile(output);
        process.start(QStringLiteral(TONGCHI_PROGRAM), arguments);
        EXPECT_TRUE(process.waitForFinished(30'000));
        return {process.exitCode(),
                output.isEmpty() ? process.readAllStandardOutput().toStdString() : std::string(),
                process.readAllStandardError().toStdString()};
    }

    void write(const char *name, const QByteArray &text)
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    static QByteArray kubeconfig(const QByteArray &user)
    {
        return "current-context: prod\nclusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]\n"
               "users: [{name: operator, user: " +
               user + "}]\ncontexts: [{name: prod, context: {cluster: k, user: operator}}]\n";
    }

    QTemporaryDir folder;
};

QStringList words(const char *line)
{
    return QString::fromUtf8(line).split(u' ');
}

TEST_F(Program, SaysOneThingOnceAboutABrokenKubeconfig)
{
    write("broken", "clusters: [\n");
    write("empty", "");
    write("elsewhere", kubeconfig("{}").replace("current-context: prod", "current-context: gone"));
    QDir(folder.path()).mkdir(QStringLiteral("folder"));
    for (const char *file : {"broken", "empty", "elsewhere", "folder", "missing"}) {
        for (const QStringList &verb : {words("inventory"), words("screenshot a.png")}) {
            const Ended done = run(verb + QStringList{QStringLiteral("--kubeconfig"), QLatin1String(file)});
            EXPECT_EQ(done.code, ExitFailed) << file;
            EXPECT_EQ(done.errorLines(), 1) << done.err;
            EXPECT_THAT(done.err, HasSubstr(file));
            EXPECT_EQ(done.out, "");
        }
    }
    EXPECT_EQ(run(words("inventory --all-contexts --kubeconfig broken")).errorLines(), 1);
}

TEST_F(Program, AnInterruptedInventoryDoesNotLookDone)
{
    for (const int signal : {SIGINT, SIGTERM, 0}) {
        QTcpServer silent;
        ASSERT_TRUE(silent.listen(QHostAddress::LocalHost));
        const QByteArray address = "http://127.0.0.1:" + QByteArray::number(silent.serverPort());
        write("silent", kubeconfig("{}").replace("https://127.0.0.1:1", address));
        if (signal == 0) { // nobody interrupts it
            const Ended late = run(words("inventory --kubeconfig silent --timeout 1"));
            EXPECT_EQ(late.code, ExitPartial);
            EXPECT_THAT(late.err,
                        HasSubstr(address.toStdString() + " did not answer in full before the timeout."));
            continue;
        }
        QProcess process;
        prepare(process);
        process.start(QStringLiteral(TONGCHI_PROGRAM), words("inventory --kubeconfig silent --output json"));
        // It asks, and nobody answers.
        ASSERT_TRUE(
            test::waitUntil([&silent] { return silent.hasPendingConnections(); }, std::chrono::seconds(20)));
        ::kill(pid_t(process.processId()), signal);
        ASSERT_TRUE(process.waitForFinished(20'000));
        EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
        EXPECT_EQ(process.exitCode(), 128 + signal);
        EXPECT_EQ(process.readAllStandardOutput(), "");
    }
}

TEST_F(Program, SaysThatAWordIsNoKeyWhenNothingMatches)
{
    const Ended none = run(words("inventory --embedded --cards 64 --clusters 1 --filter foo:bar"));
    EXPECT_EQ(none.code, ExitDone);
    EXPECT_THAT(none.err, HasSubstr("“foo” is no key of the filter, so “foo:bar” was looked for as text."));
    EXPECT_EQ(run(words("inventory --embedded --cards 64 --clusters 1 --filter model:none")).err, "");
}

TEST_F(Program, AWatchTakesOverAKubeconfigThatIsWrittenAnew)
{
    QProcess pool;
    prepare(pool);
    pool.start(QStringLiteral(TONGCHI_PROGRAM),
               words("pool serve --cards 64 --clusters 1 --write-kubeconfig good"));
    ASSERT_TRUE(test::waitUntil([&pool] { return pool.canReadLine(); }, std::chrono::seconds(20)));
    QFile file(folder.filePath(QStringLiteral("good")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    QByteArray wrong = good;
    wrong.replace("token: ", "token: x");
    ASSERT_NE(wrong, good);
    write("used", wrong);
    QProcess watch;
    prepare(watch);
    watch.start(QStringLiteral(TONGCHI_PROGRAM), words("inventory --kubeconfig used --watch --output json"));
    ASSERT_TRUE(test::waitUntil([&watch] { return watch.canReadLine(); }, std::chrono::seconds(20)));
    EXPECT_THAT(watch.readAllStandardOutput().toStdString(), HasSubstr("refuses the token"));
    write("used", good);
    QByteArray seen;
    EXPECT_TRUE(test::waitUntil(
        [&] {
            seen += watch.readAllStandardOutput();
            return seen.contains("\"changed\"") && seen.contains("H100");
        },
        std::chrono::seconds(20)))
        << seen.right(2000).constData();
    watch.terminate();
    pool.terminate();
    EXPECT_TRUE(watch.waitForFinished(20'000));
    EXPECT_TRUE(pool.waitForFinished(20'000));
    EXPECT_EQ(watch.exitCode(), ExitDone);
}

TEST_F(Program, SaysThatTheClientCertificateHasExpired)
{
    const auto identity = test::TestAuthority::shared().issue({.validFromDays = -5, .validToDays = -1});
    write("old", kubeconfig("{client-certificate-data: " + identity.certificatePem.toBase64() +
                            ", client-key-data: " + identity.keyPem.toBase64() + "}"));
    const Ended done = run(words("inventory --kubeconfig old"));
    EXPECT_EQ(done.code, ExitPartial);
    EXPECT_EQ(done.errorLines(), 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("The client certificate of the user operator expired on 20"));
}

TEST_F(Program, RefusesAPrometheusOfAClusterThatIsNotThere)
{
    write("good", kubeconfig("{}"));
    for (const QStringList &verb : {words("inventory"), words("screenshot a.png")}) {
        const Ended done = run(verb + words("--kubeconfig good --prometheus prodd=http://127.0.0.1:1"));
        EXPECT_EQ(done.code, ExitUsage);
        EXPECT_EQ(done.errorLines(), 1) << done.err;
        EXPECT_THAT(done.err, HasSubstr("the cluster “prodd”, which is not among the chosen ones: prod."));
    }
}

TEST_F(Program, RefusesAContextThatTheEmbeddedPoolDoesNotHave)
{
    for (const QStringList &verb : {words("inventory"), words("screenshot a.png")}) {
        const Ended done = run(verb + words("--embedded --cards 64 --clusters 1 --context gone"));
        EXPECT_EQ(done.code, ExitFailed);
        EXPECT_THAT(done.err, HasSubstr("no context named “gone”; there are: bj-prod."));
    }
}

TEST_F(Program, PrintsThePathOfThePictureAndNothingElse)
{
    const Ended done =
        run(words("screenshot new/cards.png --embedded --cards 64 --clusters 1 --size 1200x800"));
    const QString path = folder.filePath(QStringLiteral("new/cards.png"));
    EXPECT_EQ(done.code, ExitDone);
    EXPECT_EQ(done.out, path.toStdString() + '\n');
    EXPECT_EQ(done.err, ""); // nothing about XDG_RUNTIME_DIR, which is not set here
    EXPECT_EQ(QImage(path).size(), QSize(1200, 800));
    EXPECT_EQ(run(words("screenshot b.png"), "C.UTF-8", folder.filePath(QStringLiteral("gone"))).err, "");
    EXPECT_EQ(run({QStringLiteral("screenshot"), folder.path()}).code, ExitFailed);
}

TEST_F(Program, FailsWhenItsResultCannotBeWritten)
{
    for (const char *line : {"help", "--version", "screenshot a.png", "pool serve --cards 64 --clusters 1",
                             "inventory --embedded --cards 64 --clusters 1"}) {
        const Ended done = run(words(line), "C.UTF-8", {}, QStringLiteral("/dev/full"));
        EXPECT_EQ(done.code, ExitFailed) << line;
        EXPECT_THAT(done.err, StartsWith("tongchi: Standard output cannot be written: ")) << line;
    }
}

TEST_F(Program, SpeaksTheLanguageOfTheOptionThenOfTheLocale)
{
    const Ended chinese = run(words("inventory --cards 0 --embedded"), "zh_CN.UTF-8");
    EXPECT_EQ(chinese.code, ExitUsage);
    EXPECT_THAT(chinese.err, HasSubstr("应为 1 到 200000 的整数"));
    EXPECT_EQ(chinese.errorLines(), 1) << chinese.err;
    EXPECT_THAT(run(words("bogus --language zh")).err, HasSubstr("没有子命令 “bogus”"));
    EXPECT_THAT(run(words("bogus --language en"), "zh_CN.UTF-8").err, HasSubstr("There is no verb “bogus”"));
    EXPECT_THAT(run(words("help"), "zh_CN.UTF-8").out, HasSubstr("所连集群的每张算力卡"));
    EXPECT_THAT(run(words("help")).out, StartsWith("tongchi - console for heterogeneous accelerator pools"));
    EXPECT_THAT(run(QStringList(), "zh_CN.UTF-8").err, HasSubstr("没有可用的显示器"));
    // What programs read has no language.
    const char *json = "inventory --embedded --cards 64 --clusters 1 --output json --filter vendor:none";
    EXPECT_THAT(run(words(json), "zh_CN.UTF-8").out, StartsWith("{\"clusters\":[{\"name\":\"bj-prod\""));
}

} // namespace
} // namespace tongchi
