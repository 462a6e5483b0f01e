#include "platform/inventory/metrics_poller.h"

#include "platform/core/future_answer.h"
#include "platform/http/http_client.h"
#include "platform/metrics/metric_catalog.h"
#include "platform/metrics/prometheus_client.h"

#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <utility>

namespace tongchi {

namespace {

constexpr int openAtOnce = 6; ///< as many as the HTTP client sends at once
constexpr int historyTries = 3;
constexpr int timesLost = -1; ///< in place of the number of answers

/// The answer did not arrive or not as it was sent: a refusal is an answer.
bool isLost(ErrorCode code)
{
    return code == ErrorCode::Network || code == ErrorCode::Timeout || code == ErrorCode::Protocol;
}

} // namespace

MetricsPoller::MetricsPoller(HttpClient *http, const QByteArray &basePath, const QString &clusterName,
                             const SessionEnvironment &environment, const CardIdentities *cards,
                             Options options, Callbacks callbacks)
    : m_environment(environment), m_cards(cards), m_options(options), m_callbacks(std::move(callbacks)),
      m_client(std::make_unique<PrometheusClient>(
          http, basePath, QStringLiteral("Prometheus of ") + clusterName, environment.clock)),
      m_history(std::make_unique<HistoryFill>(m_client.get(), environment.metrics, environment.strings,
                                              environment.clock, cards)),
      m_hour(std::make_unique<HistoryFill>(m_client.get(), environment.metrics, environment.strings,
                                           environment.clock, cards)),
      m_join(environment.metrics, environment.strings), m_timer(this)
{
    m_status.state = SourceState::Connecting;
    m_client->setTimeout(m_options.timeout);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &MetricsPoller::poll);
}

MetricsPoller::~MetricsPoller()
{
    endHour(failure({.code = ErrorCode::Cancelled}));
    m_client.reset(); // its promises end while the objects that wait for them are there
}

void MetricsPoller::start()
{
    m_pollsUntilLook = 0;
    poll();
}

void MetricsPoller::refresh()
{
    m_pollsUntilLook = 0;
    if (!m_polling)
        m_timer.start(0);
}

QStringList MetricsPoller::notes() const
{
    QStringList notes = m_result.notes;
    if (!m_historyNote.isEmpty())
        notes << m_historyNote;
    return notes;
}

void MetricsPoller::lookForSources()
{
    whenAnswered(m_client->metricNames(m_environment.metrics->presenceSelector()), this,
                 [this](const Result<std::vector<std::string>> &names) {
                     m_polling = false;
                     if (!names) {
                         m_failed = true;
                         m_status.error = names.error();
                         schedule();
                         return;
                     }
                     m_sources = m_environment.metrics->presentSources(*names);
                     m_pollsUntilLook = 30;
                     poll();
                 });
}

bool MetricsPoller::isTooLarge(std::size_t source) const
{
    constexpr qint64 seriesBytes = 450; // in JSON, with the labels that exporters and Prometheus add
    return qint64(m_cards->cardCount()) * qint64(m_environment.metrics->sources()[source].metrics.size()) *
               seriesBytes >
           m_options.largestAnswer;
}

void MetricsPoller::poll()
{
    if (m_polling)
        return;
    m_polling = true;
    m_failed = false;
    if (m_pollsUntilLook <= 0) {
        lookForSources();
        return;
    }
    --m_pollsUntilLook;
    ++m_poll;
    m_join.begin();
    m_questions.clear();
    m_answeredBySource.assign(m_environment.metrics->sources().size(), 0);
    m_nextQuestion = 0;
    m_mostOpen = openAtOnce;
    m_heard = false;
    for (const std::size_t source : m_sources) {
        if (isTooLarge(source)) {
            m_mostOpen = 2;
            for (QByteArray &query : m_environment.metrics->splitQueries(source))
                m_questions.push_back({source, std::move(query), true, /*split=*/true});
        } else {
            m_questions.push_back({source, m_environment.metrics->query(source), true});
        }
        if (QByteArray query = m_environment.metrics->sampleTimeQuery(source); !query.isEmpty())
            m_questions.push_back({source, std::move(query), false});
    }
    if (m_questions.empty())
        finishPoll();
    else
        askMore();
}

void MetricsPoller::askMore()
{
    while (m_open < m_mostOpen && m_nextQuestion < m_questions.size()) {
        const Question question = m_questions[m_nextQuestion++];
        ++m_open;
        whenAnswered(
            m_client->query(question.query, question.values ? m_join.collectValues(question.source)
                                                            : m_join.collectSampleTimes(question.source)),
            this, [this, question](const Result<QueryOutcome> &outcome) { answered(question, outcome); });
    }
}

