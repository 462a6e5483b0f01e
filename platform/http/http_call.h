#pragma once

#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"
#include "platform/http/stream_client.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QSslConfiguration>
#include <QSslError>
#include <QTimer>
#include <memory>

class QNetworkAccessManager;
class QNetworkReply;

namespace tongchi {

/// What the calls of one HttpClient share.
class HttpCallEnvironment
{
public:
    virtual ~HttpCallEnvironment() = default;
    /// The manager, with connections that show this credential's certificate, and its TLS configuration.
    virtual Result<QSslConfiguration> prepare(const Credential &credential) = 0;
    virtual QNetworkAccessManager *manager() = 0;
    virtual StreamClient *streamClient() = 0;
};

/// One request of HttpClient and the promise for its answer. Deletes itself when done.
class HttpCall : public QObject, private StreamSink
{
    Q_OBJECT
public:
    HttpCall(const ConnectionSettings &settings, HttpCallEnvironment *environment, const HttpRequest &request,
             QObject *parent);
    ~HttpCall() override;

    QFuture<Result<HttpResponse>> future() const { return m_promise.future(); }
    void start();

private:
    void askCredential(bool rejected);
    void useCredential(const Result<Credential> &credential);
    void send();
    void sendOverManager(const HeaderList &headers);
    void sendOverStream();
    void onReplyHead();
    void onReplyData();
    void onReplyFinished();
    void onAnswer();
    bool appendBody(const char *bytes, qint64 size);
    void onTimeout();
    void dropReply();
    Error replyError() const;
    void finish(Result<HttpResponse> result);
    void handOver(Result<HttpResponse> result);

    void onHeaders(int status, const HeaderList &headers) override;
    void onData(std::string_view bytes, Monotonic receivedAt) override;
    void onFinished(const Status &status) override;

    const ConnectionSettings m_settings;
    HttpCallEnvironment *m_environment;
    HttpRequest m_request;
    QPromise<Result<HttpResponse>> m_promise;
    QFutureWatcher<Result<HttpResponse>> m_watcher;
    QUrl m_url;
    Credential m_credential;
    QPointer<QNetworkReply> m_reply;
    std::unique_ptr<StreamHandle> m_stream;
    QList<QSslError> m_sslErrors;
    HttpResponse m_response;
    QTimer m_timer;
    QTimer m_connectTimer;
    QElapsedTimer m_elapsed;
    qint64 m_encodedLength = -1;
    int m_redirects = 0;
    bool m_renewed = false;
    bool m_handedOver = false;
    bool m_hasClientCertificate = false;
    bool m_done = false;     ///< the result is decided; it is handed over from the event loop
};

} // namespace tongchi
