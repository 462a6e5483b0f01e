#pragma once

#include "platform/core/string_pool.h"
#include "platform/inventory/card_identities.h"
#include "platform/metrics/instant_query_parser.h"
#include "platform/metrics/metric_catalog.h"

#include <QStringList>
#include <memory>
#include <vector>

namespace tongchi {

/// Which pod an exporter says has a card. Kubernetes' own answer goes before it.
struct PodAttachment
{
    std::uint32_t ordinal = 0;
    StringId pod = 0; ///< "namespace/pod", interned
    bool operator==(const PodAttachment &) const = default;
};

/// What one poll of a cluster's exporters said of its cards.
struct TelemetryResult
{
    std::vector<TelemetryRecord> records; ///< by ordinal; at most one a card
    std::vector<PodAttachment> pods;      ///< by ordinal
    QStringList notes;                    ///< English, plain text: series without a card, clocks ahead
    QStringList warnings;                 ///< of the answers: part of the sources did not answer
    bool incomplete = false;              ///< a missing card may only be a missing answer
    std::int64_t series = 0;              ///< read
    std::int64_t unassignedSeries = 0;
    std::uint32_t unassignedCards = 0; ///< different ones among them, as far as their labels tell
};

/// Joins the answers of one poll to the cards: one reading a card, never a sum of series that tell the same.
///
/// Use: begin(); for each source of the catalogue query() with collectValues() and, where there is one, the
/// sample-time query with collectSampleTimes(), and answered() or failed() for each; then finish(). Keeps its
/// buffers; one object a cluster, in the cluster's thread.
///
/// Rules (facts 3.9, 4.7; cases TM-05, TM-11, CI-07):
/// - Of several series for one card the freshest counts, at equal times the one with a pod; what the first
/// does not
///   report is filled from the others. Series more than 90 s older than the freshest are the past.
/// - Dies and chips of one card: mean utilization, hottest temperature, power and memory added up once each.
/// - MIG instances are parts: they give the card temperature, power and used memory where no whole-card
/// series does,
///   never its utilization. A whole-card utilization of 0 beside instances means "not measured" unless the
///   engine activity says so too.
/// - Sample times are moved to our clock by the measured skew and never lie in the future.
class TelemetryJoin
{
public:
    /// Both must outlive the join.
    TelemetryJoin(const MetricCatalog *catalog, StringPool *pool);
    ~TelemetryJoin();
    TelemetryJoin(const TelemetryJoin &) = delete;
    TelemetryJoin &operator=(const TelemetryJoin &) = delete;

    void begin();
    InstantQueryParser::Collector collectValues(std::size_t source);
    InstantQueryParser::Collector collectSampleTimes(std::size_t source);
    /// `clockSkew`: the server's clock minus ours, if it was measured.
    void answered(std::size_t source, const PrometheusAnswer &answer,
                  std::optional<std::chrono::milliseconds> clockSkew);
    /// The answer broke off: everything collected of this source is thrown away and the result is incomplete.
    void failed(std::size_t source);
    /// `now` by our clock. `result` is overwritten; hand in the same one for its buffers.
    void finish(const CardIdentities &cards, Instant now, TelemetryResult &result);

    /// The labels by which the exporters of the poll that ended last name this card, by source. Empty while a
    /// poll is under way.
    struct CardLabels
    {
        std::size_t source = 0;
        std::vector<std::pair<CardLabel, std::string>> labels;
    };
    std::vector<CardLabels> labelsOf(std::uint32_t ordinal) const;

    std::size_t bytes() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
