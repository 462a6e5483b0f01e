#include "platform/inventory/node_draft.h"

#include <algorithm>

namespace tongchi {

void addOtherCards(const NodeReading &node, NodeDraft &draft)
{
    for (const auto &resource : node.resources()) {
        const ResourceMeaning &meaning = resource.meaning;
        const bool known = meaning.kind == ResourceKind::Cards;
        if (meaning.vendor != Vendor::Other || (!known && meaning.kind != ResourceKind::Unknown) ||
            !resource.readable || resource.capacity == 0) {
            continue;
        }
        const StringId vendorName = node.intern(meaning.vendorName);
        const StringId name = node.intern(resource.amount->name);
        if (hasCardsOf(draft, Vendor::Other, vendorName)) {
            // A register listed them already, or another resource of the vendor did: a second name for the
            // same cards, unless it is one that counts cards of its own.
            bool registered = false;
            for (const DraftCard &card : draft.cards)
                registered = registered || (card.record.vendorName == vendorName &&
                                            card.record.sources.testFlag(CardSource::Hami));
            if (registered || !known) {
                for (DraftCard &card : draft.cards) {
                    if (registered && card.record.vendorName == vendorName && card.record.resource == 0)
                        card.record.resource = name;
                }
                continue;
            }
        }
        if (!known && resource.capacity > 1024) {
            draft.notes.push_back(resource.amount->name + ": " + std::to_string(resource.capacity) +
                                  " are too many to be cards");
            continue;
        }
        CardRecord pattern{
            .vendor = Vendor::Other, .vendorName = vendorName, .sources = CardSource::Capacity};
        pattern.model = node.intern(meaning.model);
        pattern.modelReported = pattern.model;
        pattern.modelSource = node.intern("name of the resource");
        pattern.resource = name;
        addAlikeCards(draft, pattern, resource.capacity);
    }
    for (const auto &resource : node.resources()) {
        const bool lonely = resource.meaning.vendor == Vendor::Other && resource.capacity > 0 &&
                            resource.meaning.kind == ResourceKind::Shares &&
                            !hasCardsOf(draft, Vendor::Other, node.intern(resource.meaning.vendorName));
        if (lonely)
            draft.notes.push_back(resource.amount->name +
                                  ": only shares are reported, not how many cards there are");
    }
}

} // namespace tongchi
