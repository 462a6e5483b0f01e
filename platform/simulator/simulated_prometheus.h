#pragma once

#include "platform/simulator/fleet.h"
#include "platform/simulator/promql_evaluator.h"

#include <memory>
#include <optional>

namespace tongchi {

class ExporterSeries;
class PrometheusForm;

/// The HTTP API of each cluster's Prometheus (2.42, as Debian 12 has it) over the fleet's exporters. Queries
/// are really evaluated; nothing is scraped or stored. Thread-safe.
class SimulatedPrometheus final : public MetricsSource
{
public:
    SimulatedPrometheus(const Fleet &fleet, const SimulatedClock &clock);
    ~SimulatedPrometheus() override;

    Answer handle(int cluster, const QByteArray &method, const QByteArray &path,
                  const QByteArray &queryString, const QByteArray &body) override;

private:
    /// Below /api/v1/.
    static bool isPath(const QByteArray &what);
    std::optional<Answer> answerTo(const QByteArray &what, int cluster, const PrometheusForm &form);
    Answer exemplars(const PrometheusForm &form) const;
    Answer query(const ExporterSeries &series, const PrometheusForm &form);
    Answer queryRange(const ExporterSeries &series, const PrometheusForm &form);
    Answer seriesList(const ExporterSeries &series, const PrometheusForm &form);
    Answer labelNames(const ExporterSeries &series, const PrometheusForm &form, const QByteArray &wanted);
    Answer metadata(const PrometheusForm &form) const;
    Answer targets(int cluster, const PrometheusForm &form) const;
    Answer status(const QByteArray &what) const;
    Answer exporterPage(const ExporterSeries &series, const QByteArray &node);
    /// start, end and match[] of a form.
    struct Selection
    {
        qint64 fromMs = 0, toMs = 0;
        std::vector<std::vector<PromMatcher>> selectors; ///< an empty one takes every series
    };
    bool readSelection(const PrometheusForm &form, Selection &selection, Answer &failed,
                       bool namesParameter) const;
    bool selectFor(const ExporterSeries &series, const PrometheusForm &form, std::vector<PromSeries> &found,
                   Answer &failed, bool namesParameter) const;
    Answer evaluationFailure(const PromEvaluator &evaluator) const;
    qint64 nowMs() const;

    std::shared_ptr<const FleetPlan> m_plan;
    const SimulatedClock &m_clock;
    PromSymbols m_symbols;
    std::vector<std::unique_ptr<ExporterSeries>> m_series;
};

} // namespace tongchi
