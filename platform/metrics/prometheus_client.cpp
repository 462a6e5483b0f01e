#include "platform/metrics/prometheus_client.h"

#include "platform/http/http_client.h"
#include "platform/http/status_error.h"
#include "platform/metrics/answer_error.h"
#include "platform/metrics/sample_text.h"

#include <QFutureWatcher>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPromise>
#include <algorithm>
#include <cmath>

namespace tongchi {

namespace {

constexpr qsizetype longestGetQuery = 2048;

QByteArray secondsText(Instant instant)
{
    return wireNumber(double(instant.time_since_epoch().count()) / 1000);
}

void addParameter(QByteArray &form, const char *name, const QByteArray &value)
{
    // QUrlQuery would leave '+' alone, which servers read as a blank.
    if (!form.isEmpty())
        form += '&';
    form += name;
    form += '=';
    form += value.toPercentEncoding();
}

/// The `data` of a small answer.
Result<QJsonValue> smallData(const QByteArray &body)
{
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    const QString status = object.value(QLatin1String("status")).toString();
    if (status == QLatin1String("error")) {
        const std::string type = object.value(QLatin1String("errorType")).toString().toStdString();
        return failure(prometheusError(type, object.value(QLatin1String("error")).toString().toStdString()));
    }
    if (status != QLatin1String("success") || !object.contains(QLatin1String("data")))
        return failure(notPrometheusError(body, "no status \"success\" with data"));
    return object.value(QLatin1String("data"));
}

} // namespace

std::chrono::milliseconds clockSkewOf(Instant dateHeader, Instant sent, Instant received)
{
    // The server wrote the header between the two, and cut off up to a second.
    const auto lowest = dateHeader - std::max(sent, received);
    const auto highest = dateHeader + std::chrono::seconds(1) - std::min(sent, received);
    if (lowest <= std::chrono::milliseconds(0) && highest >= std::chrono::milliseconds(0))
        return {};
    return (lowest + highest) / 2;
}

RangeWindow alignedWindow(Instant end, std::chrono::milliseconds length, int points,
                          std::chrono::milliseconds shortestStep)
{
    constexpr int mostSteps = 11'000;
    using std::chrono::milliseconds;
    length = std::max(length, milliseconds(1));
    const auto steps = std::clamp(points, 1, mostSteps);
    const auto ceilDivide = [](std::int64_t value, std::int64_t by) { return (value + by - 1) / by; };
    // Whole seconds keep the numbers on the wire and the alignment simple.
    auto step = std::max({milliseconds(ceilDivide(length.count(), steps)), shortestStep, milliseconds(1000)});
    step = milliseconds(ceilDivide(step.count(), 1000) * 1000);
    const auto align = [step](Instant instant) {
        const auto ticks = instant.time_since_epoch().count();
        const auto rest = ((ticks % step.count()) + step.count()) % step.count();
        return Instant(milliseconds(ticks - rest));
    };
    return {.start = align(end - length), .end = align(end), .step = step};
}

struct PrometheusClient::Private
{
    HttpRequest request(const char *path, const QByteArray &form) const;
    template <typename Outcome, typename Read>
    QFuture<Result<Outcome>> send(PrometheusClient *self, const HttpRequest &request, Read read);

