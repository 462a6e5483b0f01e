#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"

#include <QObject>
#include <memory>
#include <string_view>

namespace tongchi {

/// Receives one streamed answer, in the client's thread, in this order: onHeaders once, onData any number of
/// times, onFinished once (alone if no answer came). After cancel() nothing more is called.
class StreamSink
{
public:
    virtual ~StreamSink() = default;
    /// Before anything else: true while the credential provider is asked (it may ask the operator), false
    /// when the request goes its way; once more each if a 401 renews the credential.
    virtual void onWaitingForCredential(bool /*waiting*/) {}
    virtual void onHeaders(int status, const HeaderList &headers) = 0;
    /// Bytes with transfer and content encoding undone. `receivedAt` was taken when the socket was read.
    virtual void onData(std::string_view bytes, Monotonic receivedAt) = 0;
    /// An orderly end of the body is success, whatever the status; a cut one is Network.
    virtual void onFinished(const Status &status) = 0;
};

/// One open request; destroying it cancels.
class StreamHandle
{
public:
    virtual ~StreamHandle() = default;
    /// No further data until resume(); the socket's window fills up and the server waits.
    virtual void pause() = 0;
    virtual void resume() = 0;
    virtual Monotonic lastByteAt() const = 0;
};

/// A small HTTP/1.1 client on QSslSocket for everything that streams: large lists, watches, event streams,
/// logs. Takes the same ConnectionSettings as HttpClient and keeps the same promises about TLS, proxies,
/// credentials and redirects. Any number of streams at once; connections are kept alive and reused. Lives in
/// one thread with an event loop (usually its cluster's); sinks must outlive their handle.
class StreamClient : public QObject
{
    Q_OBJECT
public:
    explicit StreamClient(ConnectionSettings settings, QObject *parent = nullptr);
    ~StreamClient() override;

    /// `idleTimeout`: no byte for so long ends the stream with Timeout; zero: never.
    [[nodiscard]] std::unique_ptr<StreamHandle> open(const HttpRequest &request, StreamSink *sink,
                                                     std::chrono::milliseconds idleTimeout = {});
    const ConnectionSettings &settings() const;
    /// Closes the connections that are kept for later requests: after a silence they are not to be trusted.
    void dropIdleConnections();
    /// Bytes read from sockets so far (encrypted ones before decryption not counted); for the status bar.
    qint64 bytesReceived() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
