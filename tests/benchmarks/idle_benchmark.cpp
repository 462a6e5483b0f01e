// CPU of the console itself while it shows the embedded pool's 7,500 live cards and nobody touches it. The
// pool runs in a process of its own, so that its share is not counted.
//
//   build/bench/tests/benchmarks/idle_benchmark PATH_OF_TONGCHI [SECONDS]
//
// Twenty seconds after connecting, then SECONDS (default 30) of measuring.

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <unistd.h>

namespace {

/// User and system time of a process in seconds, from /proc.
double cpuSecondsOf(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = file.readAll();
    const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
    return fields.size() < 13
               ? -1
               : (fields[11].toDouble() + fields[12].toDouble()) / double(sysconf(_SC_CLK_TCK));
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: idle_benchmark PATH_OF_TONGCHI [SECONDS]\n");
        return 2;
    }
    QCoreApplication application(argc, argv);
    const QString program = QString::fromLocal8Bit(argv[1]);
    const int seconds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 30;
    QTemporaryDir folder;
    const QString kubeconfig = folder.filePath(QStringLiteral("kubeconfig"));
    QProcess pool;
    pool.setStandardErrorFile(QProcess::nullDevice());
    pool.start(program, {QStringLiteral("pool"), QStringLiteral("serve"),
                         QStringLiteral("--write-kubeconfig"), kubeconfig});
    while (!pool.canReadLine()) {
        if (!pool.waitForReadyRead(60'000)) {
            std::fprintf(stderr, "the pool did not start\n");
            return 1;
        }
    }
    QProcess console;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder.path());
    console.setProcessEnvironment(environment);
    console.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    console.start(program, {QStringLiteral("--kubeconfig"), kubeconfig, QStringLiteral("--all-contexts")});
    double before = -1;
    QTimer::singleShot(20'000, &application, [&] { before = cpuSecondsOf(console.processId()); });
    QTimer::singleShot(20'000 + seconds * 1000, &application, [&] {
        const double used = cpuSecondsOf(console.processId()) - before;
        if (before < 0 || console.state() != QProcess::Running)
            std::fprintf(stderr, "the console did not run\n");
        else
            std::printf(
                "idle console, 7,500 live cards: %.2f s of CPU in %d s, %.2f %% of a core (limit 2)\n", used,
                seconds, 100 * used / seconds);
        console.terminate();
        pool.terminate();
        QCoreApplication::exit(before < 0 ? 1 : 0);
    });
    const int code = QCoreApplication::exec();
    console.waitForFinished(10'000);
    pool.waitForFinished(10'000);
    return code;
}
