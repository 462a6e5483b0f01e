#pragma once

#include "tests/real/twins/twin_server.h"
#include "tests/support/loopback_server.h"

#include <functional>

namespace tongchi::twins {

/// A twin of a server that passes everything on and tells one lie.
class LyingProxy
{
public:
    /// Changes an answer on its way; called in the threads of connections.
    using Lie = std::function<void(RawAnswer &answer)>;

    LyingProxy(const TwinServer &truth, const QByteArray &engine, Lie lie);

    /// The liar, as the other twin of `truth`.
    const TwinServer &server() const { return m_server; }

private:
    test::Answer pass(const test::ReceivedRequest &request) const;

    RawEndpoint m_truth;
    Lie m_lie;
    TwinServer m_server;
    test::LoopbackServer m_listener;
};

} // namespace tongchi::twins
