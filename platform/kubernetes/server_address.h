#pragma once

#include "platform/core/result.h"

#include <QString>
#include <QUrl>

namespace tongchi {

/// The `server` of a cluster as a URL in one spelling: host in lower case, IPv6 addresses in their shortest
/// form and in brackets, path prefix kept without its last slash, query and fragment dropped. Refused
/// (Invalid, or NotSupported for a zone) with the right way to write it: no scheme, an IPv6 address without
/// brackets, a user name in the URL.
[[nodiscard]] Result<QUrl> parseServerAddress(const QString &text);

/// Two clusters of the same key are the same server; default ports are filled in.
QString serverKey(const QUrl &server);

} // namespace tongchi
