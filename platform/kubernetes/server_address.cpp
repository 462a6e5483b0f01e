#include "platform/kubernetes/server_address.h"

#include "platform/core/text_encoding.h"

#include <QHostAddress>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

/// Untrusted, so cut and made visible; never with a user or password in front of the host.
QString shownAddress(const QString &text)
{
    QString shown = text;
    const qsizetype scheme = shown.indexOf(QLatin1String("://"));
    const qsizetype begin = scheme < 0 ? 0 : scheme + 3;
    qsizetype end = shown.size();
    for (const QChar stop : {u'/', u'?', u'#'}) {
        const qsizetype at = shown.indexOf(stop, begin);
        if (at >= 0)
            end = qMin(end, at);
    }
    const qsizetype at = shown.left(end).lastIndexOf(u'@');
    if (at >= begin)
        shown.remove(begin, at + 1 - begin);
    const qsizetype query = shown.indexOf(u'?');
    if (query >= 0)
        shown.truncate(query);
    if (shown.size() > 200)
        shown = shown.left(200) + QChar(0x2026);
    return visibleText(shown);
}

tl::unexpected<Error> unusableAddress(const QString &text)
{
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "The server address %1 is not a usable URL."),
                    .arguments = {shownAddress(text)},
                    .remedy = QT_TRANSLATE_NOOP("Error", "Write it like https://api.example:6443.")});
}

struct AddressParts
{
    QString host; // without brackets
    bool bracketed = false;
    std::optional<int> port;
};

/// "https://2001:db8::10:6443" can mean two addresses; both are shown and none is guessed.
tl::unexpected<Error> bareIpv6(const QString &text, const QString &scheme, const QString &authority)
{
    const qsizetype last = authority.lastIndexOf(u':');
    const QString head = authority.left(last);
    const QString tail = authority.mid(last + 1);
    bool isPort = false;
    const int port = tail.toInt(&isPort);
    const bool headIsAddress = QHostAddress(head).protocol() == QAbstractSocket::IPv6Protocol;
    const bool wholeIsAddress = QHostAddress(authority).protocol() == QAbstractSocket::IPv6Protocol;
    const QString withPort = scheme + QStringLiteral("://[") + head + QStringLiteral("]:") + tail;
    const QString without = scheme + QStringLiteral("://[") + authority + QStringLiteral("]:6443");
    if (headIsAddress && isPort && port > 0 && port < 65536 && wholeIsAddress) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP("Error", "The IPv6 address in %1 needs brackets."),
                        .arguments = {shownAddress(text), shownAddress(withPort), shownAddress(without)},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Write %2 or %3, whichever is meant.")});
    }
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "The IPv6 address in %1 needs brackets."),
                    .arguments = {shownAddress(text),
                                  shownAddress(headIsAddress && !wholeIsAddress ? withPort : without)},
                    .remedy = QT_TRANSLATE_NOOP("Error", "Write it like %2.")});
}

Result<AddressParts> splitAuthority(const QString &text, const QString &scheme, const QString &authority)
{
    AddressParts parts;
    QString port;
    bool hasPort = false;
    if (authority.startsWith(u'[')) {
        const qsizetype end = authority.indexOf(u']');
        const QString rest = end < 0 ? QString() : authority.mid(end + 1);
        if (end < 0 || (!rest.isEmpty() && !rest.startsWith(u':')))
            return unusableAddress(text);
        parts.host = authority.mid(1, end - 1);
        parts.bracketed = true;
        hasPort = !rest.isEmpty();
        port = rest.mid(1);
    } else {
        if (authority.count(u':') > 1)
            return bareIpv6(text, scheme, authority);
        const qsizetype colon = authority.indexOf(u':');
        hasPort = colon >= 0;
        parts.host = hasPort ? authority.left(colon) : authority;
        port = hasPort ? authority.mid(colon + 1) : QString();
    }
    if (!hasPort || port.isEmpty())
        return parts;
    int number = 0;
    for (const QChar c : port) {
        if (c < u'0' || c > u'9' || number > 65535) {
            number = 0;
            break;
        }
        number = number * 10 + c.digitValue();
    }
    if (number < 1 || number > 65535) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP(
                            "Error", "The port in the server address %1 is not a number from 1 to 65535."),
                        .arguments = {shownAddress(text)},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Write it like https://api.example:6443.")});
    }
    parts.port = number;
    return parts;
}

} // namespace