    HttpClient *http = nullptr;
    QByteArray basePath;
    QString subject;
    const Clock *clock = nullptr;
    std::chrono::milliseconds timeout{30'000};
    std::optional<std::chrono::milliseconds> skew;
    InstantQueryParser instantParser;
    RangeQueryParser rangeParser;
};

HttpRequest PrometheusClient::Private::request(const char *path, const QByteArray &form) const
{
    HttpRequest request;
    request.path = basePath + "/api/v1/" + path;
    request.timeout = timeout;
    request.bodyLimit = largestAnswer;
    request.headers.append({QByteArrayLiteral("Accept"), QByteArrayLiteral("application/json")});
    if (form.size() > longestGetQuery) {
        request.method = QByteArrayLiteral("POST");
        request.headers.append(
            {QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/x-www-form-urlencoded")});
        request.body = form;
    } else if (!form.isEmpty()) {
        request.path += '?' + form;
    }
    return request;
}

/// Sends, and turns the answer into an outcome: `read(response, skew)` is only called for a 2xx answer.
template <typename Outcome, typename Read>
QFuture<Result<Outcome>> PrometheusClient::Private::send(PrometheusClient *self, const HttpRequest &request,
                                                         Read read)
{
    auto promise = std::make_shared<QPromise<Result<Outcome>>>();
    promise->start();
    QFuture<Result<Outcome>> future = promise->future();
    auto *const watcher = new QFutureWatcher<Result<HttpResponse>>(self);
    const Instant sent = clock->now();
    QObject::connect(watcher, &QFutureWatcherBase::finished, self,
                     [this, watcher, promise, read = std::move(read), sent] {
                         watcher->deleteLater();
                         if (watcher->isCanceled() || watcher->future().resultCount() == 0) {
                             promise->future().cancel();
                             promise->finish();
                             return;
                         }
                         Result<HttpResponse> response = watcher->future().takeResult();
                         Result<Outcome> outcome = failure({});
                         if (!response) {
                             outcome = tl::unexpected(response.error());
                         } else {
                             std::optional<std::chrono::milliseconds> answerSkew;
                             if (response->serverTime)
                                 answerSkew = skew = clockSkewOf(*response->serverTime, sent, clock->now());
                             if (response->status >= 200 && response->status < 300) {
                                 outcome = read(*response, answerSkew);
                             } else {
                                 Error error = prometheusHttpError(response->status, response->body);
                                 error.retryAfter = retryAfterOf(response->headers, clock->now());
                                 outcome = tl::unexpected(std::move(error));
                             }
                         }
                         if (!outcome && outcome.error().subject.isEmpty())
                             outcome.error().subject = subject;
                         promise->addResult(std::move(outcome));
                         promise->finish();
                     });
    auto *const canceller = new QFutureWatcher<Result<Outcome>>(watcher);
    QObject::connect(canceller, &QFutureWatcherBase::canceled, watcher, [watcher] { watcher->cancel(); });
    canceller->setFuture(future);
    watcher->setFuture(http->send(request));
    return future;
}

PrometheusClient::PrometheusClient(HttpClient *http, const QByteArray &basePath, const QString &subject,
                                   const Clock *clock, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>())
{
    d->http = http;
    d->basePath = basePath;
    while (d->basePath.endsWith('/'))
        d->basePath.chop(1);
    d->subject = subject;
    d->clock = clock;
}

PrometheusClient::~PrometheusClient()
{
    // The watchers' slots use d, so they go first.
    qDeleteAll(findChildren<QFutureWatcherBase *>(QString(), Qt::FindDirectChildrenOnly));
}

QByteArray PrometheusClient::serviceProxyPath(const QString &nameSpace, const QString &service,
                                              const QString &port, bool https)
{
    const auto part = [](const QString &text) { return text.toUtf8().toPercentEncoding(); };
    return "/api/v1/namespaces/" + part(nameSpace) + "/services/" + (https ? "https:" : "http:") +
           part(service) + (port.isEmpty() ? QByteArray() : QByteArray(':' + part(port))) + "/proxy";
}

QFuture<Result<QueryOutcome>> PrometheusClient::query(const QByteArray &promql,
                                                      InstantQueryParser::Collector onSeries,
                                                      std::optional<Instant> at)
{
    QByteArray form;
    addParameter(form, "query", promql);
    if (at)
        addParameter(form, "time", secondsText(*at));
    return d->send<QueryOutcome>(
        this, d->request("query", form),
        [this, onSeries = std::move(onSeries)](HttpResponse &response, auto skew) -> Result<QueryOutcome> {
            const qint64 bytes = response.body.size();
            auto answer = d->instantParser.parse(std::move(response.body), onSeries);
            if (!answer)
                return tl::unexpected(answer.error());
            return QueryOutcome{std::move(*answer), skew, response.elapsed, bytes};
        });
}

QFuture<Result<QueryOutcome>> PrometheusClient::queryRange(const QByteArray &promql,
                                                           const RangeWindow &window,
                                                           RangeQueryParser::Callback onSeries)
{
    QByteArray form;
    addParameter(form, "query", promql);
    addParameter(form, "start", secondsText(window.start));
    addParameter(form, "end", secondsText(window.end));
    addParameter(form, "step", wireNumber(double(window.step.count()) / 1000));
    return d->send<QueryOutcome>(
        this, d->request("query_range", form),
        [this, onSeries = std::move(onSeries)](HttpResponse &response, auto skew) -> Result<QueryOutcome> {
            const qint64 bytes = response.body.size();
            auto answer = d->rangeParser.parse(std::move(response.body), onSeries);
            if (!answer)
                return tl::unexpected(answer.error());
            return QueryOutcome{std::move(*answer), skew, response.elapsed, bytes};
        });
}

QFuture<Result<PrometheusBuild>> PrometheusClient::buildInfo()
{
    return d->send<PrometheusBuild>(
        this, d->request("status/buildinfo", {}),
        [](HttpResponse &response, auto) -> Result<PrometheusBuild> {
            const auto data = smallData(response.body);
            if (!data)
                return tl::unexpected(data.error());
            return PrometheusBuild{data->toObject().value(QLatin1String("version")).toString().left(100)};
        });
}

QFuture<Result<std::vector<std::string>>> PrometheusClient::metricNames(const QByteArray &selector)
{
    QByteArray form;
    if (!selector.isEmpty())
        addParameter(form, "match%5B%5D", selector);
    HttpRequest request = d->request("label/__name__/values", {});
    if (!form.isEmpty())
        request.path += '?' + form; // this endpoint takes no POST
    return d->send<std::vector<std::string>>(
        this, request, [](HttpResponse &response, auto) -> Result<std::vector<std::string>> {
            const auto data = smallData(response.body);
            if (!data)
                return tl::unexpected(data.error());
            if (!data->isArray() && !data->isNull())
                return failure(notPrometheusError(response.body, "the names are not a list"));
            std::vector<std::string> names;
            for (const auto &name : data->toArray()) {
                if (name.isString())
                    names.push_back(name.toString().toStdString());
            }
            return names;
        });
}

void PrometheusClient::setTimeout(std::chrono::milliseconds timeout)
{
    d->timeout = timeout;
}

std::optional<std::chrono::milliseconds> PrometheusClient::clockSkew() const
{
    return d->skew;
}

Instant PrometheusClient::serverNow() const
{
    return d->clock->now() + d->skew.value_or(std::chrono::milliseconds(0));
}

} // namespace tongchi
