#include "platform/simulator/embedded_pool.h"

#include "platform/simulator/kubeconfig_writer.h"
#include "platform/simulator/pool_worker.h"

namespace tongchi {

EmbeddedPool::EmbeddedPool(PoolOptions options, PoolSourceFactory factory, QObject *parent)
    : QObject(parent), m_options(std::move(options)), m_factory(std::move(factory))
{
    m_thread.setObjectName(QStringLiteral("embedded-pool"));
    connect(&m_thread, &QThread::finished, this, [this] {
        m_running = false;
        m_worker = nullptr; // deleted at the end of its thread
        Q_EMIT stopped();
    });
}

EmbeddedPool::~EmbeddedPool()
{
    m_thread.disconnect(this);
    m_thread.quit();
    m_thread.wait();
}

void EmbeddedPool::start()
{
    if (m_worker)
        return;
    m_worker = new simulator::PoolWorker(m_options, m_factory);
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, m_worker, &simulator::PoolWorker::start);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &simulator::PoolWorker::started, this, [this](const PoolInfo &info) {
        m_info = info;
        m_running = true;
        Q_EMIT started(m_info);
    });
    connect(m_worker, &simulator::PoolWorker::failed, this, [this](const Error &error) {
        m_thread.quit();
        Q_EMIT failed(error);
    });
    connect(m_worker, &simulator::PoolWorker::tokensChanged, this, [this](const PoolInfo &info) {
        m_info = info;
        Q_EMIT tokensChanged();
    });
    m_thread.start();
}

void EmbeddedPool::stop()
{
    m_thread.quit();
}

Status EmbeddedPool::writeKubeconfig(const QString &path) const
{
    return simulator::writePrivateFile(path, kubeconfig());
}

QByteArray EmbeddedPool::kubeconfig() const
{
    return simulator::kubeconfigText(m_info);
}

void EmbeddedPool::injectFault(const InjectedFault &fault, const QString &cluster)
{
    if (!m_worker)
        return;
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, fault, cluster] { worker->injectFault(fault, cluster); },
        Qt::QueuedConnection);
}

void EmbeddedPool::injectFault(PoolFault fault, const QString &cluster, std::chrono::milliseconds duration)
{
    injectFault({.fault = fault, .duration = duration}, cluster);
}

} // namespace tongchi
