#pragma once

#include "tests/real/support/bed.h"
#include "tests/real/support/inventory_output.h"
#include "tests/support/wait.h"

#include <QJsonArray>
#include <QProcess>
#include <QStringList>

namespace tongchi::real {

/// A running `tongchi inventory --watch --output json`, read as another program reads it: the first document,
/// then what its lines say has changed. Needs the event loop; ended by stop() or with this object.
class WatchedInventory
{
public:
    WatchedInventory(const Bed &bed, const QStringList &arguments);
    ~WatchedInventory();

    bool hasBegun() const { return m_begun; } ///< the first document has come
    const Cards &cards() const { return m_cards; }
    /// As last told: a line has them when one is lost or back.
    const QJsonArray &clusters() const { return m_clusters; }
    /// State of each cluster in the order in which it was told, without repeats: "live", "late".
    QStringList statesOf(const QString &cluster) const { return m_states.value(cluster); }
    /// What the stream itself gets wrong: a card twice, a removal of what was never shown, a wrong count.
    const QStringList &problems() const { return m_problems; }
    /// Standard error so far.
    QByteArray messages() const { return m_messages; }
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    /// Exit code after SIGTERM, as a service manager would end it; -1 when it does not end.
    int stop();

    template <typename Condition> bool waitFor(Condition condition, std::chrono::milliseconds limit)
    {
        return test::waitUntil([&] { return m_begun && condition(m_cards); }, limit);
    }

private:
    void read();
    void take(const QJsonObject &value);
    void noteClusters(const QJsonObject &value);

    QProcess m_process;
    QByteArray m_text; ///< of a value whose end has not come
    qsizetype m_scanned = 0;
    int m_depth = 0;
    bool m_inString = false, m_escaped = false;
    bool m_begun = false;
    Cards m_cards;
    QJsonArray m_clusters;
    QHash<QString, QStringList> m_states;
    QStringList m_problems;
    QByteArray m_messages;
};

/// An exit code of a watch that was told to end: 0, or 3 where a source that was asked again, of a server
/// that had just come back, had not answered yet.
inline bool endedWell(int code)
{
    return code == 0 || code == 3;
}

} // namespace tongchi::real
