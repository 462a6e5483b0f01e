#pragma once

#include "platform/core/result.h"
#include "platform/metrics/sentinels.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tongchi {

/// What the console shows of a card; memory total of NVIDIA cards is added up from the other three by the
/// client.
enum class CardQuantity : std::uint8_t {
    Utilization,
    MemoryUsed,
    MemoryFree,
    MemoryReserved,
    MemoryTotal,
    Temperature,
    Power,
    Health,
    ErrorCode,
    Holder,
};
constexpr std::size_t cardQuantityCount = 10;

/// What a label of an exporter says.
enum class CardLabel : std::uint8_t {
    Uuid,
    Die,
    Slot,
    Serial,
    InstanceId, ///< MIG GPU_I_ID: the series is of a part, `Uuid` is the parent
    Virtual,    ///< of an sMLU instance; only series where it is empty are of the card
    Node,
    Host,
    Address, ///< node name; host name; address with or without port
    Job,
    Namespace,
    Pod,
    Container,
};
constexpr std::size_t cardLabelCount = 13;

struct CatalogMetric
{
    std::string name; ///< of the series
    CardQuantity quantity = CardQuantity::Utilization;
    MetricUnit unit = MetricUnit::Percent;
    std::uint8_t rank = 0; ///< among those of one quantity; the lowest that reports wins
};

/// One kind of exporter.
struct TelemetrySource
{
    std::string key;     ///< "dcgm", stable
    QString name;        ///< "NVIDIA dcgm-exporter"
    std::string vendor;  ///< as in JSON output: "nvidia", "huawei", "cambricon", others by their own word
    QByteArray selector; ///< further matchers of its queries: vf=""
    std::vector<CatalogMetric> metrics;
    std::array<std::vector<std::string>, cardLabelCount>
        labels;                                 ///< by CardLabel, the first that is there wins
    std::vector<std::string> sampleTimeMetrics; ///< asked for their timestamp(), the first that is there

    const CatalogMetric *find(std::string_view seriesName) const;
    const std::vector<std::string> &labelsFor(CardLabel label) const { return labels[std::size_t(label)]; }
};

/// Where one number comes from, for the operator.
struct MetricOrigin
{
    QString source; ///< "NVIDIA dcgm-exporter"
    /// The first that is there counts: "DCGM_FI_DEV_FB_TOTAL", "DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE"
    QStringList series;
    QString unit;  ///< of the first: "MiB"
    QString query; ///< as sent
};

/// The one table of vendors' metric names, units and labels. It builds the queries and explains the numbers.
/// Immutable after construction; any thread. The index of a source in sources() is TelemetryRecord::source.
class MetricCatalog
{
public:
    /// The table that is compiled in (:/tongchi/metrics.json, resources/data/metrics.json).
    static MetricCatalog builtIn();
    /// Fails with Invalid, naming what is wrong, for a table that is not of this form.
    [[nodiscard]] static Result<MetricCatalog> fromJson(const QByteArray &json);

    /// mlu-exporter lets sites rename every metric and label: {"mlu_utilization": "cambricon_util", "uuid":
    /// "card_uuid"}. Names that the source does not have are ignored.
    MetricCatalog renamed(const QString &sourceKey, const QHash<QString, QString> &names) const;

    const std::vector<TelemetrySource> &sources() const { return m_sources; }
    std::optional<std::uint8_t> indexOf(std::string_view key) const;

    /// {__name__=~"A|B|C",vf=""}: all metrics of one exporter in one request. `siteSelector`: further
    /// matchers without braces (cluster="bj"), written by the operator; empty: none.
    QByteArray query(std::size_t source, const QByteArray &siteSelector = {}) const;
    /// The same split in one query a metric, for pools whose single answer would be too large.
    std::vector<QByteArray> splitQueries(std::size_t source, const QByteArray &siteSelector = {}) const;
    /// Only what a card's last hour shows, utilization and the parts of memory, as of the last minute: a
    /// plain selector repeats a sample for five. Empty when the source has neither. `split`: one query a
    /// metric.
    std::vector<QByteArray> historyQueries(std::size_t source, bool split,
                                           const QByteArray &siteSelector = {}) const;
    /// What a card's drawer shows of the last hour, with temperature and power, of the card whose labels have
    /// these texts. By its UUID or die where there is one, else by its number on its node. Empty when the
    /// labels name no card.
    QByteArray cardHistoryQuery(std::size_t source,
                                const std::vector<std::pair<CardLabel, std::string>> &labels) const;
    /// When the samples were taken: an instant query itself only tells the time of asking. Empty when the
    /// source names no metric for it.
    QByteArray sampleTimeQuery(std::size_t source, const QByteArray &siteSelector = {}) const;
    /// For label/__name__/values: matches every metric of every source.
    QByteArray presenceSelector() const;
    /// Which sources have at least one of these names.
    std::vector<std::size_t> presentSources(const std::vector<std::string> &names) const;

    std::optional<MetricOrigin> origin(std::size_t source, CardQuantity quantity,
                                       const QByteArray &siteSelector = {}) const;

private:
    std::vector<TelemetrySource> m_sources;
};

} // namespace tongchi
