#include "tests/real/twins/lying_proxy.h"

namespace tongchi::twins {

LyingProxy::LyingProxy(const TwinServer &truth, const QByteArray &engine, Lie lie)
    : m_truth(truth.endpoints.value(engine)), m_lie(std::move(lie)), m_server(truth)
{
    for (const char *method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
        m_listener.on(method, "/*", [this](const test::ReceivedRequest &request) { return pass(request); });
    m_server.endpoints.insert(engine, {quint16(m_listener.port()), false, {}});
}

test::Answer LyingProxy::pass(const test::ReceivedRequest &request) const
{
    RawRequest onward{request.method, request.target, {}, request.body};
    for (const auto &[name, value] : request.headers) {
        if (name.compare("host", Qt::CaseInsensitive) != 0 &&
            name.compare("content-length", Qt::CaseInsensitive) != 0)
            onward.headers.append(std::pair(name, value));
    }
    RawAnswer answer = exchange(m_truth, onward);
    m_lie(answer);
    test::Answer told;
    told.status = answer.status;
    told.body = answer.body;
    for (const auto &[name, value] : answer.headers) {
        if (name.compare("content-length", Qt::CaseInsensitive) != 0 &&
            name.compare("transfer-encoding", Qt::CaseInsensitive) != 0)
            told.headers.append(std::pair(name, value));
    }
    if (!answer.complete)
        told.cutAfter = told.body.size() / 2;
    told.then = answer.complete ? test::Answer::Then::KeepAlive : test::Answer::Then::Close;
    return told;
}

} // namespace tongchi::twins
