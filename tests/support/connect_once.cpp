#include "tests/support/connect_once.h"

#include "app/services.h"
#include "platform/kubernetes/kubeconfig_loader.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <cstdio>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tongchi::test {

namespace {

double cpuSoFar()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Peak of the resident memory since the last reset, in MiB.
double residentPeak()
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf("VmHWM:");
    return at < 0 ? 0 : text.mid(at + 6, 20).trimmed().split(' ').constFirst().toDouble() / 1024;
}

void resetPeak()
{
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

/// CPU of each thread so far, to standard error: where the time goes.
void sayThreads()
{
    const QStringList tasks =
        QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &task : tasks) {
        QFile file(QStringLiteral("/proc/self/task/%1/stat").arg(task));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = file.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        std::fprintf(
            stderr, "  %s: %.2f s\n",
            text.mid(text.indexOf('(') + 1, text.lastIndexOf(')') - text.indexOf('(') - 1).constData(),
            (fields[11].toDouble() + fields[12].toDouble()) / double(sysconf(_SC_CLK_TCK)));
    }
}

const KubeContext *contextOf(const Kubeconfig &kubeconfig, const QString &name)
{
    if (!name.isEmpty())
        return kubeconfig.find(name);
    return kubeconfig.contexts.isEmpty() ? nullptr : &kubeconfig.contexts.constFirst();
}

} // namespace

QByteArray ConnectFigures::line() const
{
    return QStringLiteral("%1 %2 %3 %4 %5\n")
        .arg(seconds, 0, 'f', 4)
        .arg(cpuSeconds, 0, 'f', 4)
        .arg(growthMiB, 0, 'f', 1)
        .arg(peakMiB, 0, 'f', 1)
        .arg(cards)
        .toLatin1();
}

std::optional<ConnectFigures> ConnectFigures::fromLine(const QByteArray &line)
{
    const QList<QByteArray> words = line.trimmed().split(' ');
    if (words.size() != 5)
        return std::nullopt;
    return ConnectFigures{words[0].toDouble(), words[1].toDouble(), words[2].toDouble(), words[3].toDouble(),
                          words[4].toUInt()};
}

int connectOnce(int argc, char **argv, const QString &kubeconfig, const QString &context)
{
    QCoreApplication application(argc, argv);
    Services services;
    InventoryController inventory(services.strings, services.clock, {});
    const Kubeconfig config = loadKubeconfig(kubeconfigSearch({QFile::encodeName(kubeconfig)}));
    const KubeContext *const chosen = contextOf(config, context);
    if (!chosen)
        return 1;
    resetPeak();
    const double before = residentPeak();
    QElapsedTimer timer;
    timer.start();
    bool told = false;
    QObject::connect(&inventory, &InventoryController::statusChanged, &application, [&] {
        const auto statuses = inventory.statuses();
        if (told || statuses.isEmpty() || !statuses.constFirst().complete)
            return;
        told = true;
        const double seconds = double(timer.nsecsElapsed()) / 1e9;
        const double peak = residentPeak();
        const QByteArray line =
            ConnectFigures{seconds, cpuSoFar(), peak - before, peak, inventory.store().cardCount()}.line();
        std::fwrite(line.constData(), 1, std::size_t(line.size()), stdout);
        std::fflush(stdout);
        sayThreads();
        QCoreApplication::exit(0);
    });
    auto consent = std::make_shared<FixedConsent>(true);
    inventory.addSource(std::make_unique<ClusterSession>(
        services.nextClusterId(), services.sessionFor(*chosen, consent), services.sessionEnvironment()));
    return QCoreApplication::exec();
}

} // namespace tongchi::test
