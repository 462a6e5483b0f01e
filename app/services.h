#pragma once

#include "app/command_line.h"
#include "app/live_context.h"
#include "app/plugin_messages.h"
#include "models/inventory/inventory_controller.h"
#include "platform/inventory/cluster_session.h"
#include "platform/inventory/device_catalog.h"
#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/login_path.h"
#include "platform/metrics/metric_catalog.h"
#include "platform/simulator/embedded_pool.h"

#include <QHash>
#include <memory>

namespace tongchi {

/// Owns what the whole program shares, in the order in which it is needed. GUI thread.
class Services
{
public:
    Services();
    ~Services();

    StringPool strings;
    SystemClock clock;
    DeviceCatalog devices;
    MetricCatalog metrics;
    std::shared_ptr<LoginPath> loginPath;
    PluginMessages pluginMessages;

    SessionEnvironment sessionEnvironment();
    ConnectionEnvironment connectionEnvironment();
    quint32 nextClusterId() { return ++m_lastClusterId; }

    /// Options of a session for one context, which takes over what is written into the kubeconfig later.
    /// `prometheus`: [CLUSTER=]URL of the command line.
    SessionOptions sessionFor(std::shared_ptr<const LiveContext> context,
                              std::shared_ptr<const ExecConsent> consent, const QStringList &prometheus = {});
    /// The same with the context as it is.
    SessionOptions sessionFor(const KubeContext &context, std::shared_ptr<const ExecConsent> consent,
                              const QStringList &prometheus = {});

private:
    quint32 m_lastClusterId = 0;
};

/// Agrees to everything (--allow-exec) or to nothing.
class FixedConsent final : public ExecConsent
{
public:
    explicit FixedConsent(bool allowed) : m_allowed(allowed) {}
    bool isAllowed(const ExecCommand &) const override { return m_allowed; }

private:
    bool m_allowed;
};

/// The files of --kubeconfig, each of which may be a list with ":" as in KUBECONFIG.
QList<FilePath> kubeconfigFilesOf(const QStringList &typed);

/// The address among [CLUSTER=]URL that means this cluster; the last one wins.
std::optional<QString> prometheusFor(const QString &cluster, const QStringList &entries);

/// Error Invalid, with the known names, for a CLUSTER=URL whose cluster is none of these.
[[nodiscard]] Status checkPrometheusNames(const QStringList &entries, const QStringList &clusters);

/// The contexts that the command line means: the named ones, all, or the current one. When there is none,
/// the error is the first of the kubeconfig's notes.
[[nodiscard]] Result<QList<KubeContext>> chosenContexts(const Kubeconfig &kubeconfig,
                                                        const CommandLine &command);

/// Error NotFound, with the known names, for a --context that is no cluster of the embedded pool.
[[nodiscard]] Status checkPoolContexts(const QStringList &names, const QList<PoolCluster> &clusters);

} // namespace tongchi
