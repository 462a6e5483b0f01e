#include "widgets/filter/facet_list.h"

#include "widgets/feedback/labels.h"
#include "widgets/tables/overlay_scroll_bar.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/text_cache.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace tongchi {

namespace {

constexpr int facetRowHeight = 23;
constexpr int facetTitleHeight = 23;
constexpr int facetSide = 8;

FacetGesture gestureOf(Qt::KeyboardModifiers modifiers)
{
    if (modifiers & Qt::AltModifier)
        return FacetGesture::Exclude;
    return modifiers & Qt::ControlModifier ? FacetGesture::AddAnother : FacetGesture::Choose;
}

} // namespace

FacetList::FacetList(const Theme &theme, QWidget *parent)
    : QScrollArea(parent), m_theme(theme), m_bar(new OverlayScrollBar(this))
{
    setObjectName(QStringLiteral("facetList"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("facetContent"));
    content->setProperty("role", QStringLiteral("sunken"));
    content->setAttribute(Qt::WA_StyledBackground);
    setWidget(content);
    setWidgetResizable(false);
    connect(&theme, &Theme::changed, this, [this] { layOut(); });
}

void FacetList::setSections(const QList<FacetSection> &sections)
{
    m_sections = sections;
    qsizetype used = 0;
    for (qsizetype section = 0; section < sections.size(); ++section) {
        if (section >= m_titles.size()) {
            QLabel *title = plainLabel("caption", widget());
            title->show();
            m_titles.append(title);
        }
        qobject_cast<QLabel *>(m_titles[section])->setText(sections[section].title);
        for (const FacetEntry &entry : sections[section].entries) {
            if (used >= m_rows.size()) {
                auto *row = new FacetRowButton(m_theme, widget());
                row->setObjectName(QStringLiteral("facetRow%1").arg(used));
                row->setFocusPolicy(used == 0 ? Qt::TabFocus : Qt::NoFocus);
                connect(row, &FacetRowButton::chosen, this, [this, row](Qt::KeyboardModifiers modifiers) {
                    Q_EMIT clicked(row->section(), row->entry().key, gestureOf(modifiers));
                });
                connect(row, &FacetRowButton::moveRequested, this,
                        [this, row](int by) { moveFocus(row, by); });
                row->show();
                m_rows.append(row);
            }
            m_rows[used++]->set(sections[section].id, entry);
        }
    }
    while (m_titles.size() > sections.size())
        delete m_titles.takeLast();
    while (m_rows.size() > used) {
        // A click on the row may have led here: it goes when its handler has returned, but is out of sight at
        // once.
        FacetRowButton *row = m_rows.takeLast();
        row->hide();
        row->deleteLater();
    }
    layOut();
}

void FacetList::layOut()
{
    const int width = viewport()->width();
    int y = 16;
    qsizetype row = 0;
    for (qsizetype section = 0; section < m_sections.size(); ++section) {
        m_titles[section]->setGeometry(facetSide + 6, y, width - 2 * facetSide, facetTitleHeight - 1);
        y += facetTitleHeight;
        for (qsizetype i = 0; i < m_sections[section].entries.size(); ++i) {
            m_rows[row++]->setGeometry(facetSide, y, width - 2 * facetSide - 1, facetRowHeight);
            y += facetRowHeight;
        }
        y += 5;
    }
    widget()->resize(width, qMax(y + 12, viewport()->height()));
    m_bar->place(0);
}

void FacetList::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    layOut();
}

void FacetList::moveFocus(FacetRowButton *from, int by)
{
    const qsizetype target = m_rows.indexOf(from) + by;
    if (target < 0 || target >= m_rows.size())
        return;
    m_rows[target]->setFocus(Qt::OtherFocusReason);
    for (FacetRowButton *row : std::as_const(m_rows))
        row->setFocusPolicy(row == m_rows[target] ? Qt::TabFocus : Qt::NoFocus);
    ensureWidgetVisible(m_rows[target], 0, 8);
}

