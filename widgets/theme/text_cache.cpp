#include "widgets/theme/text_cache.h"

#include "widgets/theme/tabular.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

namespace tongchi {

namespace {

constexpr qsizetype longestShaped = 512; // a 200 KB value is cut before it is shaped

/// Fonts of the type roles differ in size and weight only; families are the same but for code.
int fontNumber(const QFont &font)
{
    return font.pixelSize() * 2000 + int(font.weight()) + (font.families().size() < 4 ? 1'000'000 : 0);
}

} // namespace

TextCache::TextCache(bool tabularDigits) : m_entries(6000), m_tabularDigits(tabularDigits) {}

qreal TextCache::naturalWidth(const QString &text, const QFont &font) const
{
    return m_tabularDigits ? tabularWidth(font, text) : QFontMetricsF(font).horizontalAdvance(text);
}

QString TextCache::elided(const QString &text, const QFont &font, int width) const
{
    if (!m_tabularDigits)
        return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
    // The longest beginning that fits with its ellipsis, by halving.
    qsizetype fits = 0;
    qsizetype tooLong = text.size();
    while (tooLong - fits > 1) {
        const qsizetype middle = (fits + tooLong) / 2;
        if (naturalWidth(text.left(middle) + QChar(0x2026), font) <= width)
            fits = middle;
        else
            tooLong = middle;
    }
    if (fits > 0 && text[fits - 1].isHighSurrogate())
        --fits;
    return text.left(fits).trimmed() + QChar(0x2026);
}

const TextCache::Entry &TextCache::entry(const QString &text, const QFont &font, int width)
{
    const Key key{text, fontNumber(font), width};
    if (const Entry *known = m_entries.object(key))
        return *known;
    auto *made = new Entry;
    QString shown = text.size() > longestShaped ? text.left(longestShaped) + QChar(0x2026) : text;
    if (width >= 0)
        shown = elided(shown, font, width);
    if (QGlyphRun run; m_tabularDigits && tabularGlyphs(font, shown, run, made->width)) {
        made->runs.append(run);
        m_entries.insert(key, made);
        return *made;
    }
    QTextLayout layout(shown, font);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    if (line.isValid()) {
        line.setPosition(QPointF(0, 0));
        made->width = line.naturalTextWidth();
        for (QGlyphRun run : layout.glyphRuns()) {
            QList<QPointF> positions = run.positions();
            for (QPointF &position : positions)
                position.ry() -= line.ascent();
            run.setPositions(positions);
            made->runs.append(run);
        }
    }
    m_entries.insert(key, made);
    return *made;
}

qreal TextCache::width(const QString &text, const QFont &font)
{
    return text.isEmpty() ? 0 : entry(text, font, -1).width;
}

qreal TextCache::draw(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &text,
                      const QFont &font)
{
    if (text.isEmpty() || rect.width() <= 0)
        return 0;
    const Entry *shown = &entry(text, font, -1);
    if (shown->width > rect.width() + 0.5)
        shown = &entry(text, font, int(rect.width()));
    qreal x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() - shown->width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.left() + (rect.width() - shown->width) / 2;
    const QPointF origin(x, centredBaseLine(rect, font));
    for (const QGlyphRun &run : shown->runs)
        painter.drawGlyphRun(origin, run);
    return shown->width;
}

qreal centredBaseLine(const QRectF &rect, const QFont &font)
{
    // Ascent and descent of Inter; the same figures hold for every script so that cells of a row agree.
    const qreal size = font.pixelSize();
    return qRound(rect.center().y() + size * (0.96875 - 0.2412) / 2);
}

} // namespace tongchi
