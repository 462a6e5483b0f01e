#pragma once

#include "platform/kubernetes/kubeconfig.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <chrono>
#include <initializer_list>

namespace tongchi::real {

/// What a program that ran to its end said.
struct Finished
{
    int code = -1; ///< -1: it did not start, crashed or was ended for taking too long
    QByteArray output;
    QByteArray messages; ///< standard error
    std::chrono::milliseconds took{0};

    /// The output as a JSON object; empty where it is none.
    QJsonObject object() const;
};

/// Runs a program with the environment of the tests (a home of its own) and waits for it; the event loop of
/// the test does not run meanwhile.
[[nodiscard]] Finished runProgram(const QString &program, const QStringList &arguments,
                                  const QByteArray &input = {},
                                  std::chrono::milliseconds limit = std::chrono::seconds(60));

/// The real engines of this run: TONGCHI_REAL_RUN is the folder that tests/real/up made. One thread.
class Bed
{
public:
    /// Fails the test, and is empty, where no bed runs.
    Bed();

    const QString &folder() const { return m_folder; }
    /// Contexts: real (administrator by certificate), token (the same by token), viewer (may read), stranger
    /// (may nothing), expired (a token the server does not know), dead (nobody listens), wrong-ca,
    /// wrong-name.
    QString kubeconfigPath() const;
    /// As the console reads it; fails the test where it has no such context.
    KubeContext context(const QString &name) const;
    /// Address of an engine ("kubernetes", "prometheus"), or empty where it does not run.
    QString url(const QString &engine) const;
    /// A further member of run.json.
    QJsonValue fact(const QString &name) const { return m_run.value(name); }
    /// What the console has to say of the card nodes (bed/cards.py).
    QJsonObject expectedCards() const;
    /// Empty where the engine runs; otherwise why it does not.
    QString absenceOf(const QString &engine) const;

    /// kubectl as administrator; fails the test unless it ends with 0.
    QByteArray kubectl(const QStringList &arguments, const QByteArray &input = {}) const;
    QByteArray kubectl(std::initializer_list<const char *> arguments) const;
    /// The same for an answer in JSON: `-o json` is added.
    QJsonObject kubectlObject(std::initializer_list<const char *> arguments) const;
    /// kubectl create of objects as a List.
    void create(const QJsonArray &objects) const;
    /// The same for a JSON array as text.
    void create(const QByteArray &objects) const;
    /// `tongchi` with these arguments.
    Finished tongchi(const QStringList &arguments,
                     std::chrono::milliseconds limit = std::chrono::seconds(60)) const;
    /// Path of the program under test.
    QString program() const;

    // Processes by the names of run.json: etcd, apiserver, controller-manager, scheduler, kwok, prometheus,
    // ...
    void kill(const QString &process) const; ///< as a crash
    void stop(const QString &process) const;
    void pause(const QString &process) const; ///< SIGSTOP
    void resume(const QString &process) const;
    void start(const QString &process) const; ///< again; returns when it is ready
    /// One more Prometheus, a process of this name, that scrapes these jobs of its configuration; its URL,
    /// when each target has been scraped twice.
    QString startPrometheus(const QString &process, const QJsonArray &jobs) const;
    /// Resident memory and the CPU time so far of a process.
    std::chrono::milliseconds cpuTimeOf(const QString &process) const;

private:
    QJsonObject ask(const QJsonObject &request) const;
    void read();

    QString m_folder;
    QJsonObject m_run;
};

/// Resumes a paused process however the test ends.
class Pause
{
public:
    Pause(const Bed &bed, const QString &process) : m_bed(bed), m_process(process) { bed.pause(process); }
    ~Pause() { m_bed.resume(m_process); }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;

private:
    const Bed &m_bed;
    QString m_process;
};

} // namespace tongchi::real

/// The test is not run where an engine could not be fetched, and fails where it does not build.
#define REQUIRE_ENGINE(bed, engine)                                                                          \
    do {                                                                                                     \
        const QString absence = (bed).absenceOf(QStringLiteral(engine));                                     \
        if (absence.startsWith(QLatin1String("not fetched")))                                                \
            GTEST_SKIP() << absence.toStdString();                                                           \
        ASSERT_TRUE(absence.isEmpty()) << absence.toStdString();                                             \
    } while (false)
