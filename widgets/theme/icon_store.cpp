#include "widgets/theme/icon_store.h"

#include "widgets/theme/vendor_mark.h"

#include <QColor>
#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace tongchi {

IconStore::IconStore(const QString &folder) : m_folder(folder) {}

QByteArray IconStore::source(const QByteArray &name, int size)
{
    const QByteArray path = (size > 16 ? "20/" : "16/") + name;
    const auto known = m_sources.constFind(path);
    if (known != m_sources.constEnd())
        return *known;
    QFile file(m_folder + u'/' + QString::fromLatin1(path) + QStringLiteral(".svg"));
    QByteArray bytes;
    if (file.open(QIODevice::ReadOnly))
        bytes = file.readAll();
    m_sources.insert(path, bytes);
    return bytes;
}

QPixmap IconStore::pixmap(const char *name, int size, const QColor &color, qreal ratio)
{
    // Looking up must not allocate: this runs for every painted cell.
    const Key key{QByteArray::fromRawData(name, qsizetype(qstrlen(name))), size, color.rgba(),
                  int(ratio * 100)};
    const auto known = m_pixmaps.constFind(key);
    if (known != m_pixmaps.constEnd())
        return *known;

    QPixmap picture(QSize(qCeil(size * ratio), qCeil(size * ratio)));
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!paintVendorMark(painter, key.name, QRectF(0, 0, size, size), color)) {
        QByteArray bytes = source(key.name, size);
        if (!bytes.isEmpty()) {
            bytes.replace("currentColor", color.name().toLatin1());
            QSvgRenderer renderer(bytes);
            renderer.render(&painter, QRectF(0, 0, size, size));
        }
    }
    painter.end();
    m_pixmaps.insert(Key{QByteArray(name), size, key.color, key.ratio}, picture);
    return picture;
}

} // namespace tongchi
