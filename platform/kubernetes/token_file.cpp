#include "platform/kubernetes/token_file.h"

#include "platform/kubernetes/kubeconfig_fields.h"

#include <QPromise>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

Result<QByteArray> readTokenFile(const FilePath &path)
{
    Result<QByteArray> bytes = readSmallFile(path, 64 * 1024);
    if (!bytes)
        return bytes;
    QByteArray token = bytes->trimmed();
    if (token.startsWith("\xEF\xBB\xBF"))
        token.remove(0, 3);
    if (!token.isEmpty() && fitsHeader(token))
        return token;
    return failure(
        {.code = ErrorCode::Unauthorized,
         .text = token.isEmpty()
                     ? QT_TRANSLATE_NOOP("Error", "The token file %1 is empty.")
                     : QT_TRANSLATE_NOOP(
                           "Error", "The token file %1 holds more than one line, or control characters."),
         .arguments = {displayPath(path)},
         .remedy = QT_TRANSLATE_NOOP("Error", "Log in again, so that the file is written anew.")});
}

QFuture<Result<Credential>> LaterCredential::answer(Result<Credential> credential)
{
    if (!m_context)
        m_context = std::make_unique<QObject>();
    auto promise = std::make_shared<QPromise<Result<Credential>>>();
    promise->start();
    QMetaObject::invokeMethod(
        m_context.get(),
        [promise, credential = std::move(credential)] {
            promise->addResult(credential);
            promise->finish();
        },
        Qt::QueuedConnection);
    return promise->future();
}

StaticCredential::StaticCredential(QByteArray authorization, QString userName)
    : m_authorization(std::move(authorization)), m_userName(std::move(userName))
{
}

QFuture<Result<Credential>> StaticCredential::credential(bool rejected)
{
    if (!rejected)
        return m_later.answer(Credential{.authorization = m_authorization});
    const bool basic = m_authorization.startsWith("Basic ");
    return m_later.answer(failure(
        {.code = ErrorCode::Unauthorized,
         .text = basic ? QT_TRANSLATE_NOOP("Error", "The server refuses the user name and password of %1.")
                       : QT_TRANSLATE_NOOP("Error",
                                           "The server refuses the token of %1: it is wrong or has expired."),
         .arguments = {shortened(m_userName)},
         .remedy = QT_TRANSLATE_NOOP("Error", "Log in again with your cluster's tool, then reconnect."),
         .httpStatus = 401}));
}

TokenFileCredential::TokenFileCredential(FilePath path, const Clock &clock)
    : m_path(std::move(path)), m_clock(clock)
{
}

QFuture<Result<Credential>> TokenFileCredential::credential(bool rejected)
{
    return m_later.answer(current(rejected));
}

Result<Credential> TokenFileCredential::current(bool rejected)
{
    constexpr std::chrono::seconds rereadAfter{60};
    const Monotonic now = m_clock.monotonic();
    if (m_token.isEmpty() || rejected || now - m_readAt >= rereadAfter) {
        Result<QByteArray> token = readTokenFile(m_path);
        if (token) {
            // Of several requests that were refused with the old token, the later ones find the new one read
            // already.
            const bool justChanged = m_changedAt && now - *m_changedAt < std::chrono::seconds(5);
            if (rejected && *token == m_token && !justChanged) {
                return failure(
                    {.code = ErrorCode::Unauthorized,
                     .text = QT_TRANSLATE_NOOP(
                         "Error", "The server refuses the token in %1: it is wrong or has expired."),
                     .arguments = {displayPath(m_path)},
                     .remedy = QT_TRANSLATE_NOOP("Error", "Log in again, so that the file is written anew."),
                     .httpStatus = 401});
            }
            if (!m_token.isEmpty() && m_token != *token)
                m_changedAt = now;
            m_token = *std::move(token);
            m_readAt = now;
        } else if (m_token.isEmpty() || rejected) {
            return tl::unexpected(std::move(token.error()));
        }
    }
    return Credential{.authorization = "Bearer " + m_token};
}

} // namespace tongchi
