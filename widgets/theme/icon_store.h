#pragma once

#include <QByteArray>
#include <QHash>
#include <QPixmap>
#include <QString>

namespace tongchi {

/// Rasterised icons by name, size, colour and device pixel ratio. QtSvg paints currentColor black, so the
/// bytes are replaced before rendering; each SVG is read once. GUI thread.
class IconStore
{
public:
    /// `folder` holds 16/NAME.svg and 20/NAME.svg.
    explicit IconStore(const QString &folder);

    /// Unknown names give an empty picture. Looking up a known one allocates nothing.
    QPixmap pixmap(const char *name, int size, const QColor &color, qreal ratio);
    void clear() { m_pixmaps.clear(); }

private:
    struct Key
    {
        QByteArray name;
        int size;
        QRgb color;
        int ratio;
        bool operator==(const Key &) const = default;
        friend size_t qHash(const Key &key, size_t seed = 0)
        {
            return qHashMulti(seed, key.name, key.size, key.color, key.ratio);
        }
    };

    QByteArray source(const QByteArray &name, int size);

    QString m_folder;
    QHash<QByteArray, QByteArray> m_sources;
    QHash<Key, QPixmap> m_pixmaps;
};

} // namespace tongchi
