#pragma once

#include "platform/inventory/telemetry_join.h"
#include "platform/metrics/prometheus_client.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

namespace tongchi {

/// Asks a Prometheus for the hour that the console was not there: utilization and memory of every card, one
/// value each 30 s, with the same metrics and the same rules as a poll. In the cluster's thread.
///
/// The hour is asked for in pieces, newest first and one at a time, with a pause after each,
/// so that polls are never delayed by more than one answer. A point of a piece is joined as a poll of its
/// own: what was not reported then stays missing. A piece that fails ends the run; what came before it stays.
class HistoryFill : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::seconds step{30};
    static constexpr std::chrono::minutes length{60};

    /// What one piece said: only ordinal, utilization, memory and the time are set to a purpose.
    using OnRecords = std::function<void(std::vector<TelemetryRecord> records)>;
    /// The run is over; an error when a piece failed.
    using OnFinished = std::function<void(const Status &status)>;

    /// All must outlive this object but `client`, whose end ends the run without a word.
    HistoryFill(PrometheusClient *client, const MetricCatalog *metrics, StringPool *strings,
                const Clock *clock, const CardIdentities *cards, QObject *parent = nullptr);
    ~HistoryFill() override;

    /// `sources`: exporters that are present. Starting again ends the run under way.
    void start(const std::vector<std::size_t> &sources, OnRecords onRecords, OnFinished onFinished);
    /// The hour of a few series in one piece: `questions` are queries by source.
    struct Question
    {
        std::size_t source = 0;
        QByteArray query;
    };
    void start(std::vector<Question> questions, OnRecords onRecords, OnFinished onFinished);
    bool isRunning() const { return m_running; }

private:
    void begin(OnRecords onRecords, OnFinished onFinished);
    void askNext();
    void answered(const Result<QueryOutcome> &outcome, quint64 run);
    void joinPiece();
    void finish(const Status &status);

    PrometheusClient *m_client;
    const MetricCatalog *m_metrics;
    StringPool *m_strings;
    const Clock *m_clock;
    const CardIdentities *m_cards;
    std::vector<Question> m_questions; ///< of each piece
    OnRecords m_onRecords;
    OnFinished m_onFinished;
    QTimer m_pause;
    std::vector<std::unique_ptr<TelemetryJoin>> m_joins;    ///< one a point of a piece
    std::vector<InstantQueryParser::Callback> m_collectors; ///< of the source being asked, one a join
    TelemetryResult m_result;
    RangeWindow m_piece;
    Instant m_begin{}; ///< of the hour, by the server's clock
    std::size_t m_nextQuestion = 0;
    int m_points = 1; ///< of a piece
    std::chrono::milliseconds m_took{};
    quint64 m_run = 0; ///< answers to an earlier run are dropped
    bool m_running = false;
};

} // namespace tongchi
