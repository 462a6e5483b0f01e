#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"
#include "platform/metrics/instant_query_parser.h"
#include "platform/metrics/range_query_parser.h"

#include <QFuture>
#include <QObject>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tongchi {

class HttpClient;

/// What came of one query, besides its series.
struct QueryOutcome
{
    PrometheusAnswer answer; ///< warnings: whatever is shown from it is incomplete
    std::optional<std::chrono::milliseconds>
        clockSkew; ///< the server's clock minus ours; 0 within what a Date header can tell
    std::chrono::microseconds elapsed{};
    qint64 bytes = 0;
};

struct PrometheusBuild
{
    QString version; ///< as the server says it; compatible servers have their own, some builds none
};

/// Start and end of a curve, aligned so that it does not jitter from one refresh to the next.
struct RangeWindow
{
    Instant start{}, end{};
    std::chrono::milliseconds step{};
};

/// The window of `length` up to `end` with at most `points` steps of at least `shortestStep`; never more than
/// the 11,000 steps that a server takes.
RangeWindow alignedWindow(Instant end, std::chrono::milliseconds length, int points,
                          std::chrono::milliseconds shortestStep = std::chrono::seconds(15));

/// One Prometheus, asked through an HttpClient. Lives and is used in the thread of that client (its
/// cluster's). Futures are never finished on return; cancelling one aborts its request; when the client dies
/// they end as cancelled. Series callbacks run in this thread before the future finishes: after an error
/// throw away what they got. Queries longer than 2 kB are sent as a form with POST (through a service proxy
/// that needs the verb create).
class PrometheusClient : public QObject
{
    Q_OBJECT
public:
    static constexpr qint64 largestAnswer = qint64(256) * 1024 * 1024;

    /// `basePath`: what stands between the HTTP client's server and "/api/v1/...": empty, or the path of the
    /// API server's service proxy. `subject` names this Prometheus in errors. `http` and `clock` must outlive
    /// the client.
    PrometheusClient(HttpClient *http, const QByteArray &basePath, const QString &subject, const Clock *clock,
                     QObject *parent = nullptr);
    ~PrometheusClient() override;

    /// "/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy". Parts are percent-encoded.
    static QByteArray serviceProxyPath(const QString &nameSpace, const QString &service, const QString &port,
                                       bool https = false);

    /// At the server's own now unless `at` is given.
    [[nodiscard]] QFuture<Result<QueryOutcome>> query(const QByteArray &promql,
                                                      InstantQueryParser::Collector onSeries,
                                                      std::optional<Instant> at = std::nullopt);
    [[nodiscard]] QFuture<Result<QueryOutcome>>
    queryRange(const QByteArray &promql, const RangeWindow &window, RangeQueryParser::Callback onSeries);
    [[nodiscard]] QFuture<Result<PrometheusBuild>> buildInfo();
    /// Names of metrics matching `selector` ({__name__=~"..."}); empty: all.
    [[nodiscard]] QFuture<Result<std::vector<std::string>>> metricNames(const QByteArray &selector = {});

    void setTimeout(std::chrono::milliseconds timeout);
    /// Of the last answer with a Date header; nullopt before the first.
    std::optional<std::chrono::milliseconds> clockSkew() const;
    /// "Now" by the server's clock as far as it is known: for the end of curves.
    Instant serverNow() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// What a Date header (whole seconds) tells about the other clock when it came in answer to a request sent at
/// `sent` and answered at `received`, by ours: 0 when the difference is within what that can tell.
std::chrono::milliseconds clockSkewOf(Instant dateHeader, Instant sent, Instant received);

} // namespace tongchi