void MetricsPoller::answered(const Question &question, const Result<QueryOutcome> &outcome)
{
    --m_open;
    m_heard = m_heard || outcome;
    if (!m_heard && outcome.error().code == ErrorCode::Timeout)
        m_nextQuestion = m_questions.size(); // nobody is there: the others would wait as long
    if (question.values) {
        if (outcome) {
            if (m_answeredBySource[question.source] != timesLost)
                ++m_answeredBySource[question.source];
            m_join.answered(question.source, outcome->answer, outcome->clockSkew);
            m_status.latency = std::chrono::duration_cast<std::chrono::milliseconds>(outcome->elapsed);
            m_status.clockSkew = outcome->clockSkew;
        } else {
            m_status.error = outcome.error();
            if (question.split) {
                PrometheusAnswer partial;
                partial.warnings << QString::fromUtf8(question.query) + QStringLiteral(" could not be read");
                m_join.answered(question.source, partial, std::nullopt);
            }
        }
    } else if (!outcome && isLost(outcome.error().code)) {
        // Their values would pass for values of this moment.
        m_status.error = outcome.error();
        m_answeredBySource[question.source] = timesLost;
    }
    if (m_nextQuestion < m_questions.size())
        askMore();
    else if (m_open == 0)
        finishPoll();
}

void MetricsPoller::finishPoll()
{
    for (const std::size_t source : m_sources) {
        if (m_answeredBySource[source] <= 0) {
            m_join.failed(source);
            m_failed = true;
        }
    }
    m_join.finish(*m_cards, m_environment.clock->now(), m_result);
    m_status.warnings = m_result.warnings;
    m_status.objects = m_result.series;
    m_polling = false;
    m_callbacks.polled(m_result, !m_failed && !m_result.incomplete);
    schedule();
}

void MetricsPoller::readHour(std::uint32_t ordinal, OnHour done)
{
    endHour(failure({.code = ErrorCode::Cancelled}));
    m_hourOrdinal = ordinal;
    m_hourDone = std::move(done);
    m_hourAsked = false;
    ++m_hourRun;
    if (!m_polling) // else the poll names the cards anew: asked when it has ended
        askHour();
}

void MetricsPoller::askHour()
{
    if (!m_hourDone || std::exchange(m_hourAsked, true))
        return;
    std::vector<HistoryFill::Question> questions;
    for (const TelemetryJoin::CardLabels &labels : m_join.labelsOf(m_hourOrdinal)) {
        QByteArray query = m_environment.metrics->cardHistoryQuery(labels.source, labels.labels);
        const bool asked = std::any_of(questions.begin(), questions.end(),
                                       [&query](const auto &question) { return question.query == query; });
        if (!query.isEmpty() && !asked)
            questions.push_back({labels.source, std::move(query)});
    }
    if (questions.empty()) {
        endHour(failure({.code = ErrorCode::NotFound,
                         .text = QT_TRANSLATE_NOOP("Error", "No exporter reports this card at present.")}));
        return;
    }
    auto hour = std::make_shared<std::vector<TelemetryRecord>>();
    m_hour->start(
        std::move(questions),
        [hour, ordinal = m_hourOrdinal](std::vector<TelemetryRecord> records) {
            for (const TelemetryRecord &record : records) {
                if (record.ordinal == ordinal)
                    hour->push_back(record);
            }
        },
        [this, hour, run = m_hourRun](const Status &status) {
            if (run != m_hourRun)
                return;
            std::sort(hour->begin(), hour->end(), [](const TelemetryRecord &a, const TelemetryRecord &b) {
                return a.sampledAt < b.sampledAt;
            });
            if (status)
                endHour(std::move(*hour));
            else
                endHour(tl::unexpected(status.error()));
        });
}

void MetricsPoller::endHour(Result<std::vector<TelemetryRecord>> hour)
{
    if (const OnHour done = std::exchange(m_hourDone, nullptr))
        done(std::move(hour));
}

void MetricsPoller::schedule()
{
    askHour();
    if (m_failed) {
        m_status.state = m_status.lastHeard ? SourceState::Lost : SourceState::Failed;
        m_historyDue = true;
    } else {
        m_status.state = SourceState::Live;
        m_status.lastHeard = m_environment.clock->now();
        m_status.error.reset();
        if (m_historyDue && m_options.fillHistory && !m_sources.empty() && !m_history->isRunning()) {
            m_historyDue = false;
            m_historyNote.clear();
            m_history->start(m_sources, m_callbacks.past, [this](const Status &status) {
                if (!status && isLost(status.error().code) && ++m_historyLosses < historyTries) {
                    m_historyDue = true; // after the next poll
                    return;
                }
                m_historyLosses = 0;
                m_historyDone = true;
                if (!status)
                    m_historyNote =
                        QStringLiteral("the last hour could not be read: ") + englishText(status.error());
                m_callbacks.statusChanged();
            });
        }
    }
    if (m_sources.empty() || !m_options.fillHistory)
        m_historyDone = true;
    m_timer.start(m_options.interval);
    m_callbacks.statusChanged();
}

} // namespace tongchi
