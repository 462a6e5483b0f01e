#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"

#include <QAbstractSocket>

namespace tongchi {

/// The failures that both HTTP clients can meet, worded in one place. None of them shows a credential, a
/// proxy password or a query value. `detail` is what the library below said.

Error connectionError(const ConnectionSettings &settings, const QUrl &url, QAbstractSocket::SocketError code,
                      const QString &detail);
/// The proxy answered the CONNECT (or the forwarded request) with something else than success.
Error proxyAnswerError(const ConnectionSettings &settings, const QUrl &url, int status);
Error proxyUnsupportedError(const ConnectionSettings &settings, const QUrl &url);
Error connectTimeoutError(const QUrl &url, std::chrono::milliseconds limit);
Error answerTimeoutError(const QUrl &url, std::chrono::milliseconds limit);
Error idleTimeoutError(const QUrl &url, std::chrono::milliseconds limit);
Error lostConnectionError(const QUrl &url, const QString &detail);
Error cutBodyError(const QUrl &url, const QString &detail);
Error badAnswerError(const QUrl &url, const QString &detail);
/// Its checksum or its structure is wrong.
Error damagedBodyError(const QUrl &url, const QString &detail);
Error bodyTooLargeError(const QUrl &url, qint64 limitBytes);
Error unusableRequestError(const QUrl &url, const QString &detail);
Error noCredentialError(const QUrl &url);

/// The same failure of a request that must not be repeated: whether it was done is not known.
Error perhapsDoneError(Error error);

} // namespace tongchi
