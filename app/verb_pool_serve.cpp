#include "app/verb_pool_serve.h"

#include "app/embedded_clusters.h"
#include "app/unix_signals.h"
#include "models/common/error_text.h"
#include "models/common/json_text.h"

#include <QCoreApplication>
#include <cstdio>

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
        std::fprintf(stderr, "tongchi: %s\n", errorLine(error).toUtf8().constData());
        exitCode = ExitFailed;
        QCoreApplication::exit(ExitFailed);
    });
    QObject::connect(pool.get(), &EmbeddedPool::started, &context, [&](const PoolInfo &info) {
        QString file = command.writeKubeconfig;
        if (!file.isEmpty()) {
            if (const Status written = pool->writeKubeconfig(file); !written) {
                std::fprintf(stderr, "tongchi: %s\n", errorLine(written.error()).toUtf8().constData());
                exitCode = ExitFailed;
                QCoreApplication::exit(ExitFailed);
                return;
            }
        }
        const QByteArray line = readyLine(info, file);
        std::fwrite(line.constData(), 1, std::size_t(line.size()), stdout);
        std::fflush(stdout);
        std::fprintf(stderr, "tongchi: simulated pool of %d cards is ready; end it with Ctrl+C\n",
                     command.cards);
    });
    QObject::connect(pool.get(), &EmbeddedPool::stopped, &context, [] { QCoreApplication::quit(); });
    const UnixSignals signals_([&pool] { pool->stop(); });
    pool->start();
    const int code = QCoreApplication::exec();
    return exitCode != ExitDone ? exitCode : code;
}

} // namespace tongchi
