#pragma once

#include "models/inventory/inventory_controller.h"
#include "models/inventory/inventory_export.h"
#include "models/inventory/inventory_watch.h"

#include <gtest/gtest.h>
#include <map>

namespace tongchi::test {

using CardFacts = std::map<QByteArray, QByteArray>;

/// Every listed card of a cluster by its identity, with all that is said about it apart from what changes
/// with every poll. A card that is listed twice fails the test.
inline CardFacts factsOf(const InventoryController &inventory, const QString &cluster)
{
    CardFacts facts;
    const CardStore &store = inventory.store();
    for (const CardIndex card : inventory.table().rows()) {
        const ClusterStatus *of = store.status(store.node(store.nodeIndexOf(card)).clusterId);
        if (!of || of->name != cluster)
            continue;
        QByteArray json = cardJson(store, card);
        for (const char *measured :
             {"\"memory_used_bytes\":", "\"utilization_percent\":", "\"temperature_celsius\":",
              "\"power_watts\":", "\"condition\":", "\"as_of\":"}) {
            const qsizetype begin = json.indexOf(measured);
            const qsizetype end = begin < 0 ? -1 : json.indexOf(',', begin); // none: the last one
            EXPECT_GE(begin, 0) << measured;
            json.remove(begin, end < 0 ? json.size() - begin : end + 1 - begin);
        }
        const QByteArray identity = InventoryWatch::identity(store, card);
        EXPECT_TRUE(facts.emplace(identity, json).second) << "twice: " << identity.constData();
    }
    return facts;
}

/// Nothing is shown but what was so before or is so now, and nothing is missing that was and is there.
inline void expectNothingElse(const CardFacts &shown, const CardFacts &before, const CardFacts &truth)
{
    for (const auto &[identity, facts] : shown) {
        const auto was = before.find(identity), is = truth.find(identity);
        if (was == before.end()) // a new one may still be on its way to what it is now
            EXPECT_TRUE(is != truth.end()) << "ghost: " << identity.constData();
        else
            EXPECT_TRUE(was->second == facts || (is != truth.end() && is->second == facts))
                << facts.constData();
    }
    for (const auto &[identity, facts] : before)
        EXPECT_TRUE(shown.count(identity) || !truth.count(identity)) << "missing: " << identity.constData();
}

/// For a message: what one side has and the other has not, or has otherwise.
inline std::string differenceOf(const CardFacts &shown, const CardFacts &truth)
{
    std::string text =
        std::to_string(shown.size()) + " cards shown, " + std::to_string(truth.size()) + " are the truth";
    const auto add = [&text](const char *what, const QByteArray &card) {
        if (text.size() < 4'000)
            text += std::string("\n  ") + what + ": " + card.toStdString();
    };
    for (const auto &[identity, facts] : shown) {
        const auto found = truth.find(identity);
        if (found == truth.end())
            add("ghost", identity);
        else if (found->second != facts)
            add("otherwise", facts + "\n     not " + found->second);
    }
    for (const auto &[identity, facts] : truth) {
        if (!shown.count(identity))
            add("missing", identity);
    }
    return text;
}

} // namespace tongchi::test
