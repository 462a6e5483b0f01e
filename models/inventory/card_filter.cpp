#include "models/inventory/card_filter.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tongchi {
namespace {

std::string folded(std::string_view text)
{
    std::string result(text);
    for (char &c : result) {
        if (c >= 'A' && c <= 'Z')
            c = char(c + ('a' - 'A'));
    }
    return result;
}

std::string withoutBlanks(std::string_view text)
{
    std::string result = folded(text);
    std::erase_if(result, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    return result;
}

std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), std::size_t(bytes.size())};
}

bool compares(double value, FilterOperator op, double with)
{
    switch (op) {
    case FilterOperator::Equals:
        return std::abs(value - with) < 0.5;
    case FilterOperator::Less:
        return value < with;
    case FilterOperator::LessOrEqual:
        return value <= with;
    case FilterOperator::Greater:
        return value > with;
    case FilterOperator::GreaterOrEqual:
        return value >= with;
    }
    return false;
}

std::uint8_t dimensionOf(FilterKey key)
{
    switch (key) {
    case FilterKey::Vendor:
        return VendorFacet;
    case FilterKey::Region:
        return RegionFacet;
    case FilterKey::Model:
    case FilterKey::Variant:
        return ModelFacet;
    case FilterKey::Label:
        return LabelFacet;
    case FilterKey::Health:
        return HealthFacet;
    default:
        return NoFacet;
    }
}

bool modelMatches(const CardStore &store, const ModelFacts &facts, std::string_view pattern)
{
    const StringPool &strings = store.strings();
    for (const StringId id : {facts.model, facts.variant, facts.modelReported}) {
        const std::string_view text = strings.utf8(id);
        if (text.empty())
            continue;
        if (matchesPattern(text, pattern) ||
            (pattern.find('*') == std::string_view::npos && withoutBlanks(text) == withoutBlanks(pattern)))
            return true;
    }
    return false;
}

bool vendorMatches(const CardStore &store, const ModelFacts &facts, std::string_view pattern)
{
    const auto word = [&facts] {
        switch (facts.vendor) {
        case Vendor::Nvidia:
            return "nvidia";
        case Vendor::Ascend:
            return "ascend";
        case Vendor::Cambricon:
            return "cambricon";
        case Vendor::Other:
            return "other";
        }
        return "";
    }();
    return matchesPattern(word, pattern) || matchesPattern(store.strings().utf8(facts.vendorName), pattern);
}

} // namespace

