#pragma once

#include "platform/http/http_client.h"
#include "platform/kubernetes/access_review.h"
#include "platform/kubernetes/discovery.h"
#include "platform/kubernetes/node_patch.h"
#include "platform/kubernetes/service_proxy.h"

#include <QFuture>
#include <QObject>

namespace tongchi {

/// The answer to GET /version.
struct ServerVersion
{
    QString gitVersion; ///< "v1.36.3"; empty when the build has none stamped in
    int major = 0;
    int minor = 0; ///< managed clouds write "30+": the digits in front
    QString platform;
    bool simulated = false; ///< it says of itself that it is the pool of `tongchi pool serve`
};

/// An answer as it came, after success.
struct ApiAnswer
{
    QByteArray body;
    QByteArray contentType;
    QStringList warnings; ///< texts of Warning headers
    std::optional<Instant> serverTime;
};

/// A change of one object.
struct PatchRequest
{
    QByteArray path; ///< of the object, without query
    QByteArray contentType = "application/merge-patch+json";
    QByteArray body;
    bool dryRun = false;
    bool force = false; ///< server-side apply only: take fields over; needs the operator's word
    QString subject;    ///< what errors call the object
};

struct NodeChangeAnswer
{
    NodeState before; ///< as it was when the change was made: the fields of the edit
    NodeState after;  ///< as the server answered
    QStringList warnings;
};

/// The request-and-answer side of one cluster. Lives and is used in one thread with an event loop, usually
/// the cluster's own; parses there. Every status other than success is an Error in the server's words
/// (apiError()). Futures are never finished on return; cancelling one aborts its requests; they end as
/// cancelled when the client dies.
class KubernetesClient : public QObject
{
    Q_OBJECT
public:
    explicit KubernetesClient(ConnectionSettings settings, QObject *parent = nullptr);
    ~KubernetesClient() override;

    HttpClient &http() { return *m_http; }
    const ConnectionSettings &settings() const { return m_http->settings(); }

    [[nodiscard]] QFuture<Result<ServerVersion>> version();
    /// All groups, versions and resources: two requests, or one a group on servers older than 1.26. A group
    /// whose server does not answer is a note.
    [[nodiscard]] QFuture<Result<Discovery>> discovery();
    /// The user as the server knows it. Servers older than 1.28 do not: NotFound.
    [[nodiscard]] QFuture<Result<UserIdentity>> whoAmI();
    /// One answer a question, in order. A question that could not be asked holds its error; the batch itself
    /// only fails when it is cancelled.
    [[nodiscard]] QFuture<Result<QList<AccessAnswer>>> accessReview(const QList<AccessQuestion> &questions);

    /// `path` with its query, encoded.
    [[nodiscard]] QFuture<Result<ApiAnswer>>
    getRaw(const QByteArray &path, const QByteArray &accept = "application/json",
           std::chrono::milliseconds timeout = std::chrono::seconds(30));
    /// With field manager tongchi and fieldValidation=Strict.
    [[nodiscard]] QFuture<Result<ApiAnswer>> patch(const PatchRequest &request);

    /// Reads the node, checks `uid` and `guard` (see checkNodeGuard()), and patches exactly that version of
    /// it; begins again when somebody was faster, some times. For the inverse of a change give its
    /// `before.fields` as the edit and its `after.fields` as the guard: it is refused with Conflict when the
    /// fields were changed since.
    [[nodiscard]] QFuture<Result<NodeChangeAnswer>> changeNode(const QString &name, const QString &uid,
                                                               const NodeEdit &edit, bool dryRun,
                                                               const std::optional<NodeEdit> &guard = {});

    /// Looks for a Prometheus among the cluster's services and asks it who it is. NotFound when none answers.
    [[nodiscard]] QFuture<Result<PrometheusService>> findPrometheus();

private:
    HttpClient *m_http;
};

/// Query of a write: field manager, strict validation, dry run, force.
QByteArray patchQuery(const PatchRequest &request);

/// Texts of Warning headers: 299 - "text" (source: RFC 7234, as the API server writes them).
QStringList warningTexts(const HeaderList &headers);

[[nodiscard]] Result<ServerVersion> parseServerVersion(const QByteArray &json);

} // namespace tongchi
