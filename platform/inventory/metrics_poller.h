#pragma once

#include "platform/inventory/cluster_session.h"
#include "platform/inventory/history_fill.h"
#include "platform/inventory/inventory_delta.h"
#include "platform/inventory/telemetry_join.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

namespace tongchi {

class HttpClient;
class PrometheusClient;

/// Polls the Prometheus of one cluster and joins what it says to the cluster's cards. In the cluster's
/// thread.
///
/// Schedule:
/// 1. start(): which exporters are there is asked, and again every 30 polls; then one query an exporter and
/// one for its
///    sample times, every `interval` after the last poll ended.
/// 2. Where the cards are so many that an answer would be larger than largestAnswer, an exporter is asked
/// metric by
///    metric, two at a time; a metric that fails then costs a warning, not the exporter.
/// 3. After the first poll that succeeded, and after each silence, the last hour is filled in (HistoryFill).
class MetricsPoller : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        std::chrono::milliseconds interval{10'000};
        std::chrono::milliseconds timeout{30'000}; ///< of one question
        qint64 largestAnswer = qint64(64) << 20;   ///< bytes, as estimated from the number of cards
        bool fillHistory = true;
    };
    /// Called in this thread. The result is lent; its buffers are used again by the next poll.
    struct Callbacks
    {
        std::function<void(TelemetryResult &result, bool whole)> polled; ///< `whole`: nothing was missing
        std::function<void(std::vector<TelemetryRecord> records)> past;
        std::function<void()> statusChanged;
    };

    /// `http`, what `environment` points to and `cards` must outlive the poller.
    MetricsPoller(HttpClient *http, const QByteArray &basePath, const QString &clusterName,
                  const SessionEnvironment &environment, const CardIdentities *cards, Options options,
                  Callbacks callbacks);
    ~MetricsPoller() override;

    void start();
    using OnHour = std::function<void(Result<std::vector<TelemetryRecord>> hour)>;
    /// Asks for the last hour of one card, temperature and power included, oldest first; what a poll cannot
    /// name fails with NotFound. A newer question ends the one under way, which fails with Cancelled.
    void readHour(std::uint32_t ordinal, OnHour done);
    /// Polls now, unless a poll is under way, and looks for exporters again.
    void refresh();
    const SourceStatus &status() const { return m_status; }
    /// The hour before was read, or could not be.
    bool isHistoryDone() const { return m_historyDone; }
    /// Of the last poll and the last hour, English.
    QStringList notes() const;

private:
    struct Question
    {
        std::size_t source = 0;
        QByteArray query;
        bool values = true; ///< false: sample times
        bool split = false; ///< one metric of an exporter that is asked metric by metric
    };

    void lookForSources();
    void poll();
    void askMore();
    void answered(const Question &question, const Result<QueryOutcome> &outcome);
    void finishPoll();
    void schedule();
    void askHour();
    void endHour(Result<std::vector<TelemetryRecord>> hour);
    bool isTooLarge(std::size_t source) const;

    const SessionEnvironment m_environment;
    const CardIdentities *m_cards;
    const Options m_options;
    const Callbacks m_callbacks;
    std::unique_ptr<PrometheusClient> m_client;
    std::unique_ptr<HistoryFill> m_history;
    std::unique_ptr<HistoryFill> m_hour; ///< of one card
    OnHour m_hourDone;                   ///< set: a card's hour is waited for
    std::uint32_t m_hourOrdinal = 0;
    quint64 m_hourRun = 0;    ///< answers to an earlier question are dropped
    bool m_hourAsked = false; ///< the server was asked for it
    TelemetryJoin m_join;
    TelemetryResult m_result;
    SourceStatus m_status;
    QString m_historyNote;
    QTimer m_timer;
    std::vector<std::size_t> m_sources;  ///< exporters present
    std::vector<Question> m_questions;   ///< of this poll
    std::vector<int> m_answeredBySource; ///< value questions, by source; negative: sample times were lost
    std::size_t m_nextQuestion = 0;
    int m_open = 0;
    int m_mostOpen = 0;
    int m_pollsUntilLook = 0;
    quint64 m_poll = 0;
    bool m_polling = false;
    bool m_heard = false; ///< some question of this poll was answered
    bool m_failed = false;
    bool m_historyDue = true;
    bool m_historyDone = false;
    int m_historyLosses = 0; ///< answers that did not arrive, in a row
};

} // namespace tongchi
