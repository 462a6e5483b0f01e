#include "platform/http/request_rules.h"

#include "platform/http/transport_error.h"

#include <QDateTime>
#include <QHostAddress>
#include <QLocale>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

namespace {

bool isHeaderName(const QByteArray &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               (c != '\0' && QByteArrayView("!#$%&'*+-.^_`|~").contains(c));
    });
}

bool isHeaderValue(const QByteArray &value)
{
    return std::none_of(value.begin(), value.end(),
                        [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

QString bracketed(const QString &host)
{
    if (!host.contains(u':'))
        return host;
    return u'[' + host + u']';
}

} // namespace

int portOf(const QUrl &url)
{
    return url.port(url.scheme() == QLatin1String("https") ? 443 : 80);
}

QString authorityOf(const QUrl &url)
{
    return bracketed(url.host()) + u':' + QString::number(portOf(url));
}

QByteArray hostHeader(const QUrl &url)
{
    QString host = url.host(QUrl::FullyEncoded);
    if (host.startsWith(u'['))
        host = host.mid(1, host.size() - 2);
    if (host.contains(u':'))
        host = host.section(u'%', 0, 0); // a zone has meaning only on this machine
    QByteArray value = bracketed(host).toLatin1();
    if (url.port() >= 0 && url.port() != (url.scheme() == QLatin1String("https") ? 443 : 80))
        value += ':' + QByteArray::number(url.port());
    return value;
}

bool isLoopbackHost(const QString &host)
{
    QString name = host.toLower();
    if (name.endsWith(u'.'))
        name.chop(1);
    if (name == QLatin1String("localhost") || name.endsWith(QLatin1String(".localhost")))
        return true;
    const QHostAddress address(name);
    if (address.isNull())
        return false;
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4); // also the mapped form ::ffff:127.0.0.1
    return isV4 ? (v4 >> 24) == 127 : address.isLoopback();
}

bool mayCarryCredential(const QUrl &url)
{
    return url.scheme() == QLatin1String("https") ||
           (url.scheme() == QLatin1String("http") && isLoopbackHost(url.host()));
}

Status checkServer(const QUrl &server)
{
    const QString scheme = server.scheme();
    if (!server.isValid() || server.host().isEmpty())
        return tl::unexpected(
            unusableRequestError(server, QStringLiteral("the server address is not a URL with a host")));
    if (scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        return tl::unexpected(
            unusableRequestError(server, QStringLiteral("the scheme is neither http nor https")));
    return {};
}

Result<std::optional<QUrl>> redirectTarget(const QUrl &from, const QByteArray &method, int status,
                                           const HeaderList &headers)
{
    const bool keepsMethod = status == 307 || status == 308;
    const bool becomesGet = status == 301 || status == 302 || status == 303;
    if (!keepsMethod && !(becomesGet && (method == "GET" || method == "HEAD")))
        return std::nullopt;
    const QByteArray location = headerValue(headers, "Location");
    if (location.isEmpty())
        return std::nullopt;
    const QUrl target = from.resolved(QUrl::fromEncoded(location));
    if (target.isValid() && target.scheme() == from.scheme() && target.host() == from.host() &&
        portOf(target) == portOf(from)) {
        QUrl clean = target;
        clean.setUserInfo(QString());
        clean.setFragment(QString());
        return clean;
    }
    QUrl place;
    place.setScheme(target.scheme());
    place.setHost(target.host());
    place.setPort(target.port());
    return failure(
        {.code = ErrorCode::Protocol,
         .text = QT_TRANSLATE_NOOP("Error", "The server sends us on to %1, which was not contacted."),
         .arguments = {displayUrl(place)},
         .remedy = QT_TRANSLATE_NOOP(
             "Error", "If that is the right server, put its address into the settings; credentials never "
                      "follow a redirect to another one."),
         .subject = displayUrl(from),
         .httpStatus = status});
}

Error tooManyRedirectsError(const QUrl &url)
{
    return {.code = ErrorCode::Protocol,
            .text = QT_TRANSLATE_NOOP("Error", "The server sends the request round in circles."),
            .remedy = QT_TRANSLATE_NOOP("Error", "Check the server address and its path."),
            .subject = displayUrl(url)};
}

HeaderList requestHeaders(const ConnectionSettings &settings, const HttpRequest &request,
                          const QByteArray &authorization)
{
    HeaderList all;
    const auto add = [&all](const QByteArray &name, const QByteArray &value) {
        const bool present = std::any_of(all.begin(), all.end(), [&name](const auto &header) {
            return header.first.compare(name, Qt::CaseInsensitive) == 0;
        });
        if (!present)
            all.emplace_back(name, value);
    };
    if (!authorization.isEmpty())
        add("Authorization", authorization);
    // A header may stand several times on purpose (Impersonate-Group), so only names of other layers are left
    // out.
    const auto addLayer = [&all, &add](const HeaderList &layer) {
        HeaderList accepted;
        for (const auto &[name, value] : layer) {
            const qsizetype before = all.size();
            add(name, value);
            if (all.size() > before) {
                accepted.emplace_back(name, value);
                all.removeLast();
            }
        }
        all += accepted;
    };
    addLayer(request.headers);
    addLayer(settings.headers);
    add("Accept-Encoding", settings.compression ? "gzip" : "identity");
    add("User-Agent", "tongchi/" TONGCHI_VERSION);
    return all;
}

Status checkRequest(const QUrl &url, const HttpRequest &request, const HeaderList &headers)
{
    if (!isHeaderName(request.method))
        return tl::unexpected(unusableRequestError(url, QStringLiteral("the method is not a word")));
    if (!url.isValid())
        return tl::unexpected(unusableRequestError(url, QStringLiteral("the path is not part of a URL")));
    for (const auto &[name, value] : headers) {
        if (!isHeaderName(name) || !isHeaderValue(value)) {
            // Neither the name nor the value is repeated: it may be a token with a line end behind it.
            return tl::unexpected(
                unusableRequestError(url, QStringLiteral("a header field holds a line end")));
        }
    }
    return {};
}

std::optional<Instant> parseHttpDate(const QByteArray &value)
{
    // "Sun, 06 Nov 1994 08:49:37 GMT"; the two obsolete forms are not seen on API servers.
    QByteArray text = value.trimmed();
    if (text.endsWith(" GMT"))
        text.chop(4);
    const QDateTime local =
        QLocale::c().toDateTime(QString::fromLatin1(text), QStringLiteral("ddd, dd MMM yyyy HH:mm:ss"));
    if (!local.isValid())
        return std::nullopt;
    const QDateTime utc(local.date(), local.time(), Qt::UTC);
    return Instant{std::chrono::milliseconds{utc.toMSecsSinceEpoch()}};
}

} // namespace tongchi
