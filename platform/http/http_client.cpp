#include "platform/http/http_client.h"

#include "platform/http/http_call.h"

#include <QPointer>
#include <deque>

namespace tongchi {

namespace {

/// As many connections as a browser opens to one host; more only press on the server's fairness queues.
constexpr int maxRunningCalls = 6;

} // namespace

struct HttpClient::Private
{
    explicit Private(ConnectionSettings settings) : streams(std::move(settings)) {}

    void startNext()
    {
        while (running < maxRunningCalls && !waiting.empty()) {
            const QPointer<HttpCall> call = waiting.front();
            waiting.pop_front();
            if (!call || call->isDone())
                continue;
            ++running;
            call->start();
        }
    }

    StreamClient streams;
    std::deque<QPointer<HttpCall>> waiting;
    int running = 0;
};

HttpClient::HttpClient(ConnectionSettings settings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(std::move(settings)))
{
    d->streams.setParent(this); // goes along into another thread
}

HttpClient::~HttpClient()
{
    for (HttpCall *call : findChildren<HttpCall *>(Qt::FindDirectChildrenOnly)) {
        call->disconnect(this);
        delete call;
    }
    d->streams.setParent(nullptr);
}

QFuture<Result<HttpResponse>> HttpClient::send(const HttpRequest &request)
{
    auto *call = new HttpCall(&d->streams, request, this);
    d->waiting.push_back(call);
    connect(call, &HttpCall::done, this, [this, call] {
        if (call->wasStarted())
            --d->running;
        d->startNext();
    });
    // Nothing is sent, and no future finished, before the caller is back in its event loop: see
    // StreamClient::open().
    d->startNext();
    return call->future();
}

const ConnectionSettings &HttpClient::settings() const
{
    return d->streams.settings();
}

} // namespace tongchi
