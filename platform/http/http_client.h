#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"

#include <QFuture>
#include <QObject>
#include <memory>

namespace tongchi {

/// Question-and-answer requests: a StreamClient whose answers are collected, at most six at a time. Lives and
/// is used in one thread with an event loop. (QNetworkAccessManager of Qt 6.4 takes a chunked or compressed
/// body that was cut for whole; see ARCHITECTURE.md, Decisions.)
///
/// - `timeout` covers the whole request but not the time that the credential takes.
/// - Any HTTP status is an HttpResponse; an Error means that no answer came (Network, Timeout, Tls,
/// Cancelled, or the
///   credential provider's own error).
/// - A 401 renews the credential once and repeats the request.
/// - Redirects are followed to the same scheme, host and port only, with credentials; anything else is an
/// error that
///   names the other server without contacting it with credentials.
/// - Cancelling the returned future aborts the request. The future is never finished on return; when the
/// client dies
///   first, it ends as cancelled.
/// - A body over the request's `bodyLimit` is a Protocol error, found before it is in memory.
class HttpClient : public QObject
{
    Q_OBJECT
public:
    explicit HttpClient(ConnectionSettings settings, QObject *parent = nullptr);
    ~HttpClient() override;

    [[nodiscard]] QFuture<Result<HttpResponse>> send(const HttpRequest &request);
    const ConnectionSettings &settings() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
