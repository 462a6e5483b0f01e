#include "platform/http/proxy_choice.h"

#include "platform/http/request_rules.h"

#include <QHostAddress>
#include <QProcessEnvironment>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

/// First of the names that is set to something.
std::pair<QString, QString> firstSet(const QProcessEnvironment &environment,
                                     std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const QString key = QString::fromLatin1(name);
        if (const QString value = environment.value(key).trimmed(); !value.isEmpty())
            return {key, value};
    }
    return {};
}

Result<ProxySettings> parseProxy(const QString &value, const QString &source)
{
    const bool hasScheme = value.contains(QLatin1String("://"));
    const QUrl url(hasScheme ? value : QStringLiteral("http://") + value);
    const QString scheme = url.scheme();
    const bool known = scheme == QLatin1String("http") || scheme == QLatin1String("https") ||
                       scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h");
    if (!url.isValid() || url.host().isEmpty() || !known) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text = QT_TRANSLATE_NOOP("Error", "The proxy given by %1 is not an address that can be used."),
             .arguments = {source},
             .remedy = QT_TRANSLATE_NOOP(
                 "Error", "Write it as http://host:port or socks5://host:port; special characters "
                          "in a password as %40 and the like."),
             .subject = source});
    }
    return ProxySettings{url, source};
}

struct HostAndPort
{
    QString host; ///< without brackets
    int port = -1;
};

HostAndPort splitPort(const QString &item)
{
    if (item.startsWith(u'[')) {
        const qsizetype end = item.indexOf(u']');
        const QString after = end < 0 ? QString() : item.mid(end + 1);
        return {item.mid(1, end < 0 ? -1 : end - 1), after.startsWith(u':') ? after.mid(1).toInt() : -1};
    }
    if (item.count(u':') == 1) {
        bool isNumber = false;
        const int port = item.section(u':', 1).toInt(&isNumber);
        if (isNumber)
            return {item.section(u':', 0, 0), port};
    }
    return {item, -1};
}

/// The mapped form ::ffff:10.0.0.1 is the same address as 10.0.0.1.
QHostAddress plainAddress(const QString &text)
{
    const QHostAddress address(text);
    bool isV4 = false;
    const quint32 v4 = address.toIPv4Address(&isV4);
    return isV4 && !address.isNull() ? QHostAddress(v4) : address;
}

bool itemMatches(const QString &item, const QString &host, const QHostAddress &address, int port)
{
    if (item == QLatin1String("*"))
        return true;
    if (item.contains(u'/')) {
        const QPair<QHostAddress, int> network = QHostAddress::parseSubnet(item);
        return !address.isNull() && network.second >= 0 && address.protocol() == network.first.protocol() &&
               address.isInSubnet(network);
    }
    HostAndPort wanted = splitPort(item);
    if (wanted.port >= 0 && wanted.port != port)
        return false;
    if (const QHostAddress wantedAddress = plainAddress(wanted.host); !wantedAddress.isNull())
        return !address.isNull() && address == wantedAddress;
    if (!address.isNull())
        return false;
    if (wanted.host.startsWith(QLatin1String("*.")))
        wanted.host.remove(0, 1);
    if (wanted.host.endsWith(u'.'))
        wanted.host.chop(1);
    if (wanted.host.isEmpty())
        return false;
    if (wanted.host.startsWith(u'.'))
        return host.endsWith(wanted.host);
    return host == wanted.host || host.endsWith(u'.' + wanted.host);
}

} // namespace

bool isExcludedFromProxy(const QUrl &target, const QString &noProxy)
{
    QString host = target.host().toLower();
    if (host.endsWith(u'.'))
        host.chop(1);
    const QHostAddress address = plainAddress(host);
    QString list = noProxy.toLower();
    for (QChar &character : list) {
        if (character.isSpace())
            character = u',';
    }
    const QStringList items = list.split(u',', Qt::SkipEmptyParts);
    for (const QString &item : items) {
        if (itemMatches(item, host, address, portOf(target)))
            return true;
    }
    return false;
}

Result<ProxySettings> chooseProxy(const QUrl &target, const QString &kubeconfigProxyUrl,
                                  const QProcessEnvironment &environment)
{
    if (const QString own = kubeconfigProxyUrl.trimmed(); !own.isEmpty())
        return parseProxy(own, QStringLiteral("kubeconfig proxy-url"));
    if (isLoopbackHost(target.host()))
        return ProxySettings{.source = QStringLiteral("loopback")};
    const auto [variable, value] = target.scheme() == QLatin1String("https")
                                       ? firstSet(environment, {"https_proxy", "HTTPS_PROXY"})
                                       : firstSet(environment, {"http_proxy", "HTTP_PROXY"});
    if (value.isEmpty())
        return ProxySettings{};
    const auto [exclusion, list] = firstSet(environment, {"no_proxy", "NO_PROXY"});
    if (isExcludedFromProxy(target, list))
        return ProxySettings{.source = exclusion};
    return parseProxy(value, variable);
}

} // namespace tongchi
