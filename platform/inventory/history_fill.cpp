#include "platform/inventory/history_fill.h"

#include "platform/core/future_answer.h"
#include "platform/metrics/metric_catalog.h"

#include <QPointer>
#include <algorithm>

namespace tongchi {
namespace {

/// Points of one answer about `series` series, so that it has some 60 MB at most: 300 bytes of labels a
/// series and 25 a point. 0: not even one point fits.
int pointsOfAPiece(std::int64_t series)
{
    constexpr std::int64_t answerBytes = 60'000'000, labelBytes = 300, pointBytes = 25;
    return int(std::clamp<std::int64_t>(
        (answerBytes / std::max<std::int64_t>(1, series) - labelBytes) / pointBytes, 0, 20));
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
    m_questions.clear();
    constexpr std::int64_t metricsOfASource = 6;
    const std::int64_t cards = m_cards->cardCount();
    const bool split = pointsOfAPiece(cards * metricsOfASource) < 10;
    m_points = std::max(1, pointsOfAPiece(split ? cards : cards * metricsOfASource));
    for (const std::size_t source : sources) {
        for (QByteArray &query : m_metrics->historyQueries(source, split))
            m_questions.push_back({source, std::move(query)});
    }
    begin(std::move(onRecords), std::move(onFinished));
}

void HistoryFill::start(std::vector<Question> questions, OnRecords onRecords, OnFinished onFinished)
{
    m_questions = std::move(questions);
    m_points = int(length / step) + 1;
    begin(std::move(onRecords), std::move(onFinished));
}

void HistoryFill::begin(OnRecords onRecords, OnFinished onFinished)
{
    ++m_run;
    m_pause.stop();
    m_onRecords = std::move(onRecords);
    m_onFinished = std::move(onFinished);
    m_running = true;
    const Instant end = alignedToStep(m_client->serverNow());
    m_begin = end - length;
    m_piece = {.start = end + step, .end = end, .step = step}; // nothing asked yet
    m_nextQuestion = m_questions.size();
    m_pause.start(0);
}

void HistoryFill::askNext()
{
    if (m_nextQuestion >= m_questions.size()) {
        // The next piece ends where the last one began.
        const Instant end = m_piece.start - step;
        if (end < m_begin || m_questions.empty()) {
            finish({});
            return;
        }
        m_piece.end = end;
        m_piece.start = std::max(m_begin, end - step * (m_points - 1));
        m_nextQuestion = 0;
        m_took = {};
        const auto count = std::size_t((m_piece.end - m_piece.start) / std::chrono::milliseconds(step)) + 1;
        while (m_joins.size() < count)
            m_joins.push_back(std::make_unique<TelemetryJoin>(m_metrics, m_strings));
        m_joins.resize(count);
        for (const auto &join : m_joins)
            join->begin();
    }
    const auto &[source, query] = m_questions[m_nextQuestion];
    m_collectors.clear();
    for (const auto &join : m_joins)
        m_collectors.push_back(join->collectValues(source).series);
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
    whenAnswered(m_client->queryRange(query, m_piece, collect), this,
                 [this, run = m_run](const Result<QueryOutcome> &outcome) { answered(outcome, run); });
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
        join->answered(m_questions[m_nextQuestion].source, outcome->answer, outcome->clockSkew);
    if (++m_nextQuestion >= m_questions.size())
        joinPiece();
    m_pause.start(std::min<std::chrono::milliseconds>(m_took / 4, std::chrono::seconds(1)));
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
