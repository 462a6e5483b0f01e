#pragma once

#include "app/embedded_clusters.h"
#include "models/inventory/inventory_controller.h"
#include "platform/http/http_client.h"
#include "platform/inventory/cluster_session.h"
#include "platform/inventory/device_catalog.h"
#include "platform/metrics/metric_catalog.h"
#include "tests/support/shifted_clock.h"
#include "tests/support/wait.h"

#include <QTemporaryDir>
#include <gtest/gtest.h>
#include <set>

namespace tongchi::test {

/// The embedded pool, real sessions of its clusters with short pauses, and the models over them: everything
/// between the socket and the table. GUI thread.
class RunningPool : public ::testing::Test
{
protected:
    void SetUp() override;
    void TearDown() override;

    /// Short pauses for a session, so that a test does not wait for an operator's patience.
    static SessionOptions hurried(SessionOptions options);
    SessionOptions optionsOf(const PoolCluster &cluster);
    void addSession(SessionOptions options);
    /// One session for each cluster of the pool.
    void addSessions();
    bool waitUntilWhole();
    /// All of them live, whole and with metrics.
    bool isWhole() const;

    /// Identity of every row; a row that is there twice fails the test.
    std::multiset<QByteArray> rows() const;
    std::multiset<QByteArray> rowsOf(const QString &cluster) const;
    ClusterStatus status(const QString &cluster) const;
    /// Asks the server itself.
    HttpResponse ask(const QByteArray &method, const QByteArray &path, int cluster = 0);
    /// A node with cards, deleted on the server.
    QByteArray deleteNode(const QString &cluster);
    static void forget(std::multiset<QByteArray> &rows, const QByteArray &node);

    ShiftedClock clock;
    StringPool strings;
    DeviceCatalog devices = DeviceCatalog::builtIn();
    MetricCatalog metrics = MetricCatalog::builtIn();
    std::unique_ptr<EmbeddedPool> pool;
    std::unique_ptr<InventoryController> inventory;
    quint32 lastId = 0;
};

} // namespace tongchi::test
