#pragma once

#include "platform/inventory/cluster_session.h"
#include "tests/support/fault_proxy.h"

namespace tongchi::test {

/// Short pauses and little patience, with a connection, an answer and a silence alike, so that a test does
/// not wait as an operator can. Watches are long: a link that died is only found by its silence.
inline SessionOptions impatient(SessionOptions options, std::chrono::milliseconds patience)
{
    using std::chrono::milliseconds;
    options.metricsInterval = milliseconds(200);
    options.metricsTimeout = patience;
    options.flushInterval = milliseconds(20);
    options.patience = milliseconds(300);
    options.nodesSilence = patience * 3 / 4;
    options.lostAfter = 2 * patience;
    ReflectorOptions &reflector = options.reflector;
    reflector.listFirstByte = reflector.pageFirstByte = patience;
    reflector.listSilence = reflector.watchFirstByte = patience;
    reflector.watchShortest = reflector.watchLongest = std::chrono::seconds(60);
    reflector.watchSilence = patience * 3 / 2;
    reflector.backoff.first = milliseconds(20);
    reflector.backoff.most = milliseconds(200);
    reflector.burst = 1'000;
    reflector.heartbeat = milliseconds(200);
    return options;
}

/// The same cluster by way of the proxy. `ownAuthorityPem`: who has signed the certificate that the proxy
/// shows; empty: TLS passes through.
inline SessionOptions behind(const FaultProxy &proxy, SessionOptions options,
                             const QByteArray &ownAuthorityPem, std::chrono::milliseconds patience,
                             bool compressed = true)
{
    options.connect = [made = options.connect, url = proxy.url(), ownAuthorityPem, patience, compressed] {
        Result<ConnectionSettings> settings = made();
        if (!settings)
            return settings;
        settings->server.setHost(url.host());
        settings->server.setPort(url.port());
        if (!ownAuthorityPem.isEmpty())
            settings->tls.authorityPem = ownAuthorityPem;
        settings->connectTimeout = patience;
        settings->compression = compressed;
        return settings;
    };
    return impatient(std::move(options), patience);
}

} // namespace tongchi::test
