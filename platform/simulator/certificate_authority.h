#pragma once

#include <QByteArray>

namespace tongchi::simulator {

/// A certificate authority that lives as long as the pool, and the one server certificate it signed. The
/// authority's own key is thrown away at once, so nobody can sign anything else with it.
struct ServerIdentity
{
    QByteArray authorityPem;   ///< what clients trust
    QByteArray certificatePem; ///< for localhost, 127.0.0.1 and ::1
    QByteArray keyPem;         ///< secret; never written to a file or log
};

/// EC P-256, valid from a day ago (clocks differ) for a year. Empty fields when OpenSSL refuses.
ServerIdentity makeServerIdentity();

/// `bytes` random bytes as text for tokens (hexadecimal).
QByteArray randomToken(int bytes = 24);

} // namespace tongchi::simulator
