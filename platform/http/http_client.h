#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"

#include <QFuture>
#include <QObject>
#include <memory>

namespace tongchi {

/// Question-and-answer requests over QNetworkAccessManager. Lives and is used in one thread with an event loop.
///
/// - Any HTTP status is an HttpResponse; an Error means that no answer came (Network, Timeout, Tls, Cancelled, or the
///   credential provider's own error).
/// - A 401 renews the credential once and repeats the request.
/// - Redirects are followed to the same scheme, host and port only, with credentials; anything else is an error that
///   names the other server without contacting it with credentials.
/// - Cancelling the returned future aborts the request. The future is never finished on return; when the client dies
///   first, it ends as cancelled.
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
