#include "models/inventory/filter_suggestions.h"

#include "models/inventory/card_cell.h"

#include <QHash>
#include <QMap>
#include <algorithm>

namespace tongchi {
namespace {

QString quotedValue(const QString &value)
{
    return value.contains(u' ') || value.contains(u',') ? u'"' + value + u'"' : value;
}

/// Every value a key has among the given cards, with its count.
QMap<QString, std::pair<QString, std::uint32_t>> valuesOf(const CardStore &store, FilterKey key,
                                                          const std::vector<CardIndex> &cards)
{
    QMap<QString, std::pair<QString, std::uint32_t>> values;
    const StringPool &strings = store.strings();
    const auto add = [&values](const QString &value, const QString &shown) {
        if (value.isEmpty())
            return;
        auto &entry = values[value];
        entry.first = shown;
        ++entry.second;
    };
    // Counting by number first keeps texts out of the loop over all cards.
    std::vector<std::uint32_t> byModel(store.modelCount()), byNode(store.nodeSlots()), byLabel(5),
        byCondition(cardConditionCount);
    QHash<StringId, std::uint32_t> byWorkload;
    for (const CardIndex card : cards) {
        switch (key) {
        case FilterKey::Vendor:
        case FilterKey::Model:
        case FilterKey::Variant:
            ++byModel[store.modelIndexOf(card)];
            break;
        case FilterKey::Region:
        case FilterKey::Node:
        case FilterKey::Cluster:
            ++byNode[store.nodeIndexOf(card)];
            break;
        case FilterKey::Label:
            ++byLabel[std::size_t(store.labelOf(card))];
            break;
        case FilterKey::Health:
            ++byCondition[std::size_t(conditionOf(store, card))];
            break;
        case FilterKey::Workload:
        case FilterKey::Owner:
            ++byWorkload[store.workloadText(card)];
            break;
        default:
            break;
        }
    }
    const auto addCount = [&](const QString &value, const QString &shown, std::uint32_t count) {
        if (count == 0)
            return;
        add(value, shown);
        if (!value.isEmpty())
            values[value].second += count - 1;
    };
    for (std::uint16_t i = 0; i < byModel.size(); ++i) {
        const ModelFacts &facts = store.model(i);
        if (key == FilterKey::Vendor) {
            const QString word = facts.vendor == Vendor::Nvidia   ? QStringLiteral("nvidia")
                                 : facts.vendor == Vendor::Ascend ? QStringLiteral("ascend")
                                 : facts.vendor == Vendor::Cambricon
                                     ? QStringLiteral("cambricon")
                                     : strings.text(facts.vendorName).toLower();
            addCount(word, vendorText(facts.vendor, strings.text(facts.vendorName)), byModel[i]);
        } else if (key == FilterKey::Model) {
            addCount(strings.text(facts.model).toLower(), modelText(store, i), byModel[i]);
        } else {
            addCount(strings.text(facts.variant).toLower(), strings.text(facts.variant), byModel[i]);
        }
    }
    for (std::uint32_t i = 0; i < byNode.size(); ++i) {
        const StoredNode &node = store.node(i);
        if (key == FilterKey::Region) {
            addCount(strings.text(node.facts.region).toLower(), regionText(strings.text(node.facts.region)),
                     byNode[i]);
        } else if (key == FilterKey::Node) {
            addCount(strings.text(node.facts.name), strings.text(node.facts.name), byNode[i]);
        } else if (const ClusterStatus *status = store.status(node.clusterId)) {
            addCount(status->name.toLower(), status->name, byNode[i]);
        }
    }
    for (int i = 0; i < 5; ++i)
        addCount(i == 0 ? QStringLiteral("unknown") : QString::fromLatin1(labelKey(BusinessLabel(i))),
                 labelText(BusinessLabel(i)), byLabel[std::size_t(i)]);
    for (int i = 0; i < cardConditionCount; ++i)
        addCount(QString::fromLatin1(conditionKey(CardCondition(i))), conditionText(CardCondition(i)),
                 byCondition[std::size_t(i)]);
    for (auto it = byWorkload.cbegin(); it != byWorkload.cend(); ++it) {
        const QStringList parts = strings.text(it.key()).split(QStringLiteral(" + "), Qt::SkipEmptyParts);
        for (const QString &part : parts)
            addCount(part, part, it.value());
    }
    return values;
}

} // namespace

QList<FilterSuggestion> filterSuggestions(const CardStore &store, const QString &text, qsizetype cursor,
                                          Instant now, int most)
{
    QList<FilterToken> tokens = parseFilter(text);
    qsizetype under = -1;
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        if (cursor > tokens.at(i).start && cursor <= tokens.at(i).start + tokens.at(i).length)
            under = i;
    }
    QString word;
    if (under >= 0) {
        word = text.mid(tokens.at(under).start, cursor - tokens.at(under).start);
        tokens.removeAt(under);
    }
    const bool negated = word.startsWith(u'-');
    const QString sign = negated ? QStringLiteral("-") : QString();
    if (negated)
        word.remove(0, 1);
    word.replace(QChar(0xFF1A), u':');
    QList<FilterSuggestion> suggestions;
    const qsizetype colon = word.indexOf(u':');
    if (colon < 0) {
        const QString typed = word.toLower();
        const QList<FilterKey> keys = filterKeys();
        for (const FilterKey key : keys) {
            const QStringList names = filterKeyNames(key);
            const auto fits = std::find_if(names.begin(), names.end(),
                                           [&typed](const QString &name) { return name.startsWith(typed); });
            if (fits == names.end())
                continue;
            const QString name = filterKeyName(key);
            suggestions << FilterSuggestion{sign + name + (isNumericKey(key) ? u'<' : u':'),
                                            *fits == name ? name : *fits + QStringLiteral("  ") + name,
                                            {}};
        }
        if (typed.isEmpty())
            return suggestions.mid(0, most);
    }
    const std::vector<CardIndex> cards = CardFilter(store, tokens, now).run().cards;
    QList<FilterKey> keys;
    QString typed;
    if (colon >= 0) {
        const QList<FilterToken> parsed = parseFilter(word.left(colon) + QStringLiteral(":x"));
        if (parsed.isEmpty() || parsed.first().error || parsed.first().key == FilterKey::FreeText ||
            isNumericKey(parsed.first().key))
            return suggestions;
        keys << parsed.first().key;
        const QString value = word.mid(colon + 1);
        typed = value.mid(value.lastIndexOf(u',') + 1).remove(u'"').toLower();
    } else {
        keys << FilterKey::Model << FilterKey::Vendor << FilterKey::Region << FilterKey::Label
             << FilterKey::Health << FilterKey::Workload << FilterKey::Node;
        typed = word.toLower();
    }
    const QString before = colon >= 0 ? word.mid(colon + 1, word.lastIndexOf(u',') - colon) : QString();
    QList<FilterSuggestion> values;
    for (const FilterKey key : std::as_const(keys)) {
        const auto all = valuesOf(store, key, cards);
        for (auto it = all.cbegin(); it != all.cend(); ++it) {
            const auto &[shown, count] = it.value();
            if (!typed.isEmpty() && !it.key().contains(typed) && !shown.toLower().contains(typed))
                continue;
            if (colon < 0 && typed.size() < 2)
                continue;
            const std::uint32_t left = negated ? std::uint32_t(cards.size()) - count : count;
            values << FilterSuggestion{sign + filterKeyName(key) + u':' +
                                           (before.contains(u',') ? before : QString()) +
                                           quotedValue(it.key()),
                                       shown, left};
        }
    }
    std::stable_sort(values.begin(), values.end(), [](const FilterSuggestion &a, const FilterSuggestion &b) {
        return a.count.value_or(0) > b.count.value_or(0);
    });
    suggestions << values;
    return suggestions.mid(0, most);
}

} // namespace tongchi
