#include "models/inventory/inventory_controller.h"

#include "platform/core/future_answer.h"

#include <QElapsedTimer>
#include <algorithm>

namespace tongchi {
namespace {

void mergeChange(StoreChange &into, StoreChange &&change)
{
    into.added.insert(into.added.end(), change.added.begin(), change.added.end());
    into.removed.insert(into.removed.end(), change.removed.begin(), change.removed.end());
    into.identityChanged.insert(into.identityChanged.end(), change.identityChanged.begin(),
                                change.identityChanged.end());
    into.valuesChanged |= change.valuesChanged;
    into.measured.insert(into.measured.end(), change.measured.begin(), change.measured.end());
    into.historyChanged |= change.historyChanged;
    into.statusChanged |= change.statusChanged;
}

/// Of the summary: a millisecond's worth; the pool of most operators is one step.
constexpr CardIndex cardsOfAStep = 8'192;
constexpr std::chrono::milliseconds betweenSteps{5};

bool isSettled(const SourceStatus &source)
{
    switch (source.state) {
    case SourceState::Idle:
    case SourceState::Connecting:
        return false;
    case SourceState::Live:
    case SourceState::Late:
    case SourceState::Lost:
    case SourceState::Forbidden:
    case SourceState::Failed:
    case SourceState::Missing:
        return true;
    }
    return true;
}

bool hasAnswered(const SourceStatus &source)
{
    return source.state == SourceState::Live || source.state == SourceState::Late;
}

/// Read in full, or given up on for a reason the operator is told.
bool isDone(const ClusterStatus &status)
{
    if (status.kubernetes.state == SourceState::Failed || status.kubernetes.state == SourceState::Forbidden ||
        status.kubernetes.state == SourceState::Lost)
        return true;
    return status.complete &&
           (status.telemetryComplete || (isSettled(status.metrics) && !hasAnswered(status.metrics)));
}

} // namespace

InventoryController::InventoryController(StringPool &strings, const Clock &clock, Options options,
                                         QObject *parent)
    : QObject(parent), m_clock(clock), m_options(options), m_store(std::make_unique<CardStore>(strings))
{
    m_table =
        std::make_unique<CardTableModel>(*m_store, clock, CardTableModel::Options{.limits = options.limits});
    m_facets = std::make_unique<FacetModel>(*m_table);
    m_applyTimer.setSingleShot(true);
    connect(&m_applyTimer, &QTimer::timeout, this, &InventoryController::applyQueued);
    m_summaryPass = std::make_unique<SummaryPass>(*m_store, options.limits);
    m_summaryTimer.setInterval(betweenSteps);
    connect(&m_summaryTimer, &QTimer::timeout, this, &InventoryController::stepSummary);
    m_tickTimer.setInterval(m_options.tickInterval);
    connect(&m_tickTimer, &QTimer::timeout, this, &InventoryController::tick);
    m_tickTimer.start();
}

InventoryController::~InventoryController()
{
    m_queue.clear();
    m_sources.clear(); // they stop before the store they feed is gone
}

void InventoryController::addSource(std::unique_ptr<InventorySource> source)
{
    InventorySource *added = source.get();
    m_sources.push_back(std::move(source));
    m_wasComplete = false;
    connect(added, &InventorySource::deltaReady, this, &InventoryController::receive);
    added->start();
    Q_EMIT sourcesChanged();
}

void InventoryController::removeSource(quint32 clusterId)
{
    const auto at = std::find_if(m_sources.begin(), m_sources.end(), [clusterId](const auto &source) {
        return source->clusterId() == clusterId;
    });
    if (at == m_sources.end())
        return;
    std::unique_ptr<InventorySource> leaving = std::move(*at);
    m_sources.erase(at);
    leaving->disconnect(this);
    leaving->stop();
    std::erase_if(m_queue, [clusterId](const auto &delta) { return delta->clusterId == clusterId; });
    tellTable();
    m_untold = m_store->forgetCluster(clusterId);
    m_hasUntold = true;
    tellTable();
    refreshSummary();
    Q_EMIT sourcesChanged();
    Q_EMIT statusChanged();
}

InventorySource *InventoryController::source(quint32 clusterId) const
{
    for (const auto &source : m_sources) {
        if (source->clusterId() == clusterId)
            return source.get();
    }
    return nullptr;
}

QList<InventorySource *> InventoryController::sources() const
{
    QList<InventorySource *> list;
    for (const auto &source : m_sources)
        list << source.get();
    return list;
}

void InventoryController::refreshAll()
{
    for (const auto &source : m_sources)
        source->refresh();
}

void InventoryController::readHour(CardIndex card, QObject *context,
                                   std::function<void(const Hour &hour)> done)
{
    if (card == noCard || !m_store->isUsed(card))
        return;
    if (InventorySource *from = source(m_store->clusterOf(card)))
        whenAnswered(from->lastHour(m_store->details(card).ordinal), context, std::move(done));
}

QList<ClusterStatus> InventoryController::statuses() const
{
    QList<ClusterStatus> list;
    for (const auto &source : m_sources) {
        if (const ClusterStatus *status = m_store->status(source->clusterId()))
            list << *status;
        else
            list << ClusterStatus{.name = source->clusterName(),
                                  .kubernetes = {.state = SourceState::Connecting}};
    }
    return list;
}

void InventoryController::setFilterText(const QString &text)
{
    if (text == m_filterText)
        return;
    m_filterText = text;
    tellTable();
    m_table->setFilter(parseFilter(text));
    Q_EMIT filterChanged();
}

void InventoryController::setFormatting(const Formatting &formatting)
{
    m_table->setFormatting(formatting);
    m_facets->refresh();
    Q_EMIT summaryChanged();
}

void InventoryController::setPaused(bool paused)
{
    if (paused == isPaused())
        return;
    if (paused) {
        m_pausedAt = m_clock.now();
        m_applyTimer.stop();
    } else {
        m_pausedAt.reset();
        m_applyTimer.start(0);
    }
    Q_EMIT pausedChanged(paused);
}

bool InventoryController::isLoading() const
{
    return std::any_of(m_sources.begin(), m_sources.end(), [this](const auto &source) {
        const ClusterStatus *status = m_store->status(source->clusterId());
        return !status || (!status->complete && !isDone(*status));
    });
}

bool InventoryController::isComplete() const
{
    return !m_sources.empty() && m_queue.empty() &&
           std::all_of(m_sources.begin(), m_sources.end(), [this](const auto &source) {
               const ClusterStatus *status = m_store->status(source->clusterId());
               return status && isDone(*status);
           });
}

bool InventoryController::isHistoryComplete() const
{
    return std::all_of(m_sources.begin(), m_sources.end(), [this](const auto &source) {
        const ClusterStatus *status = m_store->status(source->clusterId());
        return status && status->historyComplete;
    });
}

bool InventoryController::isPartial() const
{
    return std::any_of(m_sources.begin(), m_sources.end(), [this](const auto &source) {
        const ClusterStatus *status = m_store->status(source->clusterId());
        if (!status || !status->complete || !hasAnswered(status->kubernetes) || !status->denied.isEmpty())
            return true;
        const SourceState pods = status->pods.state;
        const SourceState metrics = status->metrics.state;
        // A cluster without any metrics source is whole; one whose source was asked and failed is not.
        return pods == SourceState::Lost || pods == SourceState::Failed || metrics == SourceState::Lost ||
               metrics == SourceState::Failed || !status->metrics.warnings.isEmpty();
    });
}

void InventoryController::receive(std::shared_ptr<const InventoryDelta> delta)
{
    m_queue.push_back(std::move(delta));
    if (isPaused())
        return;
    // The timer may be waiting for something less pressing.
    const std::chrono::milliseconds wait =
        isLoading() ? std::chrono::milliseconds(0) : m_options.applyInterval;
    if (!m_applyTimer.isActive() || m_applyTimer.remainingTimeAsDuration() > wait)
        m_applyTimer.start(wait);
}

void InventoryController::applyQueued()
{
    if (isPaused())
        return;
    QElapsedTimer budget;
    budget.start();
    bool statusMoved = false;
    while (!m_queue.empty()) {
        const auto delta = std::move(m_queue.front());
        m_queue.pop_front();
        StoreChange change = m_store->apply(*delta, m_clock.now());
        statusMoved = statusMoved || change.statusChanged;
        if (!change.removed.empty() && m_hasUntold) {
            // Indices of removed cards may be used again by the next apply: the table must hear of each
            // removal first.
            const bool additionsBefore = !m_untold.added.empty();
            mergeChange(m_untold, std::move(change));
            if (additionsBefore)
                tellTable();
        } else {
            mergeChange(m_untold, std::move(change));
        }
        m_hasUntold = true;
        if (!m_untold.removed.empty())
            tellTable();
        if (InventorySource *from = source(delta->clusterId))
            from->acknowledge();
        if (budget.elapsed() >= m_options.applyBudget.count())
            break;
    }
    const bool loading = isLoading();
    if (!loading || m_clock.monotonic() - m_lastTold >= m_options.loadingInterval)
        tellTable();
    if (!m_queue.empty())
        m_applyTimer.start(0);
    else if (m_hasUntold)
        m_applyTimer.start(m_options.loadingInterval);
    if (statusMoved)
        Q_EMIT statusChanged();
    if (!m_wasComplete && isComplete()) {
        m_wasComplete = true;
        tellTable();
        refreshSummary();
        Q_EMIT completed();
    }
}

void InventoryController::tellTable()
{
    if (!m_hasUntold)
        return;
    m_hasUntold = false;
    m_lastTold = m_clock.monotonic();
    const StoreChange change = std::move(m_untold);
    m_untold = {};
    m_table->storeChanged(change);
    if (!change.added.empty() || !change.removed.empty())
        beginSummary();
    Q_EMIT cardsChanged();
}

void InventoryController::refreshSummary()
{
    m_summaryTimer.stop();
    m_summaryPass->begin(m_clock.now());
    m_summaryPass->step(m_store->cardSlots());
    Q_EMIT summaryChanged();
}

void InventoryController::beginSummary()
{
    if (m_summaryPass->isRunning())
        return;
    m_summaryPass->begin(m_clock.now());
    stepSummary();
}

void InventoryController::stepSummary()
{
    if (m_summaryPass->step(cardsOfAStep)) {
        m_summaryTimer.stop();
        Q_EMIT summaryChanged();
    } else if (!m_summaryTimer.isActive()) {
        m_summaryTimer.start();
    }
}

void InventoryController::tick()
{
    m_table->tick();
    beginSummary();
}

} // namespace tongchi
