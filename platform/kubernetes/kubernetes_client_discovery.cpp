#include "platform/kubernetes/kubernetes_client.h"
#include "platform/kubernetes/kubernetes_client_task.h"

#include <QtCore/qcoreapplication.h>
#include <algorithm>
#include <optional>

namespace tongchi {

namespace {

/// Asks /api and /apis for aggregated discovery. If /apis answers in the old form, the groups are asked one
/// by one:
///
///     aggregated? --yes--> done
///         no --> /apis (groups) --> /api/v1 and each group's versions, some at a time --> done
///
/// A group that does not answer is a note; only /apis itself makes the whole fail.
class DiscoveryTask final : public ClientTask<Discovery>
{
public:
    using ClientTask::ClientTask;

    void start() override
    {
        for (const char *root : {"/api", "/apis"}) {
            const bool core = qstrcmp(root, "/api") == 0;
            send(apiGet(root, aggregatedDiscoveryAccept),
                 [this, core](Result<HttpResponse> response) { takeRoot(core, std::move(response)); });
        }
    }

private:
    void takeRoot(bool core, Result<HttpResponse> response)
    {
        Result<QList<ApiGroup>> groups = failure({});
        if (!response)
            groups = tl::unexpected(std::move(response.error()));
        else if (Status status =
                     checkApiAnswer(*response, core ? QStringLiteral("/api") : QStringLiteral("/apis"));
                 !status)
            groups = tl::unexpected(std::move(status.error()));
        else
            groups = parseAggregatedDiscovery(response->body);
        if (core)
            m_core = std::move(groups);
        else
            m_named = std::move(groups);
        if (!m_core || !m_named)
            return;
        const auto isOld = [](const Result<QList<ApiGroup>> &answer) {
            return !answer && answer.error().code == ErrorCode::NotSupported; // also a 406 of an old server
        };
        if (isOld(*m_core) || isOld(*m_named)) {
            askGroups();
            return;
        }
        if (!*m_named) {
            finish(tl::unexpected(m_named->error()));
            return;
        }
        m_result.aggregated = true;
        if (*m_core)
            m_result.groups = **m_core;
        else
            m_result.notes << m_core->error();
        m_result.groups << **m_named;
        finish(std::move(m_result));
    }

    void askGroups()
    {
        send(apiGet("/apis"), [this](Result<HttpResponse> response) {
            if (!response) {
                finish(tl::unexpected(std::move(response.error())));
                return;
            }
            if (Status status = checkApiAnswer(*response, QStringLiteral("/apis")); !status) {
                finish(tl::unexpected(std::move(status.error())));
                return;
            }
            Result<QList<ApiGroup>> groups = parseApiGroupList(response->body);
            if (!groups) {
                finish(tl::unexpected(std::move(groups.error())));
                return;
            }
            m_result.groups = {ApiGroup{.versions = {ApiVersion{.version = QStringLiteral("v1")}}}};
            m_result.groups << *groups;
            for (qsizetype group = 0; group < m_result.groups.size(); ++group) {
                for (qsizetype version = 0; version < m_result.groups[group].versions.size(); ++version)
                    m_left.append({group, version});
            }
            m_left = m_left.mid(0, versionsMax);
            for (int i = 0; i < atOnce; ++i)
                askNext();
        });
    }

    void askNext()
    {
        if (m_next == m_left.size()) {
            if (m_running == 0)
                finish(std::move(m_result));
            return;
        }
        const auto [group, version] = m_left[m_next++];
        const QByteArray name = m_result.groups[group].name.toUtf8();
        const QByteArray number =
            m_result.groups[group].versions[version].version.toUtf8().toPercentEncoding();
        const QByteArray root =
            name.isEmpty() ? QByteArray("/api/") : QByteArray("/apis/" + name.toPercentEncoding() + '/');
        const QByteArray path = root + number;
        ++m_running;
        send(apiGet(path), [this, place = m_next - 1, path](Result<HttpResponse> response) {
            --m_running;
            const auto [groupAt, versionAt] = m_left[place];
            ApiVersion &entry = m_result.groups[groupAt].versions[versionAt];
            Status status = response ? checkApiAnswer(*response, QString::fromUtf8(path))
                                     : tl::unexpected(std::move(response.error()));
            if (status) {
                if (Result<QList<ApiResource>> resources = parseApiResourceList(response->body))
                    entry.resources = *std::move(resources);
                else
                    status = tl::unexpected(std::move(resources.error()));
            }
            if (!status) { // the server behind this group does not answer
                entry.stale = true;
                m_result.notes << std::move(status.error());
            }
            askNext();
        });
    }

