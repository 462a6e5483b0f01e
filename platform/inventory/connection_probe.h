#pragma once

#include "platform/http/connection_settings.h"
#include "platform/inventory/cluster_session.h"

#include <QObject>
#include <QStringList>
#include <QThread>
#include <functional>
#include <optional>

namespace tongchi {

/// One question of a connection test, in this order.
enum class ProbeStep { Kubernetes, Cards, Engines, Permission, Metrics };

/// What came of it. Facts only: the words are made by whoever shows them.
struct ProbeAnswer
{
    ProbeStep step = ProbeStep::Kubernetes;
    std::optional<Error> error;
    std::chrono::milliseconds elapsed{};
    QString version; ///< Kubernetes or Prometheus
    QString user;    ///< as the server knows it
    std::optional<qint64> nodes;
    std::optional<qint64> slices; ///< ResourceSlices; nullopt: no DRA, or not allowed
    QStringList engines;          ///< "Kueue v1beta2"
    QStringList unknownEngines;   ///< groups whose server did not answer
    bool mayListNodes = false, mayListPods = false, mayChangeNodes = false;
    QStringList missingRights; ///< "patch nodes"
    QString via;               ///< how Prometheus was reached
    std::optional<std::chrono::milliseconds> clockSkew;
};

class ProbeWorker;

/// Tests a connection without connecting it: version, cards, engines, rights, Prometheus. Runs in a thread of
/// its own; this object stays on the GUI thread. A test that is destroyed is given up.
class ConnectionProbe : public QObject
{
    Q_OBJECT
public:
    explicit ConnectionProbe(SessionOptions options, QObject *parent = nullptr);
    ~ConnectionProbe() override;
    void start();

Q_SIGNALS:
    void answered(const tongchi::ProbeAnswer &answer);
    void finished();

private:
    QThread m_thread;
    ProbeWorker *m_worker;
};

} // namespace tongchi

Q_DECLARE_METATYPE(tongchi::ProbeAnswer)
