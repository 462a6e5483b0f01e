#include "app/verb_pool_serve.h"

#include "app/embedded_clusters.h"
#include "app/terminal.h"
#include "app/unix_signals.h"
#include "models/common/json_text.h"

#include <QCoreApplication>

namespace tongchi {
namespace {

QByteArray readyLine(const PoolInfo &info, const QString &kubeconfig)
{
    QByteArray line;
    JsonText json(&line);
    json.beginObject();
    json.key("kubeconfig").stringOrNull(kubeconfig.toStdString());
    json.key("prometheus").stringOrNull(info.prometheus.toStdString());
    // Not part of this pool yet: said, not left out.
    json.key("alertmanager").null();
    json.key("s3").null();
    json.key("endpoints").beginObject();
    for (const PoolCluster &cluster : info.clusters) {
        json.key(cluster.name.toStdString()).beginObject();
        json.key("server").string(cluster.server);
        json.key("prometheus").stringOrNull(cluster.prometheus.toStdString());
        json.endObject();
    }
    json.endObject();
    json.key("simulated").boolean(true);
    json.endObject();
    return line + '\n';
}

} // namespace

int runPoolServe(const CommandLine &command)
{
    const auto pool = makeEmbeddedPool(poolOptionsOf(command));
    int exitCode = ExitDone;
    QObject context;
    QObject::connect(pool.get(), &EmbeddedPool::failed, &context, [&exitCode](const Error &error) {
        tell(error);
        exitCode = ExitFailed;
        QCoreApplication::exit(ExitFailed);
    });
    QObject::connect(pool.get(), &EmbeddedPool::started, &context, [&](const PoolInfo &info) {
        QString file = command.writeKubeconfig;
        if (!file.isEmpty()) {
            if (const Status written = pool->writeKubeconfig(file); !written) {
                tell(written.error());
                exitCode = ExitFailed;
                QCoreApplication::exit(ExitFailed);
                return;
            }
        }
        if (!printResult(readyLine(info, file))) { // whoever waits for the line would wait for ever
            exitCode = ExitFailed;
            QCoreApplication::exit(ExitFailed);
            return;
        }
        tell(QCoreApplication::translate("Terminal",
                                         "The simulated pool of %n card(s) is ready; end it with Ctrl+C.",
                                         nullptr, command.cards));
    });
    QObject::connect(pool.get(), &EmbeddedPool::stopped, &context, [] { QCoreApplication::quit(); });
    const UnixSignals signals_([&pool](int) { pool->stop(); });
    pool->start();
    const int code = QCoreApplication::exec();
    return exitCode != ExitDone ? exitCode : code;
}

} // namespace tongchi
