#include "tests/real/support/watched_inventory.h"

#include <QJsonDocument>

namespace tongchi::real {

WatchedInventory::WatchedInventory(const Bed &bed, const QStringList &arguments)
{
    QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] { read(); });
    QObject::connect(&m_process, &QProcess::readyReadStandardError, &m_process,
                     [this] { m_messages += m_process.readAllStandardError(); });
    m_process.start(bed.program(), QStringList{QStringLiteral("inventory"), QStringLiteral("--watch"),
                                               QStringLiteral("--output"), QStringLiteral("json"),
                                               QStringLiteral("--kubeconfig"), bed.kubeconfigPath()} +
                                       arguments);
}

WatchedInventory::~WatchedInventory()
{
    m_process.disconnect();
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

int WatchedInventory::stop()
{
    m_process.terminate();
    if (!m_process.waitForFinished(10'000) || m_process.exitStatus() != QProcess::NormalExit)
        return -1;
    return m_process.exitCode();
}

// Values of JSON one after the other, of which only the braces outside strings tell the end.
void WatchedInventory::read()
{
    m_text += m_process.readAllStandardOutput();
    qsizetype begin = 0;
    for (; m_scanned < m_text.size(); ++m_scanned) {
        const char c = m_text.at(m_scanned);
        if (m_inString) {
            m_inString = m_escaped || c != '"';
            m_escaped = !m_escaped && c == '\\';
        } else if (c == '"') {
            m_inString = true;
        } else if (c == '{') {
            ++m_depth;
        } else if (c == '}' && --m_depth == 0) {
            const QByteArray value = m_text.mid(begin, m_scanned + 1 - begin);
            begin = m_scanned + 1;
            QJsonParseError problem;
            const QJsonDocument document = QJsonDocument::fromJson(value, &problem);
            if (document.isObject())
                take(document.object());
            else
                m_problems << QStringLiteral("not understood: ") + problem.errorString();
        }
    }
    m_text.remove(0, begin);
    m_scanned -= begin;
}

void WatchedInventory::take(const QJsonObject &value)
{
    noteClusters(value);
    if (!m_begun) {
        m_begun = true;
        for (const QJsonValue &card : value.value(QLatin1String("cards")).toArray()) {
            if (!m_cards.emplace(identityOf(card.toObject()), card.toObject()).second)
                m_problems << QStringLiteral("listed twice: ") + identityOf(card.toObject());
        }
        return;
    }
    const QJsonArray removed = value.value(QLatin1String("removed_cards")).toArray();
    if (removed.size() != value.value(QLatin1String("removed")).toInt(-1))
        m_problems << QStringLiteral("%1 removed cards are named, the line says %2")
                          .arg(removed.size())
                          .arg(value.value(QLatin1String("removed")).toInt(-1));
    for (const QJsonValue &card : removed) {
        if (m_cards.erase(identityOf(card.toObject())) == 0)
            m_problems << QStringLiteral("removed but never shown: ") + identityOf(card.toObject());
    }
    for (const QJsonValue &card : value.value(QLatin1String("changed")).toArray())
        m_cards.insert_or_assign(identityOf(card.toObject()), card.toObject());
    if (qint64(m_cards.size()) != value.value(QLatin1String("cards")).toInteger(-1))
        m_problems << QStringLiteral("%1 cards after replaying, the line says %2")
                          .arg(m_cards.size())
                          .arg(value.value(QLatin1String("cards")).toInteger(-1));
}

void WatchedInventory::noteClusters(const QJsonObject &value)
{
    if (!value.contains(QLatin1String("clusters")))
        return;
    m_clusters = value.value(QLatin1String("clusters")).toArray();
    for (const QJsonValue &entry : m_clusters) {
        const QJsonObject cluster = entry.toObject();
        QStringList &states = m_states[cluster.value(QLatin1String("name")).toString()];
        const QString state = cluster.value(QLatin1String("state")).toString();
        if (states.isEmpty() || states.constLast() != state)
            states << state;
    }
}

} // namespace tongchi::real
