#include "platform/inventory/history_fill.h"

#include "platform/metrics/metric_catalog.h"

#include <QPointer>
#include <algorithm>

namespace tongchi {
namespace {

/// Points of one piece, so that an answer has some 30 MB at most: a series has four metrics or so a card, its
/// labels 300 bytes and each point 25.
int pointsOfAPiece(std::uint32_t cards)
{
    constexpr std::int64_t answerBytes = 30'000'000;
    constexpr std::int64_t seriesPerCard = 4, labelBytes = 300, pointBytes = 25;
    const std::int64_t series = std::max<std::int64_t>(1, cards) * seriesPerCard;
    return int(std::clamp<std::int64_t>((answerBytes / series - labelBytes) / pointBytes, 1, 20));
}

Instant alignedToStep(Instant instant)
{
    const auto ticks = instant.time_since_epoch();
    return Instant(ticks - ticks % std::chrono::milliseconds(HistoryFill::step));
}

} // namespace

HistoryFill::HistoryFill(PrometheusClient *client, const MetricCatalog *metrics, StringPool *strings,
                         const Clock *clock, const CardIdentities *cards, QObject *parent)
    : QObject(parent), m_client(client), m_metrics(metrics), m_strings(strings), m_clock(clock),
      m_cards(cards), m_pause(this)
{
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &HistoryFill::askNext);
}

HistoryFill::~HistoryFill() = default;

void HistoryFill::start(const std::vector<std::size_t> &sources, OnRecords onRecords, OnFinished onFinished)
{
    ++m_run;
    m_pause.stop();
    m_sources.clear();
    for (const std::size_t source : sources) {
        if (!m_metrics->historyQuery(source).isEmpty())
            m_sources.push_back(source);
    }
    m_onRecords = std::move(onRecords);
    m_onFinished = std::move(onFinished);
    m_running = true;
    const Instant end = alignedToStep(m_client->serverNow());
    m_begin = end - length;
    m_piece = {.start = end + step, .end = end, .step = step}; // nothing asked yet
    m_nextSource = m_sources.size();
    m_pause.start(0);
}

void HistoryFill::askNext()
{
    if (m_nextSource >= m_sources.size()) {
        // The next piece ends where the last one began.
        const Instant end = m_piece.start - step;
        if (end < m_begin || m_sources.empty()) {
            finish({});
            return;
        }
        const int points = pointsOfAPiece(m_cards->cardCount());
        m_piece.end = end;
        m_piece.start = std::max(m_begin, end - step * (points - 1));
        m_nextSource = 0;
        m_took = {};
        const auto count = std::size_t((m_piece.end - m_piece.start) / std::chrono::milliseconds(step)) + 1;
        while (m_joins.size() < count)
            m_joins.push_back(std::make_unique<TelemetryJoin>(m_metrics, m_strings));
        m_joins.resize(count);
        for (const auto &join : m_joins)
            join->begin();
    }
    const std::size_t source = m_sources[m_nextSource];
    m_collectors.clear();
    for (const auto &join : m_joins)
        m_collectors.push_back(join->collectValues(source));
    const auto collect = [self = QPointer(this), run = m_run](LabelViews labels,
                                                              std::span<const Sample> points) {
        if (!self || self->m_run != run)
            return;
        for (const Sample &point : points) {
            const auto at = (point.time - self->m_piece.start) / std::chrono::milliseconds(step);
            if (at >= 0 && std::size_t(at) < self->m_collectors.size())
                self->m_collectors[std::size_t(at)](labels, point.value, point.time);
        }
    };
    m_client->queryRange(m_metrics->historyQuery(source), m_piece, collect)
        .then(this, [this, run = m_run](const Result<QueryOutcome> &outcome) { answered(outcome, run); });
}

void HistoryFill::answered(const Result<QueryOutcome> &outcome, quint64 run)
{
    if (run != m_run || !m_running)
        return;
    if (!outcome) {
        finish(tl::unexpected(outcome.error()));
        return;
    }
    m_took += std::chrono::duration_cast<std::chrono::milliseconds>(outcome->elapsed);
    for (const auto &join : m_joins)
        join->answered(m_sources[m_nextSource], outcome->answer, outcome->clockSkew);
    if (++m_nextSource >= m_sources.size())
        joinPiece();
    m_pause.start(m_took);
}

void HistoryFill::joinPiece()
{
    const Instant now = m_clock->now();
    std::vector<TelemetryRecord> records;
    for (auto join = m_joins.rbegin(); join != m_joins.rend(); ++join) {
        (*join)->finish(*m_cards, now, m_result);
        records.insert(records.end(), m_result.records.begin(), m_result.records.end());
    }
    if (!records.empty() && m_onRecords)
        m_onRecords(std::move(records));
}

void HistoryFill::finish(const Status &status)
{
    m_running = false;
    m_joins.clear();
    m_collectors.clear();
    m_result = {};
    const OnFinished done = std::move(m_onFinished);
    m_onRecords = {};
    m_onFinished = {};
    if (done)
        done(status);
}

} // namespace tongchi
