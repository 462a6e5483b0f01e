#include "tests/http/any_client.h"

#include "platform/http/http_client.h"
#include "platform/http/stream_client.h"

#include <QFutureWatcher>
#include <QPromise>
#include <QTimer>

namespace tongchi::test {

namespace {

class AnswersClient final : public AnyClient
{
public:
    explicit AnswersClient(const ConnectionSettings &settings) : m_client(settings) {}
    QFuture<Result<HttpResponse>> send(const HttpRequest &request) override { return m_client.send(request); }

private:
    HttpClient m_client;
};

/// Collects one streamed answer into a response.
class Collector final : public StreamSink
{
public:
    Collector(StreamClient *client, const HttpRequest &request)
    {
        m_promise.start();
        QObject::connect(&m_watcher, &QFutureWatcherBase::canceled, &m_watcher, [this] {
            m_handle.reset();
            m_promise.finish();
        });
        m_watcher.setFuture(m_promise.future());
        m_handle = client->open(request, this, request.timeout);
    }
    ~Collector() override
    {
        m_watcher.disconnect();
        if (!m_promise.future().isFinished()) {
            m_promise.future().cancel();
            m_promise.finish();
        }
    }
    QFuture<Result<HttpResponse>> future() const { return m_promise.future(); }
    void onHeaders(int status, const HeaderList &headers) override
    {
        m_response.status = status;
        m_response.headers = headers;
    }
    void onData(std::string_view bytes, Monotonic) override
    {
        m_response.body.append(bytes.data(), qsizetype(bytes.size()));
    }
    void onFinished(const Status &status) override
    {
        if (status)
            m_promise.addResult(m_response);
        else
            m_promise.addResult(tl::unexpected(status.error()));
        m_promise.finish();
    }

private:
    QPromise<Result<HttpResponse>> m_promise;
    QFutureWatcher<Result<HttpResponse>> m_watcher;
    HttpResponse m_response;
    std::unique_ptr<StreamHandle> m_handle;
};

class StreamingClient final : public AnyClient
{
public:
    explicit StreamingClient(const ConnectionSettings &settings) : m_client(settings) {}
    QFuture<Result<HttpResponse>> send(const HttpRequest &request) override
    {
        m_collectors.push_back(std::make_unique<Collector>(&m_client, request));
        return m_collectors.back()->future();
    }

private:
    StreamClient m_client;
    std::vector<std::unique_ptr<Collector>> m_collectors;
};

} // namespace

void PrintTo(ClientKind kind, std::ostream *out)
{
    *out << (kind == ClientKind::Answers ? "answers" : "stream");
}

std::unique_ptr<AnyClient> AnyClient::make(ClientKind kind, const ConnectionSettings &settings)
{
    if (kind == ClientKind::Answers)
        return std::make_unique<AnswersClient>(settings);
    return std::make_unique<StreamingClient>(settings);
}

std::shared_ptr<ScriptedCredentials> ScriptedCredentials::tokens(const QList<QByteArray> &tokens)
{
    std::vector<Result<Credential>> credentials;
    for (const QByteArray &token : tokens)
        credentials.emplace_back(Credential{.authorization = "Bearer " + token});
    return std::make_shared<ScriptedCredentials>(std::move(credentials));
}

QFuture<Result<Credential>> ScriptedCredentials::credential(bool rejected)
{
    ++asked;
    if (rejected) {
        ++rejections;
        m_current = std::min(m_current + 1, m_credentials.size() - 1);
    }
    const auto promise = std::make_shared<QPromise<Result<Credential>>>();
    promise->start();
    QTimer::singleShot(0, [promise, credential = m_credentials.at(m_current)] {
        promise->addResult(credential);
        promise->finish();
    });
    return promise->future();
}

} // namespace tongchi::test
