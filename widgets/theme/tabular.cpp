#include "widgets/theme/tabular.h"

#include "widgets/theme/text_cache.h"

#include <QFontMetricsF>
#include <QGlyphRun>
#include <QHash>
#include <QPainter>
#include <QRawFont>
#include <QVarLengthArray>
#include <array>

namespace tongchi {

namespace {

/// Glyphs and advances of the characters numbers are made of, read once a font.
struct DigitFont
{
    QRawFont raw;
    QFontMetricsF metrics{QFont()};
    std::array<quint32, 128> glyph{};
    std::array<qreal, 128> advance{};
    /// Characters beyond ASCII that were asked for: degree sign, dash, ellipsis. Glyph 0: not in this font.
    mutable QHash<char16_t, std::pair<quint32, qreal>> others;
    qreal digitWidth = 0;

    std::pair<quint32, qreal> find(char16_t c) const
    {
        if (c < 128)
            return {glyph[c], advance[c]};
        const auto known = others.constFind(c);
        if (known != others.constEnd())
            return *known;
        const QList<quint32> glyphs = raw.glyphIndexesForString(QString(QChar(c)));
        std::pair<quint32, qreal> found{0, 0};
        if (glyphs.size() == 1 && glyphs[0] != 0 && !QChar::isSurrogate(c))
            found = {glyphs[0], raw.advancesForGlyphIndexes(glyphs).value(0).x()};
        others.insert(c, found);
        return found;
    }
};

const DigitFont &digitFont(const QFont &font)
{
    // Filled by the GUI thread only, one entry a size and weight of the type scale.
    static QHash<quint64, DigitFont> fonts;
    const quint64 key = (quint64(font.pixelSize()) << 32 | quint64(font.weight()) << 8) ^
                        (quint64(qHash(font.families().value(0))) << 40);
    const auto known = fonts.constFind(key);
    if (known != fonts.constEnd())
        return *known;
    DigitFont made;
    made.raw = QRawFont::fromFont(font);
    made.metrics = QFontMetricsF(font);
    QString printable;
    for (char16_t c = 32; c < 127; ++c)
        printable += QChar(c);
    const QList<quint32> glyphs = made.raw.glyphIndexesForString(printable);
    const QList<QPointF> advances = made.raw.advancesForGlyphIndexes(glyphs);
    for (int i = 0; i < glyphs.size() && i < advances.size(); ++i) {
        made.glyph[std::size_t(32 + i)] = glyphs[i];
        made.advance[std::size_t(32 + i)] = advances[i].x();
    }
    for (std::size_t c = '0'; c <= '9'; ++c)
        made.digitWidth = qMax(made.digitWidth, made.advance[c]);
    return *fonts.insert(key, made);
}

/// Characters outside the font (a Chinese unit, a dash of a fallback font) are drawn as texts between the
/// runs.
struct TabularRun
{
    QVarLengthArray<quint32, 32> glyphs;
    QVarLengthArray<QPointF, 32> positions;
    struct Other
    {
        QString text;
        qreal x;
    };
    QVarLengthArray<Other, 2> others;
    qreal width = 0;
};

TabularRun layOut(const DigitFont &font, const QString &text)
{
    TabularRun run;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text[i].unicode();
        const auto [glyph, advance] = font.find(c);
        if (glyph != 0) {
            const bool digit = c >= u'0' && c <= u'9';
            const qreal box = digit ? font.digitWidth : advance;
            run.glyphs.append(glyph);
            run.positions.append(QPointF(run.width + (box - advance) / 2, 0));
            run.width += box;
        } else {
            qsizetype end = i + 1;
            while (end < text.size() && font.find(text[end].unicode()).first == 0)
                ++end;
            const QString other = text.mid(i, end - i);
            run.others.append({other, run.width});
            run.width += font.metrics.horizontalAdvance(other);
            i = end - 1;
        }
    }
    return run;
}

} // namespace

qreal drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text)
{
    return drawTabular(painter, rect, alignment, text, painter.font());
}

qreal drawTabular(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
                  const QFont &font)
{
    if (text.isEmpty())
        return 0;
    const DigitFont &digits = digitFont(font);
    const TabularRun run = layOut(digits, text);
    qreal x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - run.width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.left() + (rect.width() - run.width) / 2;
    const QPointF origin(x, centredBaseLine(rect, font));
    if (!run.glyphs.isEmpty()) {
        QGlyphRun glyphs;
        glyphs.setRawFont(digits.raw);
        glyphs.setRawData(run.glyphs.constData(), run.positions.constData(), int(run.glyphs.size()));
        painter.drawGlyphRun(origin, glyphs);
    }
    if (!run.others.isEmpty()) {
        painter.setFont(font);
        for (const TabularRun::Other &other : run.others)
            painter.drawText(QPointF(origin.x() + other.x, origin.y()), other.text);
    }
    return run.width;
}

bool tabularGlyphs(const QFont &font, const QString &text, QGlyphRun &glyphs, qreal &width)
{
    const DigitFont &digits = digitFont(font);
    const TabularRun run = layOut(digits, text);
    if (!run.others.isEmpty())
        return false;
    glyphs.setRawFont(digits.raw);
    glyphs.setGlyphIndexes(QList<quint32>(run.glyphs.cbegin(), run.glyphs.cend()));
    glyphs.setPositions(QList<QPointF>(run.positions.cbegin(), run.positions.cend()));
    width = run.width;
    return true;
}

qreal tabularWidth(const QFont &font, const QString &text)
{
    return layOut(digitFont(font), text).width;
}

} // namespace tongchi
