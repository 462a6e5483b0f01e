#include "platform/inventory/cluster_session.h"

#include "platform/core/future_answer.h"
#include "platform/inventory/cluster_worker.h"

#include <QPromise>
#include <QtCore/qcoreapplication.h>

namespace tongchi {
namespace {

const QString businessLabelKey = QStringLiteral("tongchi.io/business");

NodeEdit editOf(const NodeChange &change)
{
    NodeEdit edit;
    edit.unschedulable = change.unschedulable;
    if (change.businessLabel) {
        NodeEdit::Label label{.key = businessLabelKey};
        if (*change.businessLabel != BusinessLabel::Unknown)
            label.value = QString::fromLatin1(labelKey(*change.businessLabel));
        edit.label = label;
    }
    return edit;
}

NodeChange changeOf(const NodeEdit &edit)
{
    NodeChange change;
    change.unschedulable = edit.unschedulable;
    if (edit.label) {
        change.businessLabel = BusinessLabel::Unknown;
        for (const BusinessLabel label :
             {BusinessLabel::Inference, BusinessLabel::Training, BusinessLabel::Mixed}) {
            if (edit.label->value == QString::fromLatin1(labelKey(label)))
                change.businessLabel = label;
        }
    }
    return change;
}

/// A future that is finished in the cluster's thread; a worker that dies first leaves it cancelled.
template <typename T> std::shared_ptr<QPromise<Result<T>>> startedPromise()
{
    auto promise = std::make_shared<QPromise<Result<T>>>();
    promise->start();
    return promise;
}

/// Called in the cluster's thread. The answer is given in the session's: whoever waits for it may be about to
/// die there, and a continuation must not look for its context from another thread meanwhile.
template <typename T>
void fulfil(ClusterSession *session, const std::shared_ptr<QPromise<Result<T>>> &promise, Result<T> value)
{
    QMetaObject::invokeMethod(
        session,
        [promise, value = std::move(value)]() mutable {
            promise->addResult(std::move(value));
            promise->finish();
        },
        Qt::QueuedConnection);
}

Error notConnected(const QString &cluster)
{
    return {.code = ErrorCode::Network,
            .text = QT_TRANSLATE_NOOP("Error", "The cluster is not connected."),
            .remedy = QT_TRANSLATE_NOOP("Error", "Wait until it is live again, then repeat the action."),
            .subject = cluster};
}

} // namespace

ClusterSession::ClusterSession(quint32 clusterId, SessionOptions options, SessionEnvironment environment,
                               QObject *parent)
    : InventorySource(parent), m_clusterId(clusterId), m_name(options.name),
      m_worker(new ClusterWorker(clusterId, std::move(options), environment))
{
    qRegisterMetaType<std::shared_ptr<const InventoryDelta>>();
    m_thread.setObjectName(QStringLiteral("cluster ") + m_name);
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &ClusterWorker::deltaReady, this, &InventorySource::deltaReady);
    connect(m_worker, &ClusterWorker::userKnown, this, [this](const QString &name) { m_userName = name; });
    m_thread.start();
}

ClusterSession::~ClusterSession()
{
    stop();
    m_thread.quit();
    m_thread.wait();
}

void ClusterSession::start()
{
    QMetaObject::invokeMethod(m_worker, &ClusterWorker::start);
}

void ClusterSession::stop()
{
    QMetaObject::invokeMethod(m_worker, &ClusterWorker::stop);
}

void ClusterSession::refresh()
{
    QMetaObject::invokeMethod(m_worker, &ClusterWorker::refresh);
}

void ClusterSession::acknowledge()
{
    QMetaObject::invokeMethod(m_worker, &ClusterWorker::acknowledge);
}

QFuture<Result<NodeChangeResult>> ClusterSession::changeNode(const QString &node, const QString &uid,
                                                             const NodeChange &change, bool dryRun,
                                                             const std::optional<NodeChange> &guard)
{
    auto promise = startedPromise<NodeChangeResult>();
    const auto future = promise->future();
    QMetaObject::invokeMethod(m_worker, [session = this, worker = m_worker, name = m_name, promise, node, uid,
                                         change, dryRun, guard] {
        KubernetesClient *client = worker->kubernetes();
        if (!client) {
            fulfil<NodeChangeResult>(session, promise, failure(notConnected(name)));
            return;
        }
        const std::optional<NodeEdit> guardEdit = guard ? std::optional(editOf(*guard)) : std::nullopt;
        whenAnswered(client->changeNode(node, uid, editOf(change), dryRun, guardEdit), worker,
                     [session, promise, node](const Result<NodeChangeAnswer> &answer) {
                         if (!answer) {
                             fulfil<NodeChangeResult>(session, promise,
                                                      tl::unexpected<Error>(answer.error()));
                             return;
                         }
                         fulfil<NodeChangeResult>(
                             session, promise,
                             NodeChangeResult{node, answer->after.uid, changeOf(answer->before.fields),
                                              changeOf(answer->after.fields), answer->warnings});
                     });
    });
    return future;
}

QFuture<Result<Permission>> ClusterSession::mayChangeNodes()
{
    auto promise = startedPromise<Permission>();
    const auto future = promise->future();
    QMetaObject::invokeMethod(m_worker, [session = this, worker = m_worker, name = m_name, promise] {
        KubernetesClient *client = worker->kubernetes();
        if (!client) {
            fulfil<Permission>(session, promise, failure(notConnected(name)));
            return;
        }
        whenAnswered(client->accessReview({AccessQuestion{
                         .verb = QStringLiteral("patch"), .group = {}, .resource = QStringLiteral("nodes")}}),
                     worker, [session, promise](const Result<QList<AccessAnswer>> &answers) {
                         if (!answers || answers->isEmpty()) {
                             fulfil<Permission>(session, promise,
                                                tl::unexpected<Error>(answers ? Error{} : answers.error()));
                             return;
                         }
                         const AccessAnswer &answer = answers->first();
                         if (answer.error) {
                             fulfil<Permission>(session, promise, tl::unexpected<Error>(*answer.error));
                             return;
                         }
                         fulfil<Permission>(
                             session, promise,
                             Permission{answer.allowed,
                                        answer.allowed ? QString() : englishText(missingRightError(answer))});
                     });
    });
    return future;
}

QFuture<Result<std::vector<TelemetryRecord>>> ClusterSession::lastHour(std::uint32_t ordinal)
{
    using Hour = std::vector<TelemetryRecord>;
    auto promise = startedPromise<Hour>();
    const auto future = promise->future();
    QMetaObject::invokeMethod(m_worker, [session = this, worker = m_worker, promise, ordinal] {
        worker->readHour(ordinal, [session, promise](Result<Hour> hour) {
            fulfil<Hour>(session, promise, std::move(hour));
        });
    });
    return future;
}

} // namespace tongchi
