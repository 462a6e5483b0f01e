#include "platform/kubernetes/exec_credential.h"

#include "platform/kubernetes/exec_credential_run.h"
#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/login_path.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QtCore/qcoreapplication.h>
#include <vector>

namespace tongchi {

namespace {

/// A refresh after a 401 serves every request that was refused with the old credential, also those that say
/// so later.
constexpr std::chrono::milliseconds freshAfterRefusal{5000};
/// After a failure, requests that come at once (several watches reconnecting) get the same answer without a
/// new run.
constexpr std::chrono::milliseconds failureHolds{2000};
/// A credential that is expired when it arrives (a wrong clock here or there) is used so long all the same,
/// or the plug-in would run for every request.
constexpr std::chrono::milliseconds shortestUse{10'000};

} // namespace

/// Lives in the thread that asks. All state changes happen in its event loop.
class ExecCredential::Worker : public QObject
{
public:
    using Promise = std::shared_ptr<QPromise<Result<Credential>>>;

    explicit Worker(ExecCredential &owner) : q(owner) {}

    void ask(const Promise &promise, bool rejected)
    {
        if (m_run || m_lookingUp) { // one run serves all
            m_waiting.push_back(promise);
            return;
        }
        const Monotonic now = q.m_clock.monotonic();
        const bool refreshed = m_refreshedAt && now - *m_refreshedAt < freshAfterRefusal;
        const bool refuse = rejected && !refreshed;
        if (m_credential && !refuse && isUsable(now)) {
            answer(promise, *m_credential);
            return;
        }
        if (m_failure && now - m_failedAt < failureHolds) {
            answer(promise, failure(*m_failure));
            return;
        }
        if (!q.m_consent || !q.m_consent->isAllowed(q.m_command)) {
            answer(
                promise,
                failure({.code = ErrorCode::NeedsConsent,
                         .text = QT_TRANSLATE_NOOP("Error",
                                                   "The kubeconfig wants to run a program to log in: %1"),
                         .arguments = {execCommandLine(q.m_command), displayPath(q.m_command.file)},
                         .remedy = QT_TRANSLATE_NOOP("Error", "Allow it once if you trust the file %2.")}));
            return;
        }
        m_waiting.push_back(promise);
        m_isRefresh = refuse && m_credential;
        m_credential.reset();
        lookUp();
    }

private:
    bool isUsable(Monotonic now) const
    {
        return !m_credential->expires || q.m_clock.now() < *m_credential->expires ||
               now - m_receivedAt < m_graceUntilExpiry;
    }

    void lookUp()
    {
        if (!q.m_loginPath) {
            run(splitPath(qgetenv("PATH")));
            return;
        }
        m_lookingUp = true;
        auto *watcher = new QFutureWatcher<QList<FilePath>>(this);
        connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
            watcher->deleteLater();
            m_lookingUp = false;
            const QFuture<QList<FilePath>> future = watcher->future();
            run(future.resultCount() > 0 ? future.result() : splitPath(qgetenv("PATH")));
        });
        watcher->setFuture(q.m_loginPath->folders());
    }

    void run(const QList<FilePath> &folders)
    {
        m_run = std::make_unique<ExecCredentialRun>(
            q.m_command, q.m_options, folders,
            [this](Result<Credential> result) { finished(std::move(result)); });
        m_run->start();
    }

    void finished(Result<Credential> result)
    {
        m_run.release()->deleteLater(); // it is what called us
        const Monotonic now = q.m_clock.monotonic();
        m_failure.reset();
        if (result) {
            m_credential = *result;
            m_receivedAt = now;
            m_graceUntilExpiry = result->expires && *result->expires <= q.m_clock.now()
                                     ? shortestUse
                                     : std::chrono::milliseconds(0);
            m_refreshedAt = m_isRefresh ? std::optional(now) : std::nullopt;
        } else {
            m_failure = result.error();
            m_failedAt = now;
        }
        for (const Promise &promise : std::exchange(m_waiting, {}))
            answer(promise, result);
    }

    static void answer(const Promise &promise, const Result<Credential> &result)
    {
        promise->addResult(result);
        promise->finish();
    }

    ExecCredential &q;
    std::unique_ptr<ExecCredentialRun> m_run;
    bool m_lookingUp = false;
    bool m_isRefresh = false;
    std::vector<Promise> m_waiting;
    std::optional<Credential> m_credential;
    Monotonic m_receivedAt{};
    std::chrono::milliseconds m_graceUntilExpiry{0};
    std::optional<Monotonic> m_refreshedAt;
    std::optional<Error> m_failure;
    Monotonic m_failedAt{};
};

ExecCredential::ExecCredential(ExecCommand command, const Clock &clock, ExecOptions options,
                               std::shared_ptr<LoginPath> loginPath,
                               std::shared_ptr<const ExecConsent> consent)
    : m_consent(std::move(consent)), m_loginPath(std::move(loginPath)), m_command(std::move(command)),
      m_clock(clock), m_options(std::move(options))
{
}

ExecCredential::~ExecCredential() = default;

QFuture<Result<Credential>> ExecCredential::credential(bool rejected)
{
    if (!m_worker)
        m_worker = std::make_unique<Worker>(*this);
    auto promise = std::make_shared<QPromise<Result<Credential>>>();
    promise->start();
    QMetaObject::invokeMethod(
        m_worker.get(), [worker = m_worker.get(), promise, rejected] { worker->ask(promise, rejected); },
        Qt::QueuedConnection);
    return promise->future();
}

} // namespace tongchi
