#include "tests/real/support/bed.h"

#include "platform/kubernetes/kubeconfig_loader.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>
#include <QProcess>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tongchi::real {

namespace {

constexpr int answerLimitMs = 70'000; // the keeper gives a start sixty seconds

QJsonObject parsedObject(const QByteArray &text)
{
    return QJsonDocument::fromJson(text).object();
}

QStringList wordsOf(std::initializer_list<const char *> words)
{
    QStringList list;
    for (const char *word : words)
        list << QString::fromUtf8(word);
    return list;
}

} // namespace

QJsonObject Finished::object() const
{
    return parsedObject(output);
}

Finished runProgram(const QString &program, const QStringList &arguments, const QByteArray &input,
                    std::chrono::milliseconds limit)
{
    QProcess process;
    QElapsedTimer timer;
    timer.start();
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    Finished finished;
    if (!process.waitForFinished(int(limit.count()))) {
        finished.messages = process.errorString().toUtf8();
        process.kill();
        process.waitForFinished();
    } else if (process.exitStatus() == QProcess::NormalExit) {
        finished.code = process.exitCode();
    }
    finished.took = std::chrono::milliseconds(timer.elapsed());
    finished.output = process.readAllStandardOutput();
    finished.messages += process.readAllStandardError();
    return finished;
}

Bed::Bed() : m_folder(qEnvironmentVariable("TONGCHI_REAL_RUN"))
{
    if (m_folder.isEmpty())
        ADD_FAILURE() << "TONGCHI_REAL_RUN is not set: start this program with tests/real/run";
    else
        read();
}

void Bed::read()
{
    QFile file(m_folder + QStringLiteral("/run.json"));
    if (!file.open(QIODevice::ReadOnly))
        ADD_FAILURE() << "no run in " << m_folder.toStdString();
    else
        m_run = parsedObject(file.readAll());
}

QString Bed::kubeconfigPath() const
{
    return m_run.value(QLatin1String("kubeconfig")).toString();
}

KubeContext Bed::context(const QString &name) const
{
    const Kubeconfig kubeconfig = loadKubeconfig({.explicitFiles = {QFile::encodeName(kubeconfigPath())}});
    const KubeContext *found = kubeconfig.find(name);
    if (!found) {
        ADD_FAILURE() << "no context " << name.toStdString();
        return {};
    }
    return *found;
}

QString Bed::url(const QString &engine) const
{
    return m_run.value(QLatin1String("urls")).toObject().value(engine).toString();
}

QJsonObject Bed::expectedCards() const
{
    QFile file(m_folder + QStringLiteral("/cards.json"));
    if (!file.open(QIODevice::ReadOnly))
        ADD_FAILURE() << "this bed has no card nodes";
    return parsedObject(file.readAll());
}

QString Bed::absenceOf(const QString &engine) const
{
    if (m_run.value(QLatin1String("engines")).toArray().contains(engine))
        return {};
    QFile file(m_folder + QStringLiteral("/absent.json"));
    const QJsonObject absent = file.open(QIODevice::ReadOnly) ? parsedObject(file.readAll()) : QJsonObject();
    return absent.value(engine).toString(QStringLiteral("nobody started ") + engine);
}

QByteArray Bed::kubectl(const QStringList &arguments, const QByteArray &input) const
{
    const Finished done =
        runProgram(m_run.value(QLatin1String("kubectl")).toString(),
                   QStringList{QStringLiteral("--kubeconfig"), kubeconfigPath()} + arguments, input);
    EXPECT_EQ(done.code, 0) << "kubectl " << arguments.join(QLatin1Char(' ')).toStdString() << ": "
                            << done.messages.toStdString();
    return done.output;
}

QByteArray Bed::kubectl(std::initializer_list<const char *> arguments) const
{
    return kubectl(wordsOf(arguments));
}

QJsonObject Bed::kubectlObject(std::initializer_list<const char *> arguments) const
{
    return parsedObject(
        kubectl(wordsOf(arguments) + QStringList{QStringLiteral("-o"), QStringLiteral("json")}));
}

void Bed::create(const QJsonArray &objects) const
{
    const QJsonObject list{
        {QStringLiteral("apiVersion"), QStringLiteral("v1")},
        {QStringLiteral("kind"), QStringLiteral("List")},
        {QStringLiteral("items"), objects},
    };
    (void)kubectl({QStringLiteral("create"), QStringLiteral("-f"), QStringLiteral("-")},
                  QJsonDocument(list).toJson());
}

void Bed::create(const QByteArray &objects) const
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(objects, &problem);
    ASSERT_TRUE(document.isArray()) << problem.errorString().toStdString();
    create(document.array());
}

Finished Bed::tongchi(const QStringList &arguments, std::chrono::milliseconds limit) const
{
    return runProgram(program(), arguments, {}, limit);
}

QString Bed::program() const
{
    return qEnvironmentVariable("TONGCHI_PROGRAM");
}

QJsonObject Bed::ask(const QJsonObject &request) const
{
    QLocalSocket socket;
    socket.connectToServer(m_folder + QStringLiteral("/control"));
    if (!socket.waitForConnected()) {
        ADD_FAILURE() << "the keeper of " << m_folder.toStdString() << " does not answer";
        return {};
    }
    socket.write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
    while (socket.canReadLine() || socket.waitForReadyRead(answerLimitMs)) {
        while (socket.canReadLine()) {
            const QJsonObject answer = parsedObject(socket.readLine());
            if (answer.contains(QLatin1String("error")))
                ADD_FAILURE() << answer.value(QLatin1String("error")).toString().toStdString();
            if (!answer.contains(QLatin1String("said")))
                return answer;
        }
    }
    ADD_FAILURE() << "no answer to " << QJsonDocument(request).toJson().toStdString();
    return {};
}

namespace {

QJsonObject processRequest(const char *what, const QString &process)
{
    return {{QStringLiteral("do"), QLatin1String(what)}, {QStringLiteral("process"), process}};
}

} // namespace

void Bed::kill(const QString &process) const
{
    (void)ask(processRequest("kill", process));
}

void Bed::stop(const QString &process) const
{
    (void)ask(processRequest("stop", process));
}

void Bed::pause(const QString &process) const
{
    (void)ask(processRequest("pause", process));
}

void Bed::resume(const QString &process) const
{
    (void)ask(processRequest("resume", process));
}

void Bed::start(const QString &process) const
{
    (void)ask(processRequest("start", process));
}

QString Bed::startPrometheus(const QString &process, const QJsonArray &jobs) const
{
    return ask({{QStringLiteral("do"), QStringLiteral("prometheus")},
                {QStringLiteral("name"), process},
                {QStringLiteral("jobs"), jobs}})
        .value(QLatin1String("url"))
        .toString();
}

std::chrono::milliseconds Bed::cpuTimeOf(const QString &process) const
{
    QFile run(m_folder + QStringLiteral("/run.json"));
    const QJsonObject now = run.open(QIODevice::ReadOnly) ? parsedObject(run.readAll()) : QJsonObject();
    const int pid = now.value(QLatin1String("processes")).toObject().value(process).toInt();
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) {
        ADD_FAILURE() << process.toStdString() << " does not run";
        return {};
    }
    // After the name in parentheses, which may hold spaces: utime and stime are fields 14 and 15 of proc(5).
    const QByteArray text = file.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    const qint64 ticks = fields.value(11).toLongLong() + fields.value(12).toLongLong();
    return std::chrono::milliseconds(ticks * 1000 / sysconf(_SC_CLK_TCK));
}

} // namespace tongchi::real
