#pragma once

#include <QCache>
#include <QFont>
#include <QGlyphRun>
#include <QRectF>
#include <QString>
#include <QVarLengthArray>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace tongchi {

/// Draws one-line plain texts from shaped glyphs that are kept. A table repaints the same few hundred words
/// many times a minute; shaping them again costs four times the painting. Texts are never read as markup. The
/// base line depends on the font alone, not on the script, so that Latin and Chinese cells of a row stand on
/// one line. One object a widget; GUI thread.
class TextCache
{
public:
    /// `tabularDigits`: digits of texts in one script stand in boxes of one width, so that node names line
    /// up.
    explicit TextCache(bool tabularDigits = false);

    /// Draws `text` in the painter's pen, elided at the right when it does not fit. Returns the width it
    /// took.
    qreal draw(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
               const QFont &font);
    qreal width(const QString &text, const QFont &font);
    /// Whether draw() in that width would elide.
    bool isCut(const QString &text, const QFont &font, qreal available)
    {
        return width(text, font) > available + 0.5;
    }
    void clear() { m_entries.clear(); }

private:
    struct Key
    {
        QString text;
        int font;
        int width; ///< -1: whole text, else the width it was elided to
        bool operator==(const Key &) const = default;
        friend size_t qHash(const Key &key, size_t seed = 0)
        {
            return qHashMulti(seed, key.text, key.font, key.width);
        }
    };
    struct Entry
    {
        QVarLengthArray<QGlyphRun, 1> runs; ///< positions relative to the start of the base line
        qreal width = 0;
    };

    const Entry &entry(const QString &text, const QFont &font, int width);

    qreal naturalWidth(const QString &text, const QFont &font) const;
    QString elided(const QString &text, const QFont &font, int width) const;

    QCache<Key, Entry> m_entries;
    bool m_tabularDigits;
};

/// y of the base line that centres a font's line in the rectangle, on a whole pixel.
qreal centredBaseLine(const QRectF &rect, const QFont &font);

} // namespace tongchi
