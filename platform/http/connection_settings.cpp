#include "platform/http/connection_settings.h"

namespace tongchi {

QUrl urlBelow(const QUrl &server, const QByteArray &pathAndQuery)
{
    QUrl origin;
    origin.setScheme(server.scheme());
    origin.setHost(server.host(QUrl::FullyEncoded));
    origin.setPort(server.port());
    QByteArray prefix = server.path(QUrl::FullyEncoded).toLatin1();
    while (prefix.endsWith('/'))
        prefix.chop(1);
    QByteArray target = pathAndQuery;
    if (!target.startsWith('/'))
        target.prepend('/');
    // A fragment never reaches a server: a stray "#" is part of a name that somebody forgot to encode.
    target.replace('#', "%23");
    return QUrl::fromEncoded(origin.toEncoded() + prefix + target);
}

QString displayUrl(const QUrl &url)
{
    QUrl shown = url;
    shown.setUserInfo(QString());
    shown.setFragment(QString());
    shown.setQuery(QString());
    QString text = shown.toDisplayString();
    if (!url.hasQuery())
        return text;
    QStringList items;
    const QStringList pairs = url.query(QUrl::FullyEncoded).split(u'&', Qt::SkipEmptyParts);
    for (const QString &pair : pairs) {
        const qsizetype equals = pair.indexOf(u'=');
        // Without "=" the whole item may be a secret.
        items << (equals < 0 ? QStringLiteral("…") : pair.left(equals) + QStringLiteral("=…"));
    }
    return text + u'?' + items.join(u'&');
}

} // namespace tongchi
