// From nothing to the complete model of 100,000 cards (12,500 nodes, 100,000 pods) over TLS on loopback,
// against curl, which only throws the same bytes away, and kubectl, which prints them.
//
//   build/bench/tests/benchmarks/connect_benchmark PATH_OF_TONGCHI [CARDS]
//
// Starts `tongchi pool serve` itself. Each figure is the median of nine fresh processes against a warm
// server, the ratio that of nine pairs; kubectl, which takes half a minute, runs once and is left out where
// it is not installed.

#include "platform/kubernetes/kubeconfig_loader.h"
#include "tests/support/connect_once.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <sys/resource.h>

using namespace tongchi;

namespace {

struct Figures
{
    double seconds = 0;
    double cpuSeconds = 0;
    double memoryMiB = 0;
};

double cpuOf(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval &t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Figures timed(const std::function<QByteArray()> &run)
{
    const double cpu = cpuOf(RUSAGE_CHILDREN);
    QElapsedTimer timer;
    timer.start();
    run();
    return {double(timer.nsecsElapsed()) / 1e9, cpuOf(RUSAGE_CHILDREN) - cpu, 0};
}

QByteArray outputOf(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(program, arguments);
    process.waitForFinished(300'000);
    return process.readAllStandardOutput();
}

template <typename Member> double medianOf(std::vector<Figures> figures, Member member)
{
    std::sort(figures.begin(), figures.end(),
              [member](const Figures &a, const Figures &b) { return a.*member < b.*member; });
    return figures[figures.size() / 2].*member;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 3 && QByteArray(argv[1]) == "--connect")
        return test::connectOnce(argc, argv, QString::fromLocal8Bit(argv[2]));
    if (argc < 2) {
        std::fprintf(stderr, "usage: connect_benchmark PATH_OF_TONGCHI [CARDS]\n");
        return 2;
    }
    QCoreApplication application(argc, argv);
    const QString cards = argc > 2 ? QString::fromLocal8Bit(argv[2]) : QStringLiteral("100000");
    QTemporaryDir folder;
    const QString kubeconfig = folder.filePath(QStringLiteral("kubeconfig"));
    QProcess pool;
    pool.setStandardErrorFile(QProcess::nullDevice());
    pool.start(QString::fromLocal8Bit(argv[1]),
               {QStringLiteral("pool"), QStringLiteral("serve"), QStringLiteral("--cards"), cards,
                QStringLiteral("--clusters"), QStringLiteral("1"), QStringLiteral("--write-kubeconfig"),
                kubeconfig});
    while (!pool.canReadLine()) {
        if (!pool.waitForReadyRead(120'000)) {
            std::fprintf(stderr, "the pool did not start\n");
            return 1;
        }
    }
    const Kubeconfig config = loadKubeconfig(kubeconfigSearch({QFile::encodeName(kubeconfig)}));
    if (config.contexts.isEmpty())
        return 1;
    const auto &parts = config.contexts.constFirst().parts;
    if (!parts)
        return 1;
    const QString server = parts->cluster.server.toString();
    const QString token = QString::fromUtf8(parts->user.token);
    const QStringList curlArguments = {QStringLiteral("--silent"),
                                       QStringLiteral("--insecure"),
                                       QStringLiteral("--compressed"),
                                       QStringLiteral("-H"),
                                       QStringLiteral("Authorization: Bearer ") + token,
                                       QStringLiteral("-o"),
                                       QStringLiteral("/dev/null"),
                                       QStringLiteral("-o"),
                                       QStringLiteral("/dev/null"),
                                       server + QStringLiteral("/api/v1/nodes?resourceVersion=0"),
                                       server + QStringLiteral("/api/v1/pods?resourceVersion=0")};

    std::vector<Figures> curl;
    std::vector<Figures> ours;
    unsigned found = 0;
    std::vector<Figures> ratios; // of each pair: a machine that is slow for a while is slow for both
    for (int i = 0; i < 9; ++i) {
        curl.push_back(timed([&] { return outputOf(QStringLiteral("curl"), curlArguments); }));
        const auto figures = test::ConnectFigures::fromLine(
            outputOf(QCoreApplication::applicationFilePath(), {QStringLiteral("--connect"), kubeconfig}));
        if (!figures) {
            std::fprintf(stderr, "the model did not become complete\n");
            return 1;
        }
        ours.push_back({figures->seconds, figures->cpuSeconds, figures->growthMiB});
        found = figures->cards;
        ratios.push_back({ours.back().seconds / curl.back().seconds});
    }
    const double mine = medianOf(ours, &Figures::seconds);
    const double mineCpu = medianOf(ours, &Figures::cpuSeconds);
    const double theirs = medianOf(curl, &Figures::seconds);
    std::printf("connect to complete model, %u cards: %.2f s, curl of the same two URLs %.2f s, ratio %.2f "
                "(limit 1.3); "
                "CPU %.2f s, memory growth %.0f MiB (limit 57, that is 60 MB)\n",
                found, mine, theirs, medianOf(ratios, &Figures::seconds), mineCpu,
                medianOf(ours, &Figures::memoryMiB));
    if (!QStandardPaths::findExecutable(QStringLiteral("kubectl")).isEmpty()) {
        const Figures kubectl = timed([&] {
            return outputOf(QStringLiteral("sh"),
                            {QStringLiteral("-c"),
                             QStringLiteral("kubectl --kubeconfig \"$0\" get nodes,pods -A -o json > "
                                            "/dev/null"),
                             kubeconfig});
        });
        std::printf("kubectl get nodes,pods -A -o json: %.1f s, CPU %.1f s; a %.0fth in time (limit 20), a "
                    "%.0fth in CPU "
                    "(limit 50)\n",
                    kubectl.seconds, kubectl.cpuSeconds, kubectl.seconds / mine,
                    kubectl.cpuSeconds / mineCpu);
    }
    pool.terminate();
    pool.waitForFinished(10'000);
    return 0;
}
