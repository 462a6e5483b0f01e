#pragma once

#include "platform/inventory/card_store.h"

#include <QByteArray>
#include <span>
#include <unordered_map>
#include <vector>

namespace tongchi {

/// What `tongchi inventory --watch` has printed so far, and so what is new. Remembers a digest and the
/// identity of each card (about 200 bytes). The store outlives it; belongs to the store's thread.
class InventoryWatch
{
public:
    explicit InventoryWatch(const CardStore &store) : m_store(store) {}

    struct Changes
    {
        std::vector<CardIndex> changed;  ///< new ones and those that differ, in the given order
        std::vector<QByteArray> removed; ///< identities that are listed no longer, each a JSON object
        std::size_t cards = 0;           ///< listed now
        bool isEmpty() const { return changed.empty() && removed.empty(); }
    };

    /// Compares the listed cards with those of the call before; everything is new to the first one. An index
    /// that another card uses now counts as one card gone and one new.
    Changes take(std::span<const CardIndex> listed);
    /// Listed at the last take().
    std::size_t cards() const { return m_printed.size(); }

    /// {"cluster", "node", "vendor", "slot"}: what names a card for as long as it is there.
    static QByteArray identity(const CardStore &store, CardIndex card);

private:
    struct Printed
    {
        QByteArray digest;
        QByteArray identity;
    };
    const CardStore &m_store;
    std::unordered_map<CardIndex, Printed> m_printed;
};

/// The line of JSON for some changes, with its end of line. `now`: of as_of.
QByteArray watchLine(const CardStore &store, const InventoryWatch::Changes &changes, Instant now);

} // namespace tongchi