Result<QUrl> parseServerAddress(const QString &raw)
{
    const QString text = raw.trimmed();
    if (text.isEmpty()) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The cluster has no server address."),
             .remedy = QT_TRANSLATE_NOOP("Error", "Add the field server, like https://api.example:6443.")});
    }
    const qsizetype mark = text.indexOf(QLatin1String("://"));
    if (mark <= 0) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The server address %1 has no scheme."),
             .arguments = {shownAddress(text), shownAddress(QStringLiteral("https://") + text)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Write it with https:// or http:// in front, like %2.")});
    }
    const QString scheme = text.left(mark).toLower();
    if (scheme != QLatin1String("https") && scheme != QLatin1String("http")) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The server address %1 is neither https nor http."),
             .arguments = {shownAddress(text)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Write it like https://api.example:6443.")});
    }
    QString rest = text.mid(mark + 3);
    for (const QChar stop : {u'#', u'?'}) {
        const qsizetype at = rest.indexOf(stop);
        if (at >= 0)
            rest.truncate(at);
    }
    const qsizetype slash = rest.indexOf(u'/');
    const QString authority = slash < 0 ? rest : rest.left(slash);
    QString path = slash < 0 ? QString() : rest.mid(slash);
    while (path.endsWith(u'/'))
        path.chop(1);
    if (authority.contains(u'@')) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The server address %1 holds a user name or a password."),
             .arguments = {shownAddress(text)},
             .remedy =
                 QT_TRANSLATE_NOOP("Error", "Move them to the fields username and password of the user.")});
    }
    const Result<AddressParts> parts = splitAuthority(text, scheme, authority);
    if (!parts)
        return tl::unexpected(parts.error());

    QString host = parts->host;
    if (parts->bracketed) {
        if (host.contains(u'%')) {
            return failure(
                {.code = ErrorCode::NotSupported,
                 .text = QT_TRANSLATE_NOOP("Error", "The server address %1 names a network zone (the part "
                                                    "after the percent sign), which is not supported."),
                 .arguments = {shownAddress(text)},
                 .remedy = QT_TRANSLATE_NOOP("Error", "Use the server's global address or its name.")});
        }
        const QHostAddress address(host);
        if (address.protocol() != QAbstractSocket::IPv6Protocol) {
            return failure(
                {.code = ErrorCode::Invalid,
                 .text = QT_TRANSLATE_NOOP("Error", "%1 in the server address is not an IPv6 address."),
                 .arguments = {shownAddress(host)},
                 .remedy = QT_TRANSLATE_NOOP(
                     "Error", "Brackets are for IPv6 addresses, like https://[2001:db8::10]:6443.")});
        }
        host = address.toString();
    }
    QUrl url;
    url.setScheme(scheme);
    url.setHost(host, QUrl::StrictMode);
    if (parts->port)
        url.setPort(*parts->port);
    url.setPath(path, QUrl::TolerantMode);
    if (!url.isValid() || url.host().isEmpty())
        return unusableAddress(text);
    return url;
}

QString serverKey(const QUrl &server)
{
    const int port = server.port(server.scheme() == QLatin1String("https") ? 443 : 80);
    return server.scheme() + QStringLiteral("://") + server.host(QUrl::FullyEncoded) + u':' +
           QString::number(port) + server.path(QUrl::FullyEncoded);
}

} // namespace tongchi
