#pragma once

#include "models/inventory/card_condition.h"
#include "models/inventory/filter_expression.h"

#include <array>
#include <vector>

namespace tongchi {

/// Which facet a token narrows; each facet counts with all tokens but its own.
enum FacetDimension : std::uint8_t {
    VendorFacet = 1,
    RegionFacet = 2,
    ModelFacet = 4,
    LabelFacet = 8,
    HealthFacet = 16,
    NoFacet = 32,
};

/// How many cards each value of each facet would leave.
struct FacetCounts
{
    std::vector<std::uint32_t> byModelAsVendor; ///< index: model number; counted without the vendor tokens
    std::vector<std::uint32_t> byModel;         ///< index: model number; counted without the model tokens
    std::vector<std::pair<StringId, std::uint32_t>> byRegion;
    std::array<std::uint32_t, 5> byLabel{};
    std::array<std::uint32_t, cardConditionCount> byCondition{};
};

/// What one pass over all cards yields.
struct FilterResult
{
    std::vector<CardIndex> cards; ///< in index order
    FacetCounts facets;
};

/// The filter put into the store's own terms: interned values become tables over models, nodes and workloads,
/// so that a card is judged by a few lookups. Good for one state of the store; compile again after it changed
/// (about a millisecond at 12,500 nodes).
class CardFilter
{
public:
    CardFilter(const CardStore &store, const QList<FilterToken> &tokens, Instant now);

    FilterResult run();
    bool matches(CardIndex card);

private:
    struct Test
    {
        FilterKey key;
        FilterOperator op;
        bool negated;
        std::uint8_t dimension;
        double number;
        std::vector<QByteArray> values;   ///< lower case UTF-8
        std::vector<std::uint8_t> models; ///< 1: matches, by model number
        std::vector<std::uint8_t> nodes;  ///< by node number
        std::vector<std::uint8_t> cards;  ///< by card, for UUID matches; empty when unused
        std::uint32_t enumMask = 0;       ///< labels, conditions
    };

    void compile(const FilterToken &token);
    bool passes(Test &test, CardIndex card);
    bool stringMatches(const Test &test, StringId id, std::vector<std::int8_t> &memory, bool parts);

    const CardStore &m_store;
    Instant m_now;
    std::vector<Test> m_tests;
    std::vector<std::vector<std::int8_t>>
        m_textMemory; ///< one a test: -1 not looked at, 0 no, 1 yes, by StringId
};

/// Does `text` match `pattern` (lower case; '*' stands for anything)? Case of ASCII in `text` is ignored.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace tongchi
