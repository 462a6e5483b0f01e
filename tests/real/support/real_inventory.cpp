#include "tests/real/support/real_inventory.h"

#include "models/inventory/inventory_export.h"

#include <QDeadlineTimer>
#include <QJsonDocument>

namespace tongchi::real {

LiveInventory::LiveInventory(const Bed &bed, const Clock *clock)
    : m_bed(bed), m_clock(clock ? clock : &m_services.clock), m_inventory(m_services.strings, *m_clock, {})
{
}

void LiveInventory::open(const QString &context, const QString &prometheus, const Adjust &adjust)
{
    openContext(m_bed.context(context), prometheus, adjust);
}

void LiveInventory::openContext(const KubeContext &context, const QString &prometheus, const Adjust &adjust)
{
    SessionOptions options =
        m_services.sessionFor(context, {}, prometheus.isEmpty() ? QStringList() : QStringList{prometheus});
    if (adjust)
        adjust(options);
    SessionEnvironment environment = m_services.sessionEnvironment();
    environment.clock = m_clock;
    m_inventory.addSource(
        std::make_unique<ClusterSession>(m_services.nextClusterId(), std::move(options), environment));
}

bool LiveInventory::waitUntilComplete(std::chrono::milliseconds limit)
{
    return test::waitUntil([this] { return m_inventory.isComplete(); }, limit);
}

bool LiveInventory::reach(SourceState state, std::chrono::milliseconds limit)
{
    return test::waitUntil([&] { return status().kubernetes.state == state; }, limit);
}

QJsonObject LiveInventory::document() const
{
    return QJsonDocument::fromJson(
               inventoryJson(m_inventory.store(), m_inventory.table().rows(), m_inventory.clock().now()))
        .object();
}

void LiveInventory::expectTruth(const char *when)
{
    // The truth moves too: it is asked for again while the two differ.
    ClusterTruth truth, shown;
    QDeadlineTimer deadline(patience);
    while (!deadline.hasExpired()) {
        truth = truthOf(m_bed);
        QDeadlineTimer asking(1'000);
        do {
            m_inventory.table().sortNow();
            shown = shownIn(document());
            if (shown == truth)
                return;
            // Not at every event: a document of a thousand nodes costs a while.
            (void)test::waitUntil([&asking] { return asking.hasExpired(); }, std::chrono::milliseconds(100));
        } while (!asking.hasExpired());
    }
    ADD_FAILURE() << when << ": " << differenceOf(shown, truth);
}

Finished RealInventory::run(const QStringList &arguments) const
{
    return bed.tongchi(QStringList{QStringLiteral("inventory"), QStringLiteral("--kubeconfig"),
                                   bed.kubeconfigPath(), QStringLiteral("--output"), QStringLiteral("json")} +
                       arguments);
}

QJsonObject RealInventory::inventory(const QStringList &arguments) const
{
    const Finished done = run(arguments);
    EXPECT_EQ(done.code, 0) << done.messages.toStdString();
    return done.object();
}

void RealInventory::expectTruth(const char *when) const
{
    ClusterTruth truth, shown;
    QDeadlineTimer deadline(patience);
    do {
        truth = truthOf(bed);
        shown = shownIn(inventory());
        if (shown == truth)
            return;
    } while (!deadline.hasExpired());
    ADD_FAILURE() << when << ": " << differenceOf(shown, truth);
}

void RealInventory::expectSame(WatchedInventory &watch, const char *when) const
{
    Cards fresh;
    QDeadlineTimer deadline(patience);
    do {
        fresh = cardsOf(inventory());
        if (watch.waitFor([&fresh](const Cards &cards) { return cards == fresh; }, std::chrono::seconds(2)))
            break;
    } while (!deadline.hasExpired());
    EXPECT_EQ(watch.cards() == fresh, true) << when << ": " << differenceOf(watch.cards(), fresh);
    EXPECT_EQ(watch.problems().join(QLatin1Char('\n')), QString()) << when;
}

} // namespace tongchi::real
