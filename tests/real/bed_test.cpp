// The test bed itself, with a stand-in for an engine: what it starts ends, however it ends.

#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

/// Answers as node exporter does; with NEVER_READY it starts and answers nobody, with BROKEN it says why and
/// ends.
const char standIn[] = R"(#!/usr/bin/python3
import http.server, os, signal, sys
if os.path.exists(os.environ["HOME"] + "/broken"):
    sys.exit("the disk is full")
if os.path.exists(os.environ["HOME"] + "/never-ready"):
    print("waiting for a lock", flush=True)
    signal.pause()
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
host, port = sys.argv[1].removeprefix("--web.listen-address=").split(":")
http.server.HTTPServer((host, int(port)), Answer).serve_forever()
)";

struct Said
{
    int code = -1;
    QByteArray output;
    QByteArray messages;
    QJsonObject object() const { return QJsonDocument::fromJson(output).object(); }
};

class RealBed : public ::testing::Test
{
protected:
    void SetUp() override
    {
        environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), home.path());
        environment.insert(QStringLiteral("TMPDIR"), home.path());
        environment.insert(QStringLiteral("TONGCHI_ENGINES"), home.filePath(QStringLiteral("cache")));
        environment.insert(QStringLiteral("TONGCHI_START_LIMIT"), QStringLiteral("0.5"));
        const QString folder = engineFolder(QStringLiteral("node-exporter"));
        ASSERT_TRUE(QDir().mkpath(folder + QStringLiteral("/bin")));
        write(folder + QStringLiteral("/bin/prometheus-node-exporter"), standIn);
        write(folder + QStringLiteral("/complete"), "");
    }
    void TearDown() override { (void)tool("down", {QStringLiteral("--all")}); }

    void write(const QString &path, const QByteArray &content)
    {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly)) << path.toStdString();
        file.write(content);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    QString pathOf(const char *name) const
    {
        return QStringLiteral(TONGCHI_SOURCE_DIR "/tests/real/") + QLatin1String(name);
    }
    Said tool(const char *name, const QStringList &arguments = {})
    {
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(pathOf(name), arguments);
        EXPECT_TRUE(process.waitForFinished(20'000)) << name;
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }
    Said up(const QStringList &more = {})
    {
        return tool("up", QStringList{QStringLiteral("--json"), QStringLiteral("node-exporter")} + more);
    }
    QString engineFolder(const QString &engine)
    {
        for (const QByteArray &line : tool("engines", {QStringLiteral("list")}).output.split('\n')) {
            if (line.startsWith(QByteArray(engine.toUtf8() + ' ')))
                return QString::fromUtf8(line.mid(line.lastIndexOf(' ') + 1));
        }
        ADD_FAILURE() << "no engine " << engine.toStdString();
        return {};
    }
    QStringList runFolders() const
    {
        return QDir(home.path()).entryList({QStringLiteral("tongchi-real-*")}, QDir::Dirs);
    }
    static int pidOf(const QJsonObject &run)
    {
        return run.value(QLatin1String("processes")).toObject().value(QLatin1String("node-exporter")).toInt();
    }
    static bool isAlive(int pid) { return pid > 0 && ::kill(pid, 0) == 0; }
    static int keeperOf(const QJsonObject &run)
    {
        QFile file(run.value(QLatin1String("folder")).toString() + QStringLiteral("/keeper"));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toInt() : 0;
    }

    QTemporaryDir home;
    QProcessEnvironment environment;
};

TEST_F(RealBed, DownEndsExactlyWhatItsUpStarted)
{
    const QJsonObject one = up().object(), other = up().object();
    ASSERT_TRUE(isAlive(pidOf(one)) && isAlive(pidOf(other)));
    EXPECT_EQ(tool("down").code, 2) << "two runs, and none was named";
    const QString folder = one.value(QLatin1String("folder")).toString();
    EXPECT_EQ(tool("down", {folder}).code, 0);
    EXPECT_FALSE(isAlive(pidOf(one)));
    EXPECT_FALSE(QDir(folder).exists());
    EXPECT_TRUE(isAlive(pidOf(other)));
    EXPECT_EQ(tool("down").code, 0);
    EXPECT_FALSE(isAlive(pidOf(other)));
    EXPECT_EQ(tool("down", {folder}).code, 1) << "nothing runs there any more";
}

TEST_F(RealBed, AnEngineThatEndsByItselfIsNamedWithItsLastWords)
{
    write(home.filePath(QStringLiteral("broken")), "");
    const Said said = up();
    EXPECT_EQ(said.code, 1);
    EXPECT_TRUE(said.messages.contains("node-exporter ended by itself") &&
                said.messages.contains("the disk is full"))
        << said.messages.toStdString();
    EXPECT_TRUE(runFolders().isEmpty());
}

TEST_F(RealBed, AnEngineThatIsNeverReadyIsEnded)
{
    write(home.filePath(QStringLiteral("never-ready")), "");
    const Said said = up();
    EXPECT_EQ(said.code, 1);
    EXPECT_TRUE(said.messages.contains("was not ready after 0.5 s") &&
                said.messages.contains("waiting for a lock"))
        << said.messages.toStdString();
    EXPECT_TRUE(runFolders().isEmpty());
}

TEST_F(RealBed, NothingOutlivesAKilledKeeper)
{
    const QJsonObject run = up().object();
    ASSERT_TRUE(isAlive(pidOf(run)));
    ::kill(keeperOf(run), SIGKILL);
    EXPECT_TRUE(test::waitUntil([&] { return !isAlive(pidOf(run)); }));
}

TEST_F(RealBed, EverythingEndsWithItsOwner)
{
    QProcess owner;
    owner.start(QStringLiteral("cat"), QStringList());
    ASSERT_TRUE(owner.waitForStarted());
    const QJsonObject run = up({QStringLiteral("--owner"), QString::number(owner.processId())}).object();
    ASSERT_TRUE(isAlive(pidOf(run)));
    owner.kill();
    owner.waitForFinished();
    EXPECT_TRUE(test::waitUntil([&] { return !isAlive(pidOf(run)) && runFolders().isEmpty(); }));
}

TEST_F(RealBed, WhatIsThereIsNotBuiltAgain)
{
    const Said said = tool("engines", {QStringLiteral("build"), QStringLiteral("node-exporter")});
    EXPECT_EQ(said.code, 0);
    EXPECT_TRUE(said.messages.isEmpty()) << said.messages.toStdString();
}

TEST_F(RealBed, WithoutGoTheReportSaysSo)
{
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/bin"));
    if (QFile::exists(QStringLiteral("/bin/go")))
        environment.insert(QStringLiteral("PATH"), home.path());
    const Said said = tool("engines", {QStringLiteral("build"), QStringLiteral("etcd")});
    EXPECT_EQ(said.code, 77);
    EXPECT_TRUE(said.messages.contains("etcd could not be fetched: Go 1.26 or newer is not in PATH"))
        << said.messages.toStdString();
    EXPECT_EQ(tool("up", {QStringLiteral("etcd")}).code, 77);
}

TEST_F(RealBed, UnknownEnginesAreRefusedWithTheKnownOnes)
{
    for (const char *name : {"up", "engines"}) {
        const Said said = tool(name, {QStringLiteral("build"), QStringLiteral("nginx")});
        EXPECT_EQ(said.code, 2) << name;
        EXPECT_TRUE(said.messages.contains("versitygw")) << said.messages.toStdString();
    }
}

} // namespace
} // namespace tongchi
