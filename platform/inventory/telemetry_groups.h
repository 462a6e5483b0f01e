#pragma once

#include "platform/metrics/metric_catalog.h"
#include "platform/metrics/prometheus_answer.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi {

/// All metrics of one card as one exporter labels them: the same UUID, host, exporter and pod. Several of
/// them may be of one card (a pod label that comes and goes, two exporters, a moved host name).
struct TelemetryGroup
{
    std::uint64_t hash = 0;
    std::uint64_t exporter = 0; ///< who reports: job, address, host
    std::uint32_t text = 0;     ///< where its labels begin
    std::uint32_t textBytes = 0;
    std::uint32_t series = 0; ///< how many came; 0: it is of an earlier poll, or only a sample time came
    std::uint8_t source = 0;
    bool hasPod = false;
    bool isPart = false;                         ///< of a MIG instance of the card
    std::int64_t sampledMs = 0;                  ///< by the server's clock; 0: not told
    std::int64_t evaluatedMs = 0;                ///< when the server answered
    std::array<float, cardQuantityCount> values; ///< in our units; NaN: not reported
    std::array<std::uint8_t, cardQuantityCount> ranks;
    float otherUtilization; ///< of a metric of lower rank

    float value(CardQuantity quantity) const { return values[std::size_t(quantity)]; }
    std::int64_t timeMs() const { return sampledMs != 0 ? sampledMs : evaluatedMs; }
};

/// Collects the series of one poll. Keeps its groups and buffers from poll to poll, since the next one has
/// nearly the same series, and knows these by the text of their labels. One thread.
class TelemetryGroups
{
public:
    enum class Asked : std::uint8_t { Values, SampleTimes };

    explicit TelemetryGroups(const MetricCatalog &catalog);

    /// A new poll begins: the groups stay, without readings.
    void clear();
    /// Whether a series with these labels, as they stand in an answer to that question, has been taken
    /// before. True: its value may be handed to addKnown(). False: addValue() or addSampleTime() of the same
    /// series is to follow, and is remembered.
    bool recognise(std::size_t source, Asked asked, std::string_view rawLabels);
    /// The series just recognised.
    void addKnown(double value, Instant evaluated);
    /// A series of an answer to the source's query.
    void addValue(std::size_t source, LabelViews labels, double value, Instant evaluated);
    /// A series of an answer to its sampleTimeQuery(): seconds. Anything that is no timestamp() is ignored.
    void addSampleTime(std::size_t source, LabelViews labels, double seconds, Instant evaluated);

    const std::vector<TelemetryGroup> &groups() const { return m_groups; }
    /// The first label of this kind; empty when there is none.
    std::string_view label(const TelemetryGroup &group, CardLabel kind) const;
    /// Every label of this kind, the most trustworthy first.
    template <typename Visit>
    void forEachLabel(const TelemetryGroup &group, CardLabel kind, Visit visit) const
    {
        const char *at = m_text.data() + group.text;
        const char *const end = at + group.textBytes;
        while (at < end) {
            const auto size = std::size_t(std::uint8_t(at[1])) | std::size_t(std::uint8_t(at[2])) << 8;
            if (CardLabel(std::uint8_t(at[0])) == kind && visit(std::string_view(at + 3, size)))
                return;
            at += 3 + size;
        }
    }
    std::size_t bytes() const;

private:
    struct LabelRole
    {
        std::string name;
        std::int8_t kind = -1; ///< CardLabel; -1: of no use
        std::uint8_t priority = 0;
        bool isName = false; ///< __name__
    };
    static constexpr std::size_t mostAlternatives = 8;

    /// A series taken before, found by the hash of its labels' text.
    struct KnownSeries
    {
        std::uint64_t hash = 0; ///< 0: a free slot
        const CatalogMetric *metric = nullptr;
        std::uint32_t group = noGroup; ///< noGroup: the series is of no use
        Asked asked = Asked::Values;
    };
    static constexpr std::uint32_t noGroup = std::numeric_limits<std::uint32_t>::max();

    KnownSeries *slotOf(std::uint64_t hash);
    /// The series being added is `group`'s, or nobody's.
    void remember(Asked asked, const CatalogMetric *metric, std::uint32_t group);
    void forgetAll();
    TelemetryGroup &touched(std::uint32_t group, Instant evaluated);
    void addReading(TelemetryGroup &group, const CatalogMetric &metric, double value);

    const LabelRole &roleOf(std::size_t source, std::size_t position, std::string_view name);
    /// Sorts the labels into m_found. The name of the series, empty when it has none.
    std::string_view sortLabels(std::size_t source, LabelViews labels);
    std::string_view found(CardLabel kind) const;
    bool isOwnPod(std::size_t source, std::string_view pod) const;
    std::uint32_t groupOfFound(std::size_t source);
    void appendKey(CardLabel kind, std::string_view text);
    void growTable();

    const MetricCatalog &m_catalog;
    std::vector<TelemetryGroup> m_groups;
    std::vector<std::uint32_t> m_table; ///< open addressing over m_groups
    std::string m_text, m_key;
    /// By source and position: exporters write their labels in the same order in every series.
    std::vector<std::vector<LabelRole>> m_roles;
    std::array<std::array<std::string_view, mostAlternatives>, cardLabelCount> m_found;
    std::array<std::uint8_t, cardLabelCount> m_foundSizes{};
    std::string m_lastName;
    const CatalogMetric *m_lastMetric = nullptr;
    std::size_t m_lastSource = 0;
    std::size_t m_expected = 0; ///< the group that comes next, if all goes as before

    std::vector<KnownSeries> m_known; ///< open addressing; some twenty bytes a series
    std::size_t m_knownCount = 0;
    std::size_t m_seriesOfPoll = 0, m_groupsOfPoll = 0;
    std::uint64_t m_addedHash = 0; ///< of the series being added; 0: not to be remembered
    KnownSeries m_recognised;
};

} // namespace tongchi
