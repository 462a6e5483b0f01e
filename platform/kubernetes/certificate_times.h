#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <QString>
#include <optional>

namespace tongchi {

/// A client's certificate out of its time. API servers answer such a one with a bare 401, which tells nobody
/// what to do.
struct CertificateOutOfTime
{
    bool hasExpired = false; ///< otherwise it is not valid yet
    QString since;           ///< or from when; UTC
};

/// The first of a chain that is not valid now. What is no certificate at all is not its concern.
std::optional<CertificateOutOfTime> certificateOutOfTime(const QByteArray &pem, Instant now);

} // namespace tongchi