FacetRowButton::FacetRowButton(const Theme &theme, QWidget *parent) : QAbstractButton(parent), m_theme(theme)
{
    setAttribute(Qt::WA_Hover);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setCheckable(false);
}

void FacetRowButton::set(int section, const FacetEntry &entry)
{
    // Counts come every second and mostly stay the same.
    if (section == m_section && entry == m_entry && !accessibleName().isEmpty())
        return;
    m_section = section;
    m_entry = entry;
    retranslate();
    update();
}

void FacetRowButton::retranslate()
{
    //: For a screen reader: value of a facet and how many cards it would leave.
    QString name = tr("%1, %2 cards").arg(m_entry.text, m_entry.count);
    if (m_entry.chosen)
        name = tr("%1, chosen").arg(name);
    if (m_entry.excluded)
        name = tr("%1, excluded").arg(name);
    setAccessibleName(name);
}

void FacetRowButton::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QAbstractButton::changeEvent(event);
}

void FacetRowButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box(0, 3, width(), 17);
    if (underMouse() && isEnabled()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(ColorToken::BgHover));
        painter.drawRoundedRect(box.adjusted(0, -2, 0, 2), 3, 3);
    }
    QColor bar = m_theme.color(m_entry.chosen ? ColorToken::BgSelected : ColorToken::BgPressed);
    if (!m_entry.chosen)
        bar.setAlphaF(0.75f);
    const double share = m_entry.chosen ? qMax(m_entry.share, 0.0) : m_entry.share;
    if (share > 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(bar);
        const double width = qMax(2.0, box.width() * qMin(1.0, share));
        painter.drawRoundedRect(QRectF(box.left(), box.top(), width, box.height()), qMin(3.0, width / 2),
                                qMin(3.0, width / 2));
    }
    const QColor color = m_theme.color(m_entry.chosen ? ColorToken::AccentText : ColorToken::TextPrimary);
    double x = 6 + 12.0 * m_entry.indent;
    if (m_entry.icon) {
        const bool mark = qstrncmp(m_entry.icon, "vendor-", 7) == 0;
        const int size = mark ? 12 : 14;
        painter.drawPixmap(
            QPointF(x, (height() - size) / 2.0 - 0.5),
            m_theme.pixmap(m_entry.icon, size, m_theme.color(m_entry.iconTone), devicePixelRatioF()));
        x += size + 6;
    }
    const QFont &countFont = m_theme.font(TextRole::Table);
    const double countWidth = tabularWidth(countFont, m_entry.count);
    painter.setPen(m_entry.chosen ? color : m_theme.color(ColorToken::TextTertiary));
    drawTabular(painter, QRectF(0, 0, width() - 7, height() - 1), Qt::AlignRight, m_entry.count, countFont);

    QFont font = m_theme.font(m_entry.chosen ? TextRole::TableStrong : TextRole::Table);
    const double room = width() - 7 - countWidth - 6 - x;
    const QFontMetricsF metrics(font);
    const QString text = metrics.elidedText(m_entry.text, Qt::ElideRight, room);
    painter.setPen(m_entry.excluded ? m_theme.color(ColorToken::TextTertiary) : color);
    font.setStrikeOut(m_entry.excluded);
    painter.setFont(font);
    painter.drawText(QPointF(x, centredBaseLine(QRectF(0, 0, width(), height() - 1), font)), text);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.color(ColorToken::BorderFocus), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

void FacetRowButton::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT chosen(event->modifiers());
    QAbstractButton::mouseReleaseEvent(event);
}

void FacetRowButton::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Up:
        Q_EMIT moveRequested(-1);
        break;
    case Qt::Key_Down:
        Q_EMIT moveRequested(1);
        break;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT chosen(event->modifiers());
        break;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

void FacetRowButton::focusInEvent(QFocusEvent *event)
{
    QAbstractButton::focusInEvent(event);
    update();
}

} // namespace tongchi
