#include "widgets/feedback/figure_strip.h"

#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace tongchi {

namespace {

constexpr double stripLeft = 16;
constexpr double stripPadding = 18;

} // namespace

FigureStrip::FigureStrip(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_painter(theme)
{
    setObjectName(QStringLiteral("figureStrip"));
    setFixedHeight(50);
    connect(&theme, &Theme::changed, this, [this] {
        m_painter.clearCaches();
        update();
    });
}

void FigureStrip::setFigures(const QList<StripFigure> &figures)
{
    if (figures == m_figures)
        return;
    m_figures = figures;
    QStringList sentences;
    for (const StripFigure &figure : figures) {
        QStringList parts{figure.title};
        for (const StripFigure::Part &part : figure.parts)
            parts.append(part.text);
        parts.append(figure.unit);
        sentences.append(parts.join(u' '));
    }
    setAccessibleName(sentences.join(QStringLiteral("; ")));
    update();
}

double FigureStrip::figureWidth(const StripFigure &figure, bool sparklines)
{
    const double title = m_painter.texts().width(figure.title, m_theme.font(TextRole::Caption));
    double value = 0;
    for (const StripFigure::Part &part : figure.parts)
        value += (part.icon ? 18 : 0) + tabularWidth(m_theme.font(TextRole::Title), part.text) + 8;
    value -= figure.parts.isEmpty() ? 0 : 8;
    if (!figure.unit.isEmpty())
        value += 5 + tabularWidth(m_theme.font(TextRole::Table), figure.unit);
    if (sparklines && !figure.sparkline.isEmpty() && figure.sparkWidth > 0)
        value += 9 + figure.sparkWidth;
    return std::ceil(std::max(title, value));
}

void FigureStrip::arrange()
{
    QList<double> widths;
    const auto total = [&] {
        double sum = stripLeft - stripPadding;
        for (const double wide : std::as_const(widths))
            sum += wide > 0 ? wide + 2 * stripPadding : 0;
        return sum;
    };
    for (const bool sparklines : {true, false}) {
        m_sparklines = sparklines;
        widths.clear();
        for (const StripFigure &figure : std::as_const(m_figures))
            widths.append(figureWidth(figure, sparklines));
        if (total() <= width())
            break;
    }
    for (qsizetype left = m_figures.size(); left > 1 && total() > width(); --left) {
        qsizetype leaving = -1;
        for (qsizetype i = 0; i < m_figures.size(); ++i) {
            if (widths[i] > 0 && (leaving < 0 || m_figures[i].urgency <= m_figures[leaving].urgency))
                leaving = i;
        }
        widths[leaving] = 0;
    }
    m_places.clear();
    m_shownKeys.clear();
    double x = stripLeft;
    for (qsizetype i = 0; i < m_figures.size(); ++i) {
        m_places.append(widths[i] > 0 ? QRectF(x, 0, widths[i] + stripPadding, height()) : QRectF());
        if (widths[i] <= 0)
            continue;
        m_shownKeys.append(m_figures[i].key);
        x = std::round(x + widths[i] + stripPadding) + stripPadding;
    }
}

void FigureStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgPanel));
    const QColor line = m_theme.color(ColorToken::BorderSubtle);
    painter.fillRect(0, height() - 1, width(), 1, line);
    arrange();
    for (qsizetype i = 0; i < m_figures.size(); ++i) {
        if (m_places[i].isEmpty())
            continue;
        const StripFigure &figure = m_figures[i];
        const double x = m_places[i].left();
        const double figureWide = m_places[i].width() - stripPadding;
        painter.setPen(m_theme.color(ColorToken::TextTertiary));
        m_painter.texts().draw(painter, QRectF(x, 8, figureWide + 2, 16), Qt::AlignLeft, figure.title,
                               m_theme.font(TextRole::Caption));
        double at = x;
        for (const StripFigure::Part &part : figure.parts) {
            const QColor color = m_theme.color(part.tone);
            if (part.icon) {
                m_painter.icon(painter, QPointF(at, 26), part.icon, 14, color);
                at += 18;
            }
            painter.setPen(color);
            at += drawTabular(painter, QRectF(at, 22, 200, 22), Qt::AlignLeft, part.text,
                              m_theme.font(TextRole::Title)) +
                  8;
        }
        at -= figure.parts.isEmpty() ? 0 : 8;
        if (!figure.unit.isEmpty()) {
            painter.setPen(m_theme.color(ColorToken::TextTertiary));
            at += 5 + drawTabular(painter, QRectF(at + 5, 23, 200, 22), Qt::AlignLeft, figure.unit,
                                  m_theme.font(TextRole::Table));
        }
        if (m_sparklines && !figure.sparkline.isEmpty() && figure.sparkWidth > 0)
            m_painter.sparkline(painter, QRectF(at + 9, 26, figure.sparkWidth, 16), figure.sparkline);
        painter.fillRect(QRectF(std::round(m_places[i].right()), 0, 1, height()), line);
    }
}

bool FigureStrip::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        for (qsizetype i = 0; i < m_places.size() && i < m_figures.size(); ++i) {
            if (m_places[i].contains(QPointF(help->pos())) && !m_figures[i].detail.isEmpty()) {
                QToolTip::showText(help->globalPos(), plainToolTip(m_figures[i].detail), this,
                                   m_places[i].toRect());
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace tongchi
