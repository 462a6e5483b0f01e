#include "platform/kubernetes/kubernetes_client.h"

#include "platform/kubernetes/api_document.h"
#include "platform/kubernetes/kubernetes_client_task.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

template <typename T>
QFuture<Result<T>> startRequest(KubernetesClient *client, HttpRequest request, QString subject,
                                std::function<Result<T>(const HttpResponse &)> read)
{
    auto *task = new SingleRequestTask<T>(
        &client->http(), client, std::move(request),
        [subject = std::move(subject), read = std::move(read)](const HttpResponse &response) -> Result<T> {
            if (Status status = checkApiAnswer(response, subject); !status)
                return tl::unexpected(std::move(status.error()));
            return read(response);
        });
    task->start();
    return task->future();
}

ApiAnswer answerOf(const HttpResponse &response)
{
    return {.body = response.body,
            .contentType = headerValue(response.headers, "Content-Type"),
            .warnings = warningTexts(response.headers),
            .serverTime = response.serverTime};
}

/// Reviews go out together; each answer finds its place.
class AccessReviewTask final : public ClientTask<QList<AccessAnswer>>
{
public:
    AccessReviewTask(HttpClient *http, QObject *parent, const QList<AccessQuestion> &questions)
        : ClientTask(http, parent)
    {
        for (const AccessQuestion &question : questions)
            m_answers << AccessAnswer{.question = question};
    }

    void start() override
    {
        m_open = m_answers.size();
        for (qsizetype i = 0; i < m_answers.size(); ++i) {
            send(apiPost("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                         accessReviewBody(m_answers[i].question)),
                 [this, i](const Result<HttpResponse> &response) { take(i, response); });
        }
        if (m_answers.isEmpty())
            QMetaObject::invokeMethod(
                this, [this] { finish(m_answers); }, Qt::QueuedConnection);
    }

private:
    void take(qsizetype index, const Result<HttpResponse> &response)
    {
        AccessAnswer &answer = m_answers[index];
        Status status = response ? checkApiAnswer(*response, {}) : tl::unexpected(response.error());
        if (!status) {
            answer.error = status.error();
        } else if (Result<AccessAnswer> read = parseAccessReview(response->body, answer.question)) {
            answer = *std::move(read);
        } else {
            answer.error = read.error();
        }
        if (--m_open == 0)
            finish(std::move(m_answers));
    }

    QList<AccessAnswer> m_answers;
    qsizetype m_open = 0;
};

/// GET, check, PATCH of exactly that version; again when the version is old (a node's status is written all
/// the time).
class NodeChangeTask final : public ClientTask<NodeChangeAnswer>
{
public:
    NodeChangeTask(HttpClient *http, QObject *parent, QString name, QString uid, NodeEdit edit, bool dryRun,
                   std::optional<NodeEdit> guard)
        : ClientTask(http, parent), m_name(std::move(name)), m_uid(std::move(uid)), m_edit(std::move(edit)),
          m_dryRun(dryRun), m_guard(std::move(guard))
    {
    }

    void start() override
    {
        send(apiGet(nodePath(m_name)),
             [this](Result<HttpResponse> response) { take(std::move(response), &NodeChangeTask::change); });
    }

private:
    static constexpr int triesMax = 5;

    void take(Result<HttpResponse> response, void (NodeChangeTask::*next)(const HttpResponse &))
    {
        if (!response) {
            finish(tl::unexpected(std::move(response.error())));
            return;
        }
        Status status = checkApiAnswer(*response, m_name);
        if (status)
            (this->*next)(*response);
        else if (status.error().code == ErrorCode::Conflict && next == &NodeChangeTask::done &&
                 ++m_tries < triesMax)
            start();
        else
            finish(tl::unexpected(std::move(status.error())));
    }

    void change(const HttpResponse &response)
    {
        NodeEdit wanted = m_edit; // read the guard's fields as well
        if (m_guard && m_guard->unschedulable && !wanted.unschedulable)
            wanted.unschedulable = m_guard->unschedulable;
        if (m_guard && m_guard->label && !wanted.label)
            wanted.label = m_guard->label;
        Result<NodeState> now = parseNodeState(response.body, wanted);
        if (!now) {
            finish(tl::unexpected(std::move(now.error())));
            return;
        }
        if (Status status = checkNodeGuard(*now, m_uid, m_guard); !status) {
            finish(tl::unexpected(std::move(status.error())));
            return;
        }
        m_before = *std::move(now);
        if (!m_edit.unschedulable)
            m_before.fields.unschedulable.reset();
        if (!m_edit.label)
            m_before.fields.label.reset();
        const PatchRequest patch{.path = nodePath(m_name),
                                 .body = nodePatchBody(m_edit, m_before.resourceVersion),
                                 .dryRun = m_dryRun};
        send({.method = "PATCH",
              .path = patch.path + patchQuery(patch),
              .headers = {{"Accept", "application/json"}, {"Content-Type", patch.contentType}},
              .body = patch.body,
              .repeatable = false},
             [this](Result<HttpResponse> answer) { take(std::move(answer), &NodeChangeTask::done); });
    }

    void done(const HttpResponse &response)
    {
        Result<NodeState> after = parseNodeState(response.body, m_edit);
        if (after)
            finish(NodeChangeAnswer{std::move(m_before), *std::move(after), warningTexts(response.headers)});
        else
            finish(tl::unexpected(std::move(after.error())));
    }