bool matchesPattern(std::string_view text, std::string_view pattern)
{
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + ('a' - 'A')) : a) == b; };
    // Greedy matching with one point of return: linear in practice, quadratic at worst, never exponential.
    std::size_t t = 0, p = 0, star = std::string_view::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && same(text[t], pattern[p])) {
            ++t;
            ++p;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

CardFilter::CardFilter(const CardStore &store, const QList<FilterToken> &tokens, Instant now)
    : m_store(store), m_now(now)
{
    for (const FilterToken &token : tokens) {
        if (!token.error)
            compile(token);
    }
    m_textMemory.resize(m_tests.size());
}

void CardFilter::compile(const FilterToken &token)
{
    Test test{.key = token.key,
              .op = token.op,
              .negated = token.negated,
              .dimension = dimensionOf(token.key),
              .number = token.number};
    for (const QString &value : token.values)
        test.values.push_back(value.toUtf8());
    const StringPool &strings = m_store.strings();
    const bool freeText = token.key == FilterKey::FreeText;
    const std::string needle = freeText ? '*' + token.values.value(0).toStdString() + '*' : std::string();

    const auto anyValue = [&test](auto &&matches) {
        return std::any_of(test.values.begin(), test.values.end(),
                           [&](const QByteArray &value) { return matches(viewOf(value)); });
    };
    switch (token.key) {
    case FilterKey::Vendor:
    case FilterKey::Model:
    case FilterKey::Variant:
    case FilterKey::FreeText:
        test.models.resize(m_store.modelCount());
        for (std::uint16_t i = 0; i < m_store.modelCount(); ++i) {
            const ModelFacts &facts = m_store.model(i);
            if (token.key == FilterKey::Vendor)
                test.models[i] =
                    anyValue([&](std::string_view value) { return vendorMatches(m_store, facts, value); });
            else if (token.key == FilterKey::Variant)
                test.models[i] = anyValue([&](std::string_view value) {
                    return matchesPattern(strings.utf8(facts.variant), value);
                });
            else if (token.key == FilterKey::Model)
                test.models[i] =
                    anyValue([&](std::string_view value) { return modelMatches(m_store, facts, value); });
            else
                test.models[i] = modelMatches(m_store, facts, needle);
        }
        break;
    default:
        break;
    }
    if (token.key == FilterKey::Region || token.key == FilterKey::Node || token.key == FilterKey::Cluster ||
        freeText) {
        test.nodes.resize(m_store.nodeSlots());
        for (std::uint32_t i = 0; i < m_store.nodeSlots(); ++i) {
            const StoredNode &node = m_store.node(i);
            if (node.facts.uid == 0)
                continue;
            if (freeText) {
                test.nodes[i] = matchesPattern(strings.utf8(node.facts.name), needle);
            } else if (token.key == FilterKey::Region) {
                test.nodes[i] = anyValue([&](std::string_view value) {
                    return matchesPattern(strings.utf8(node.facts.region), value);
                });
            } else if (token.key == FilterKey::Node) {
                test.nodes[i] = anyValue([&](std::string_view value) {
                    return matchesPattern(strings.utf8(node.facts.name), value);
                });
            } else if (const ClusterStatus *status = m_store.status(node.clusterId)) {
                const QByteArray name = status->name.toUtf8();
                test.nodes[i] =
                    anyValue([&](std::string_view value) { return matchesPattern(viewOf(name), value); });
            }
        }
    }
    if (token.key == FilterKey::Uuid || freeText) {
        std::string part =
            freeText ? token.values.value(0).toStdString() : std::string(viewOf(test.values.front()));
        std::erase(part, '*');
        test.cards.resize(m_store.cardSlots());
        if (part.size() >= 3) // shorter ones would match nearly every card by chance
            m_store.forEachUuidContaining(part, [&test](CardIndex card) { test.cards[card] = 1; });
    }
    if (token.key == FilterKey::Label) {
        for (int i = 0; i < 5; ++i) {
            const char *key = i == 0 ? "unknown" : labelKey(BusinessLabel(i));
            if (anyValue([&](std::string_view value) { return matchesPattern(key, value); }))
                test.enumMask |= 1U << i;
        }
    }
    if (token.key == FilterKey::Health) {
        for (int i = 0; i < cardConditionCount; ++i) {
            if (anyValue([&](std::string_view value) {
                    return matchesPattern(conditionKey(CardCondition(i)), value);
                }))
                test.enumMask |= 1U << i;
        }
    }
    if (token.key == FilterKey::Flag) {
        for (int i = 0; i < 16; ++i) {
            if (anyValue([&](std::string_view value) {
                    return matchesPattern(flagName(CardFlag(1U << i)), value);
                }))
                test.enumMask |= 1U << i;
        }
    }
    m_tests.push_back(std::move(test));
}

bool CardFilter::stringMatches(const Test &test, StringId id, std::vector<std::int8_t> &memory, bool parts)
{
    if (id == 0)
        return false;
    if (memory.size() <= id)
        memory.resize(m_store.strings().size(), -1);
    std::int8_t &known = memory[id];
    if (known < 0) {
        known = 0;
        const std::string_view text = m_store.strings().utf8(id);
        for (const QByteArray &value : test.values) {
            if (test.key == FilterKey::FreeText) {
                known = text.find(viewOf(value)) != std::string_view::npos; // Kubernetes names are lower case
            } else if (parts) {
                std::string_view rest = text; // "a + b" or "namespace/pod"
                const std::string_view separator = test.key == FilterKey::Pod ? "/" : " + ";
                known = matchesPattern(rest, viewOf(value));
                while (!known && !rest.empty()) {
                    const auto at = rest.find(separator);
                    known = matchesPattern(rest.substr(0, at), viewOf(value));
                    rest = at == std::string_view::npos ? std::string_view()
                                                        : rest.substr(at + separator.size());
                }
            } else {
                known = matchesPattern(text, viewOf(value));
            }
            if (known)
                break;
        }
    }
    return known == 1;
}

bool CardFilter::passes(Test &test, CardIndex card)
{
    auto &memory = m_textMemory[std::size_t(&test - m_tests.data())];
    const auto number = [&test](std::optional<double> value) {
        // What is not reported is neither below nor above: a negated comparison does not find it either.
        return value && !std::isnan(*value) ? compares(*value, test.op, test.number) != test.negated : false;
    };
    const auto said = [&test](bool matches) { return matches != test.negated; };
    const auto asDouble = [](std::optional<std::int64_t> value) {
        return value ? std::optional(double(*value)) : std::nullopt;
    };
    switch (test.key) {
    case FilterKey::Vendor:
    case FilterKey::Model:
    case FilterKey::Variant:
        return said(test.models[m_store.modelIndexOf(card)]);
    case FilterKey::Region:
    case FilterKey::Node:
    case FilterKey::Cluster:
        return said(test.nodes[m_store.nodeIndexOf(card)]);
    case FilterKey::Label:
        return said(test.enumMask >> int(m_store.labelOf(card)) & 1U);
    case FilterKey::Health:
        return said(test.enumMask >> int(conditionOf(m_store, card)) & 1U);
    case FilterKey::Flag:
        return said((test.enumMask & std::uint32_t(m_store.flagsOf(card).toInt())) != 0);
    case FilterKey::Uuid:
        return said(test.cards[card]);
    case FilterKey::Workload:
    case FilterKey::Owner:
        return said(stringMatches(test, m_store.workloadText(card), memory, true));
    case FilterKey::Pod: {
        const auto pods = m_store.podsOf(card);
        return said(std::any_of(pods.begin(), pods.end(),
                                [&](StringId pod) { return stringMatches(test, pod, memory, true); }));
    }
    case FilterKey::Driver:
        return said(stringMatches(test, m_store.details(card).driver, memory, false));
    case FilterKey::FreeText: {
        if (test.models[m_store.modelIndexOf(card)] || test.nodes[m_store.nodeIndexOf(card)] ||
            test.cards[card] || stringMatches(test, m_store.workloadText(card), memory, false))
            return said(true);
        const auto pods = m_store.podsOf(card);
        return said(std::any_of(pods.begin(), pods.end(),
                                [&](StringId pod) { return stringMatches(test, pod, memory, false); }));
    }
    case FilterKey::Utilization:
        return number(double(m_store.utilizationOf(card)));
    case FilterKey::Temperature:
        return number(double(m_store.temperatureOf(card)));
    case FilterKey::Power:
        return number(double(m_store.powerOf(card)));
    case FilterKey::Memory:
        return number(asDouble(m_store.memoryBytesOf(card)));
    case FilterKey::Shares:
        return number(double(m_store.sharesOf(card)));
    case FilterKey::FreeMemory: {
        const auto total = m_store.memoryBytesOf(card);
        const auto used = m_store.memoryUsedBytesOf(card);
        return number(total && used ? std::optional(double(*total - *used)) : std::nullopt);
    }
    case FilterKey::Age: {
        const auto at = m_store.sampledAt(card);
        return number(at ? std::optional(double((m_now - *at).count()) / 1000.0) : std::nullopt);
    }
    }
    return false;
}

bool CardFilter::matches(CardIndex card)
{
    return std::all_of(m_tests.begin(), m_tests.end(), [&](Test &test) { return passes(test, card); });
}

FilterResult CardFilter::run()
{
    FilterResult result;
    result.facets.byModel.resize(m_store.modelCount());
    result.facets.byModelAsVendor.resize(m_store.modelCount());
    std::unordered_map<StringId, std::size_t> regionNumbers;
    std::vector<std::uint32_t> regionOfNode(m_store.nodeSlots());
    for (std::uint32_t i = 0; i < m_store.nodeSlots(); ++i) {
        const NodeFacts &facts = m_store.node(i).facts;
        if (facts.uid == 0)
            continue;
        const auto [entry, isNew] = regionNumbers.try_emplace(facts.region, result.facets.byRegion.size());
        if (isNew)
            result.facets.byRegion.emplace_back(facts.region, 0);
        regionOfNode[i] = std::uint32_t(entry->second);
    }
    result.cards.reserve(m_store.cardCount());
    const CardIndex end = m_store.cardSlots();
    for (CardIndex card = 0; card < end; ++card) {
        if (!m_store.isUsed(card))
            continue;
        std::uint8_t failed = 0;
        for (Test &test : m_tests) {
            if (!(failed & test.dimension) && !passes(test, card)) {
                failed |= test.dimension;
                if (failed & NoFacet || (failed & (failed - 1)) != 0)
                    break; // fails for every facet already
            }
        }
        if (failed == 0)
            result.cards.push_back(card);
        else if ((failed & NoFacet) || (failed & (failed - 1)) != 0)
            continue;
        const auto counts = [failed](std::uint8_t own) { return (failed & ~own) == 0; };
        if (counts(VendorFacet))
            ++result.facets.byModelAsVendor[m_store.modelIndexOf(card)];
        if (counts(ModelFacet))
            ++result.facets.byModel[m_store.modelIndexOf(card)];
        if (counts(RegionFacet))
            ++result.facets.byRegion[regionOfNode[m_store.nodeIndexOf(card)]].second;
        if (counts(LabelFacet))
            ++result.facets.byLabel[std::size_t(m_store.labelOf(card))];
        if (counts(HealthFacet))
            ++result.facets.byCondition[std::size_t(conditionOf(m_store, card))];
    }
    return result;
}

} // namespace tongchi
