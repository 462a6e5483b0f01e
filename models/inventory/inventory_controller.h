#pragma once

#include "models/inventory/card_table_model.h"
#include "models/inventory/facet_model.h"
#include "models/inventory/inventory_summary.h"
#include "platform/inventory/inventory_source.h"

#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace tongchi {

/// Brings the deltas of all clusters into the store and tells the models; the command line and the pane both
/// stand on it.
///
/// Schedule:
/// 1. Deltas wait in a queue. apply() runs at most every applyInterval (at once while a cluster is still
/// being read),
///    takes deltas for at most applyBudget, tells the table once, and comes back from the event loop for the
///    rest.
/// 2. While clusters are being read for the first time the table is told at most every loadingInterval:
/// judging all
///    rows for every chunk would cost more than reading them.
/// 3. tick() once a second: ages, order, and the summary, which for a large pool is made in steps of a
/// millisecond.
/// 4. Paused: nothing is applied and nothing acknowledged, so the clusters' threads keep only what changed.
/// GUI thread only. Owns the sources.
class InventoryController : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        std::chrono::milliseconds applyInterval{100};
        std::chrono::milliseconds applyBudget{3};
        std::chrono::milliseconds loadingInterval{250};
        std::chrono::milliseconds tickInterval{1'000};
        FreshnessLimits limits;
    };

    InventoryController(StringPool &strings, const Clock &clock, Options options, QObject *parent = nullptr);
    ~InventoryController() override;

    /// Starts showing a cluster. Its name must differ from the others'.
    void addSource(std::unique_ptr<InventorySource> source);
    /// Stops it and forgets its cards.
    void removeSource(quint32 clusterId);
    InventorySource *source(quint32 clusterId) const;
    QList<InventorySource *> sources() const;
    void refreshAll();
    using Hour = Result<std::vector<TelemetryRecord>>;
    /// The last hour of a card as its cluster's Prometheus has it (InventorySource::lastHour). `done` is
    /// called from the event loop, or never when `context` or the cluster goes first.
    void readHour(CardIndex card, QObject *context, std::function<void(const Hour &hour)> done);

    CardStore &store() { return *m_store; }
    const CardStore &store() const { return *m_store; }
    CardTableModel &table() { return *m_table; }
    const CardTableModel &table() const { return *m_table; }
    FacetModel &facets() { return *m_facets; }
    const InventorySummary &summary() const { return m_summaryPass->summary(); }
    const Clock &clock() const { return m_clock; }
    QList<ClusterStatus> statuses() const;

    /// The filter as typed; the table, facets and tokens follow.
    void setFilterText(const QString &text);
    QString filterText() const { return m_filterText; }
    const QList<FilterToken> &filterTokens() const { return m_table->filter(); }

    void setFormatting(const Formatting &formatting);

    void setPaused(bool paused);
    bool isPaused() const { return m_pausedAt.has_value(); }
    std::optional<Instant> pausedAt() const { return m_pausedAt; }

    /// Every source has answered in full (objects and telemetry) or said why it will not; false without
    /// sources.
    bool isComplete() const;
    /// Some source did not answer, or a part of one did not.
    bool isPartial() const;
    /// The hour before has been read from every cluster that has it.
    bool isHistoryComplete() const;

Q_SIGNALS:
    void summaryChanged();
    void statusChanged();
    void filterChanged();
    void pausedChanged(bool paused);
    /// isComplete() has become true.
    void completed();
    void sourcesChanged();
    /// Cards came, went or changed; for drawers and selections.
    void cardsChanged();

private:
    void receive(std::shared_ptr<const InventoryDelta> delta);
    void applyQueued();
    void tellTable();
    void tick();
    bool isLoading() const;
    /// Now, in one go: where the figures must be those of the cards just told.
    void refreshSummary();
    /// In steps with the event loop between them.
    void beginSummary();
    void stepSummary();

    const Clock &m_clock;
    Options m_options;
    std::unique_ptr<CardStore> m_store;
    std::unique_ptr<CardTableModel> m_table;
    std::unique_ptr<FacetModel> m_facets;
    std::vector<std::unique_ptr<InventorySource>> m_sources;
    std::deque<std::shared_ptr<const InventoryDelta>> m_queue;
    StoreChange m_untold;
    bool m_hasUntold = false;
    Monotonic m_lastTold{};
    std::unique_ptr<SummaryPass> m_summaryPass;
    QString m_filterText;
    std::optional<Instant> m_pausedAt;
    bool m_wasComplete = false;
    QTimer m_applyTimer;
    QTimer m_tickTimer;
    QTimer m_summaryTimer;
};

} // namespace tongchi
