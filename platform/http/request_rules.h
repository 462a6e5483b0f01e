#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"

#include <optional>

namespace tongchi {

/// What both HTTP clients hold to, as pure functions.

/// "host:port" for sentences; IPv6 in brackets, the port always shown.
QString authorityOf(const QUrl &url);
/// Value of the Host header: brackets for IPv6, no zone, no default port.
QByteArray hostHeader(const QUrl &url);
int portOf(const QUrl &url);
bool isLoopbackHost(const QString &host);

/// Credentials travel over https, and over http only inside this machine.
bool mayCarryCredential(const QUrl &url);

/// An address that a request can be sent to: http or https, with a host.
[[nodiscard]] Status checkServer(const QUrl &server);

/// Where a redirect leads: nothing if the answer is none (or one that is not to be followed: a body-carrying
/// method told to become GET), an error if it leads to another scheme, host or port, which is never
/// contacted.
[[nodiscard]] Result<std::optional<QUrl>> redirectTarget(const QUrl &from, const QByteArray &method,
                                                         int status, const HeaderList &headers);
constexpr int maxRedirects = 5;
Error tooManyRedirectsError(const QUrl &url);

/// The request's own headers, those of the connection, then `Accept-Encoding` and the credential. The first
/// of equal names wins, except Authorization: a credential of the connection beats the request's.
HeaderList requestHeaders(const ConnectionSettings &settings, const HttpRequest &request,
                          const QByteArray &authorization);

/// No header may smuggle a second one in.
[[nodiscard]] Status checkRequest(const QUrl &url, const HttpRequest &request, const HeaderList &headers);

/// The Date header, and nothing if it cannot be read.
std::optional<Instant> parseHttpDate(const QByteArray &value);

} // namespace tongchi