    static constexpr int atOnce = 6;
    static constexpr qsizetype versionsMax = 1000;
    std::optional<Result<QList<ApiGroup>>> m_core;
    std::optional<Result<QList<ApiGroup>>> m_named;
    Discovery m_result;
    QList<std::pair<qsizetype, qsizetype>> m_left;
    qsizetype m_next = 0;
    int m_running = 0;
};

/// Lists services by the usual labels and names, then asks the likely ones who they are, one after the other.
class PrometheusSearchTask final : public ClientTask<PrometheusService>
{
public:
    using ClientTask::ClientTask;

    void start() override
    {
        const QList<QByteArray> queries = prometheusServiceQueries();
        m_open = queries.size();
        for (const QByteArray &query : queries)
            send(apiGet(query), [this](Result<HttpResponse> response) { takeServices(std::move(response)); });
    }

private:
    void takeServices(Result<HttpResponse> response)
    {
        Status status = response ? checkApiAnswer(*response, QStringLiteral("services"))
                                 : tl::unexpected(std::move(response.error()));
        if (!status) {
            m_listError = std::move(status.error());
        } else if (Result<QList<ServiceCandidate>> found = prometheusCandidates(response->body)) {
            for (const ServiceCandidate &candidate : *found) {
                if (!m_candidates.contains(candidate))
                    m_candidates << candidate;
            }
        } else {
            m_listError = std::move(found.error());
        }
        if (--m_open > 0)
            return;
        std::stable_sort(
            m_candidates.begin(), m_candidates.end(),
            [](const ServiceCandidate &a, const ServiceCandidate &b) { return a.rank < b.rank; });
        if (m_candidates.isEmpty() && m_listError && m_listError->code == ErrorCode::Forbidden)
            m_candidates = usualPrometheusPlaces(); // who may not list may still be allowed to ask
        else if (m_candidates.isEmpty() && m_listError) {
            finish(failure(*m_listError));
            return;
        }
        m_candidates = m_candidates.mid(0, candidatesMax);
        askNext();
    }

    void askNext()
    {
        if (m_next == m_candidates.size()) {
            QStringList tried;
            for (const ServiceCandidate &candidate : std::as_const(m_candidates))
                tried << candidate.nameSpace + u'/' + candidate.service;
            finish(failure(
                {.code = ErrorCode::NotFound,
                 .text = m_candidates.isEmpty()
                             ? QT_TRANSLATE_NOOP("Error", "No Prometheus was found in the cluster.")
                             : QT_TRANSLATE_NOOP("Error", "No Prometheus in the cluster answers. Tried: %1."),
                 .arguments = {tried.join(QStringLiteral(", "))},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error", "Give the address of your Prometheus in the connection's settings."),
                 .detail = m_lastError ? englishText(*m_lastError) : QString()}));
            return;
        }
        const ServiceCandidate candidate = m_candidates[m_next++];
        HttpRequest request =
            apiGet(servicePath(candidate.nameSpace, candidate.service, "/api/v1/status/buildinfo"));
        request.timeout = std::chrono::seconds(5);
        send(std::move(request), [this, candidate](Result<HttpResponse> response) {
            Status status = response ? checkApiAnswer(*response, candidate.service)
                                     : tl::unexpected(std::move(response.error()));
            if (status) {
                if (Result<QString> version = parsePrometheusBuildInfo(response->body)) {
                    finish(PrometheusService{candidate.nameSpace, candidate.service, *version});
                    return;
                } else {
                    status = tl::unexpected(std::move(version.error()));
                }
            }
            m_lastError = std::move(status.error());
            askNext();
        });
    }

    static constexpr qsizetype candidatesMax = 8;
    QList<ServiceCandidate> m_candidates;
    std::optional<Error> m_listError;
    std::optional<Error> m_lastError;
    qsizetype m_open = 0;
    qsizetype m_next = 0;
};

} // namespace

QFuture<Result<Discovery>> KubernetesClient::discovery()
{
    auto *task = new DiscoveryTask(m_http, this);
    task->start();
    return task->future();
}

QFuture<Result<PrometheusService>> KubernetesClient::findPrometheus()
{
    auto *task = new PrometheusSearchTask(m_http, this);
    task->start();
    return task->future();
}

} // namespace tongchi
