#include "models/inventory/inventory_watch.h"

#include "models/common/json_text.h"
#include "models/inventory/inventory_export.h"

#include <QCryptographicHash>
#include <algorithm>
#include <iterator>

namespace tongchi {

InventoryWatch::Changes InventoryWatch::take(std::span<const CardIndex> listed)
{
    Changes changes;
    std::unordered_map<CardIndex, Printed> now;
    now.reserve(listed.size());
    std::vector<QByteArray> left, come;
    for (const CardIndex card : listed) {
        Printed printed{QCryptographicHash::hash(cardJson(m_store, card), QCryptographicHash::Md5),
                        identity(m_store, card)};
        const auto before = m_printed.find(card);
        if (before == m_printed.end() || before->second.digest != printed.digest)
            changes.changed.push_back(card);
        if (before == m_printed.end()) {
            come.push_back(printed.identity);
        } else if (before->second.identity != printed.identity) {
            left.push_back(before->second.identity);
            come.push_back(printed.identity);
        }
        now.emplace(card, std::move(printed));
    }
    for (const auto &[card, printed] : m_printed) {
        if (!now.contains(card))
            left.push_back(printed.identity);
    }
    // A card that only moved to another index is still there.
    std::sort(left.begin(), left.end());
    std::sort(come.begin(), come.end());
    std::set_difference(left.begin(), left.end(), come.begin(), come.end(),
                        std::back_inserter(changes.removed));
    m_printed = std::move(now);
    changes.cards = m_printed.size();
    return changes;
}

QByteArray InventoryWatch::identity(const CardStore &store, CardIndex card)
{
    const StringPool &strings = store.strings();
    const StoredNode &node = store.node(store.nodeIndexOf(card));
    const ClusterStatus *status = store.status(node.clusterId);
    const CardRecord record = store.details(card);
    QByteArray text;
    JsonText json(&text);
    json.beginObject();
    json.key("cluster").string(status ? status->name : QString());
    json.key("node").string(strings.utf8(node.facts.name));
    json.key("vendor").string(strings.utf8(record.vendorName));
    json.key("slot").integer(record.slot);
    json.endObject();
    return text;
}

QByteArray watchLine(const CardStore &store, const InventoryWatch::Changes &changes, Instant now)
{
    const auto list = [](QByteArray &line, const auto &items, const auto &text) {
        for (std::size_t i = 0; i < items.size(); ++i)
            line += (i ? "," : "") + text(items[i]);
    };
    QByteArray line = "{\"changed\":[";
    list(line, changes.changed, [&store](CardIndex card) { return cardJson(store, card); });
    line += "],\"removed\":" + QByteArray::number(qint64(changes.removed.size())) + ",\"removed_cards\":[";
    list(line, changes.removed, [](const QByteArray &identity) { return identity; });
    line += "],\"cards\":" + QByteArray::number(qint64(changes.cards)) + ",\"as_of\":\"" +
            rfc3339(now.time_since_epoch().count()) + "\"}\n";
    return line;
}

} // namespace tongchi
