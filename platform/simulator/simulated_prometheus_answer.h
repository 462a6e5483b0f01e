#pragma once

#include "platform/simulator/promql_evaluator.h"
#include "platform/simulator/simulated_object.h"

namespace tongchi {

/// {"status":"success","data":...}
MetricsSource::Answer prometheusSuccess(const QByteArray &dataJson);
/// {"status":"error",...} with the HTTP status that goes with the type.
MetricsSource::Answer prometheusFailure(const char *errorType, const QByteArray &error);
MetricsSource::Answer prometheusText(int status, const QByteArray &text);

/// Of an instant query at `atMs`.
MetricsSource::Answer prometheusInstant(const PromSymbols &symbols, const PromResult &result, qint64 atMs);
/// Of a range query.
MetricsSource::Answer prometheusRange(const PromSymbols &symbols, const PromResult &result);
void appendPrometheusLabels(QByteArray &out, const PromSymbols &symbols, const PromLabels &labels);

} // namespace tongchi
