#pragma once

#include "tests/app/running_pool.h"
#include "tests/faults/inventory_facts.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/qt_printers.h"

namespace tongchi::test {

/// The console with three clusters of the embedded pool, of which one is behind a bad way, and a second
/// console that asks that cluster directly: what it shows is the truth. Fails the test when another cluster
/// is disturbed, or when damaged text is shown.
class BehindProxy : public RunningPool
{
protected:
    void SetUp() override;
    void TearDown() override;

    /// Options of the cluster behind the proxy.
    SessionOptions optionsBehindProxy();
    /// All three clusters.
    void addAll();
    /// The same, and they are whole.
    void openWhole();
    void inject(const InjectedFault &fault);

    ClusterStatus faultyStatus() const { return status(faulty()); }
    SourceStatus kubernetes() const { return faultyStatus().kubernetes; }
    CardFacts shown() const { return factsOf(*inventory, faulty()); }
    CardFacts truth() const { return factsOf(*direct, faulty()); }
    bool isTheTruth() const { return direct->isComplete() && !direct->isPartial() && shown() == truth(); }
    /// A busy machine gets more time than the condition needs.
    template <typename Condition> static bool eventually(Condition condition)
    {
        return waitUntil(condition, std::chrono::seconds(15));
    }
    /// All clusters live and whole, and this one shows the truth.
    bool waitForTheTruth();

    /// Past the proxy.
    void change(const QByteArray &node, const QByteArray &mergePatch);
    /// Name of a node with cards, by number.
    QByteArray nodeOf(std::size_t number) const;
    /// One node less, one labelled and one cordoned; done when the direct console shows all of it.
    void changeThree();

    static QString faulty() { return QStringLiteral("bj-prod"); }

    bool endsTls = false;                    ///< else TLS passes through the proxy; before SetUp()
    bool compressed = true;                  ///< the answers over the proxy
    std::chrono::milliseconds patience{600}; ///< with a connection or an answer
    TestAuthority authority;
    std::unique_ptr<FaultProxy> proxy;
    std::unique_ptr<InventoryController> direct;

private:
    SessionOptions calmOptionsOf(const PoolCluster &cluster);
    void lookAround();
    void lookForDamage();

    QStringList m_disturbed; ///< other clusters that were not live for a moment
    QByteArrayList m_spoiled;
};

} // namespace tongchi::test
