#pragma once

#include "app/services.h"
#include "models/inventory/inventory_controller.h"
#include "tests/real/support/bed.h"
#include "tests/real/support/cluster_truth.h"
#include "tests/real/support/real_test.h"
#include "tests/real/support/watched_inventory.h"

#include <functional>

namespace tongchi::real {

/// Long enough for a machine that builds something else meanwhile; conditions are waited for, so a good run
/// is short.
constexpr std::chrono::seconds patience{30};
/// What an operator is promised between a change and its being shown.
constexpr std::chrono::milliseconds promisedDelay{1'000};

/// The console's sessions and models in this process.
class LiveInventory
{
public:
    using Adjust = std::function<void(SessionOptions &)>;

    /// `clock`: what the console takes for the time; null: the machine's. It outlives this object.
    explicit LiveInventory(const Bed &bed, const Clock *clock = nullptr);
    /// Starts a session of a context of the bed. `prometheus`: address, or empty.
    void open(const QString &context, const QString &prometheus = {}, const Adjust &adjust = {});
    void openContext(const KubeContext &context, const QString &prometheus = {}, const Adjust &adjust = {});

    InventoryController &controller() { return m_inventory; }
    const CardStore &store() const { return m_inventory.store(); }
    const Clock &clock() const { return m_inventory.clock(); }
    ClusterStatus status() const { return m_inventory.statuses().constFirst(); }
    bool waitUntilComplete(std::chrono::milliseconds limit = patience);
    bool reach(SourceState state, std::chrono::milliseconds limit = patience);
    /// As `--output json` has it.
    QJsonObject document() const;
    /// Waits until what is shown equals what kubectl says; fails the test otherwise.
    void expectTruth(const char *when);

private:
    const Bed &m_bed;
    Services m_services;
    const Clock *m_clock;
    InventoryController m_inventory;
};

/// `tongchi inventory` on the bed.
class RealInventory : public ::testing::Test
{
protected:
    Finished run(const QStringList &arguments) const;
    /// A run that has to end with 0.
    QJsonObject inventory(const QStringList &arguments) const;
    /// The cluster as the administrator sees it.
    QJsonObject inventory() const { return inventory({QStringLiteral("--context"), QStringLiteral("real")}); }
    /// A fresh run says what kubectl says.
    void expectTruth(const char *when) const;
    /// What the stream has added up is what a fresh run says, and nothing was wrong in it.
    void expectSame(WatchedInventory &watch, const char *when) const;

    Bed bed;
};

} // namespace tongchi::real