    QString m_name;
    QString m_uid;
    NodeEdit m_edit;
    bool m_dryRun;
    std::optional<NodeEdit> m_guard;
    NodeState m_before;
    int m_tries = 0;
};

} // namespace

KubernetesClient::KubernetesClient(ConnectionSettings settings, QObject *parent)
    : QObject(parent), m_http(new HttpClient(std::move(settings), this))
{
}

KubernetesClient::~KubernetesClient()
{
    // Tasks first: they watch futures of the HTTP client.
    const QObjectList all = children();
    for (QObject *child : all) {
        if (child != m_http)
            delete child;
    }
}

QFuture<Result<ServerVersion>> KubernetesClient::version()
{
    return startRequest<ServerVersion>(this, apiGet("/version"), {}, [](const HttpResponse &response) {
        Result<ServerVersion> version = parseServerVersion(response.body);
        if (version)
            version->simulated = headerValue(response.headers, "X-Tongchi-Simulated") == "true";
        return version;
    });
}

QFuture<Result<UserIdentity>> KubernetesClient::whoAmI()
{
    return startRequest<UserIdentity>(
        this,
        apiPost("/apis/authentication.k8s.io/v1/selfsubjectreviews",
                R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"),
        {}, [](const HttpResponse &response) { return parseSelfSubjectReview(response.body); });
}

QFuture<Result<QList<AccessAnswer>>> KubernetesClient::accessReview(const QList<AccessQuestion> &questions)
{
    auto *task = new AccessReviewTask(m_http, this, questions);
    task->start();
    return task->future();
}

QFuture<Result<ApiAnswer>> KubernetesClient::getRaw(const QByteArray &path, const QByteArray &accept,
                                                    std::chrono::milliseconds timeout)
{
    HttpRequest request = apiGet(path, accept);
    request.timeout = timeout;
    const qsizetype query = path.indexOf('?');
    return startRequest<ApiAnswer>(this, std::move(request),
                                   QString::fromUtf8(query < 0 ? path : path.left(query)),
                                   [](const HttpResponse &response) { return answerOf(response); });
}

QFuture<Result<ApiAnswer>> KubernetesClient::patch(const PatchRequest &patch)
{
    HttpRequest request{.method = "PATCH",
                        .path = patch.path + patchQuery(patch),
                        .headers = {{"Accept", "application/json"}, {"Content-Type", patch.contentType}},
                        .body = patch.body,
                        .repeatable = false};
    return startRequest<ApiAnswer>(this, std::move(request), patch.subject,
                                   [](const HttpResponse &response) { return answerOf(response); });
}

QFuture<Result<NodeChangeAnswer>> KubernetesClient::changeNode(const QString &name, const QString &uid,
                                                               const NodeEdit &edit, bool dryRun,
                                                               const std::optional<NodeEdit> &guard)
{
    auto *task = new NodeChangeTask(m_http, this, name, uid, edit, dryRun, guard);
    task->start();
    return task->future();
}

QByteArray patchQuery(const PatchRequest &request)
{
    QByteArray query = "?fieldManager=tongchi&fieldValidation=Strict";
    if (request.dryRun)
        query += "&dryRun=All";
    if (request.force)
        query += "&force=true";
    return query;
}

QStringList warningTexts(const HeaderList &headers)
{
    QStringList texts;
    for (const auto &[name, value] : headers) {
        if (name.compare("Warning", Qt::CaseInsensitive) != 0)
            continue;
        // Several may share a line: 299 - "a", 299 - "b"; inside, \" and \\ are escaped.
        QByteArray text;
        bool inside = false;
        for (qsizetype i = 0; i < value.size(); ++i) {
            const char c = value.at(i);
            if (inside && c == '\\' && i + 1 < value.size()) {
                text += value.at(++i);
            } else if (c == '"') {
                if (inside)
                    texts << QString::fromUtf8(std::exchange(text, {}));
                inside = !inside;
            } else if (inside) {
                text += c;
            }
        }
    }
    return texts;
}

Result<ServerVersion> parseServerVersion(const QByteArray &json)
{
    const ApiDocument document(json, QString());
    const ApiNode root = document.root();
    ServerVersion version{.gitVersion = root.at("gitVersion").text(), .platform = root.at("platform").text()};
    const auto digits = [](const QString &text) {
        int number = 0;
        for (const QChar c : text) {
            if (c < u'0' || c > u'9' || number > 100000)
                break;
            number = number * 10 + c.digitValue();
        }
        return number;
    };
    version.major = digits(root.at("major").text());
    version.minor = digits(root.at("minor").text());
    // A build without its version stamped in is a server like any other.
    const bool isServer = !version.gitVersion.isEmpty() || !root.at("goVersion").text().isEmpty();
    if (document.isValid() && isServer)
        return version;
    return failure({.code = ErrorCode::Protocol,
                    .text = QT_TRANSLATE_NOOP("Error", "What answers there is no Kubernetes API server."),
                    .remedy = QT_TRANSLATE_NOOP("Error", "Check the server address and its path."),
                    .detail = document.isValid() ? QStringLiteral("no gitVersion in /version")
                                                 : document.error().detail});
}

} // namespace tongchi
