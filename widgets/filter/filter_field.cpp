#include "widgets/filter/filter_field.h"

#include "widgets/feedback/popover_list.h"
#include "widgets/theme/figure_label.h"
#include "widgets/theme/plain_tool_tip.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

namespace tongchi {

namespace {

constexpr int tokensLeft = 28;
constexpr int tokenHeight = 22;
constexpr int tokenGap = 6;
constexpr int leastEditWidth = 90;

qreal textWidthIn(const QFont &font, const QString &text)
{
    return tabularWidth(font, text);
}

} // namespace

FilterField::FilterField(const Theme &theme, const FilterFieldSource &source, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_source(source), m_edit(new QLineEdit(this)),
      m_count(new FigureLabel(theme, TextRole::Table, this)), m_clear(new QToolButton(this)),
      m_popover(new PopoverList(theme, this))
{
    setObjectName(QStringLiteral("filterField"));
    setAttribute(Qt::WA_Hover);
    m_edit->setObjectName(QStringLiteral("filterEdit"));
    m_edit->setProperty("role", QStringLiteral("bare"));
    m_edit->setFrame(false);
    m_edit->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("filterCount"));
    m_count->setTone(Tone::Secondary);
    m_clear->setObjectName(QStringLiteral("filterClear"));
    m_clear->setIcon(theme.icon("close", 16));
    m_clear->setIconSize(QSize(14, 14));
    m_clear->setFixedSize(22, 22);
    m_clear->setFocusPolicy(Qt::TabFocus);
    m_clear->hide();
    setFocusProxy(m_edit);
    setFixedHeight(28);
    m_suggestTimer.setSingleShot(true);
    m_suggestTimer.setInterval(80);
    connect(&m_suggestTimer, &QTimer::timeout, this, &FilterField::showSuggestions);
    connect(m_clear, &QToolButton::clicked, this, [this] {
        clear();
        m_edit->setFocus(Qt::OtherFocusReason);
    });
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        m_current = -1;
        // A blank or its full-width form outside quotes ends the word.
        const QString typed = m_edit->text();
        const bool ends = typed.endsWith(u' ') || typed.endsWith(QChar(0x3000));
        if (ends && typed.count(u'"') % 2 == 0)
            finishWord();
        changed();
        m_suggestTimer.start();
    });
    connect(m_popover, &PopoverList::chosen, this, &FilterField::accept);
    connect(&theme, &Theme::changed, this, [this] {
        layOut();
        update();
    });
    retranslate();
}

void FilterField::retranslate()
{
    m_edit->setAccessibleName(tr("Filter"));
    m_clear->setAccessibleName(tr("Clear filter"));
    m_clear->setToolTip(tr("Clear filter"));
    m_popover->setAccessibleName(tr("Suggestions"));
}

void FilterField::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

QStringList FilterField::words() const
{
    QStringList list;
    for (const FilterFieldToken &token : m_tokens)
        list.append(token.text);
    return list;
}

QString FilterField::text() const
{
    QStringList list = words();
    const QString typed = m_edit->text().trimmed();
    if (!typed.isEmpty())
        list.append(typed);
    return list.join(u' ');
}

void FilterField::setText(const QString &text)
{
    if (text == this->text())
        return; // what is being typed stays a draft: its own echo must not cut it into tokens
    m_quiet = true;
    m_edit->clear();
    m_quiet = false;
    m_tokens = m_source.tokens(text);
    m_current = -1;
    m_suggestTimer.stop();
    m_popover->close();
    layOut();
    changed();
}

void FilterField::refreshTokens()
{
    m_tokens = m_source.tokens(words().join(u' '));
    layOut();
    update();
}

void FilterField::setPlaceholder(const QString &text)
{
    m_edit->setPlaceholderText(text);
}

void FilterField::setCount(const QString &text)
{
    m_count->setText(text);
    layOut();
}

QString FilterField::error() const
{
    for (const FilterFieldToken &token : m_tokens) {
        if (!token.error.isEmpty())
            return token.error;
    }
    return {};
}

void FilterField::finishWord()
{
    const QString typed = m_edit->text().trimmed();
    m_edit->clear();
    if (!typed.isEmpty())
        m_tokens.append(m_source.tokens(typed));
    m_popover->close();
    m_suggestTimer.stop();
    layOut();
    update();
}

void FilterField::editToken(int index)
{
    if (index < 0 || index >= m_tokens.size())
        return;
    if (!m_edit->text().trimmed().isEmpty())
        finishWord();
    const QString text = m_tokens.takeAt(index).text;
    m_current = -1;
    m_edit->setText(text);
    m_edit->setFocus(Qt::OtherFocusReason);
    layOut();
    changed();
    m_suggestTimer.start();
}

void FilterField::removeToken(int index)
{
    if (index < 0 || index >= m_tokens.size())
        return;
    m_tokens.removeAt(index);
    m_current = -1;
    layOut();
    changed();
}

void FilterField::changed()
{
    update();
    m_clear->setVisible(!m_tokens.isEmpty() || !m_edit->text().isEmpty());
    layOut();
    const QString now = text();
    if (m_quiet || now == m_lastText)
        return;
    m_lastText = now;
    Q_EMIT textChanged(now);
}

void FilterField::layOut()
{
    m_places.clear();
    const QFont &keyFont = m_theme.font(TextRole::Table);
    const QFont &valueFont = m_theme.font(TextRole::TableStrong);
    int right = width() - 8;
    if (!m_clear->isHidden()) {
        m_clear->move(width() - 26, 3);
        right = width() - 28;
    }
    const int countWidth = m_count->text().isEmpty() ? 0 : m_count->sizeHint().width();
    m_count->setGeometry(right - countWidth, 0, countWidth, height());
    right -= countWidth + (countWidth > 0 ? 8 : 0);
    qreal x = tokensLeft;
    for (const FilterFieldToken &token : std::as_const(m_tokens)) {
        const qreal width =
            8 + textWidthIn(keyFont, token.key) + textWidthIn(valueFont, token.value) + 7 + 12 + 6;
        m_places.append({QRectF(x, 3, width, tokenHeight), QRectF(x + width - 20, 3, 20, tokenHeight)});
        x += width + tokenGap;
    }
    // Too many tokens: the first ones move out at the left so that there is always room to type.
    const qreal overflow = x + leastEditWidth - right;
    if (overflow > 0) {
        for (Place &place : m_places) {
            place.box.translate(-overflow, 0);
            place.cross.translate(-overflow, 0);
        }
        x -= overflow;
    }
    m_edit->setGeometry(int(x) + (m_tokens.isEmpty() ? 0 : 2), 3, qMax(40, right - int(x) - 2), tokenHeight);
}

void FilterField::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void FilterField::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = m_edit->hasFocus();
    const bool wrong = !error().isEmpty();
    const qreal pen = focused ? 2 : 1;
    painter.setPen(QPen(m_theme.color(focused ? ColorToken::BorderFocus
                                      : wrong ? ColorToken::StatusCritMark
                                              : ColorToken::BorderDefault),
                        pen));
    painter.setBrush(m_theme.color(ColorToken::BgPanel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), 5, 5);
    const qreal ratio = devicePixelRatioF();
    painter.drawPixmap(8, 7, m_theme.pixmap("filter", 14, m_theme.color(ColorToken::TextSecondary), ratio));

    painter.setClipRect(QRectF(tokensLeft - 2, 0, width() - tokensLeft, height()));
    const QFont &keyFont = m_theme.font(TextRole::Table);
    const QFont &valueFont = m_theme.font(TextRole::TableStrong);
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        const FilterFieldToken &token = m_tokens[i];
        const QRectF box = m_places[i].box;
        const bool current = m_current == i;
        const bool bad = !token.error.isEmpty();
        painter.setPen(QPen(m_theme.color(current ? ColorToken::BorderFocus
                                          : bad   ? ColorToken::StatusCritMark
                                                  : ColorToken::BorderDefault),
                            current ? 2 : 1));
        painter.setBrush(m_theme.color(m_theme.isDark() ? ColorToken::StatusNeutralBg : ColorToken::BgHover));
        const qreal inset = current ? 1 : 0.5;
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4, 4);
        painter.setPen(m_theme.color(ColorToken::TextTertiary));
        const QRectF inner = box.adjusted(8, 0, -20, 0);
        const qreal keyWidth = drawTabular(painter, inner, Qt::AlignLeft, token.key, keyFont);
        painter.setPen(m_theme.color(bad ? ColorToken::StatusCrit : ColorToken::TextPrimary));
        drawTabular(painter, inner.adjusted(keyWidth, 0, 0, 0), Qt::AlignLeft, token.value, valueFont);
        painter.drawPixmap(QPointF(box.right() - 6 - 12, box.top() + 5),
                           m_theme.pixmap("close", 12, m_theme.color(ColorToken::TextTertiary), ratio));
    }
}

int FilterField::tokenAt(const QPointF &point) const
{
    for (qsizetype i = 0; i < m_places.size(); ++i) {
        if (m_places[i].box.contains(point))
            return int(i);
    }
    return -1;
}

void FilterField::mousePressEvent(QMouseEvent *event)
{
    const int token = tokenAt(event->position());
    if (token >= 0 && m_places[token].cross.contains(event->position()))
        removeToken(token);
    else if (token >= 0)
        editToken(token);
    m_edit->setFocus(Qt::MouseFocusReason);
}

bool FilterField::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int token = tokenAt(QPointF(help->pos()));
        const QString text = token < 0                         ? QString()
                             : m_tokens[token].error.isEmpty() ? m_tokens[token].text
                                                               : m_tokens[token].error;
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), plainToolTip(text), this);
        return true;
    }
    return QWidget::event(event);
}

bool FilterField::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit) {
        switch (event->type()) {
        case QEvent::FocusIn:
        case QEvent::FocusOut:
            if (event->type() == QEvent::FocusOut) {
                m_current = -1;
                m_popover->close();
                m_suggestTimer.stop();
            }
            update();
            break;
        case QEvent::KeyPress:
            if (handleKey(static_cast<QKeyEvent *>(event)))
                return true;
            break;
        default:
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

bool FilterField::handleKey(QKeyEvent *event)
{
    const bool atStart = m_edit->cursorPosition() == 0 && !m_edit->hasSelectedText();
    const int key = event->key();
    if (m_popover->isVisible() && m_popover->handleKey(event))
        return true;
    if (event->matches(QKeySequence::Copy) && !m_edit->hasSelectedText()) {
        QApplication::clipboard()->setText(m_source.canonical(text()));
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (m_current >= 0)
            editToken(m_current);
        else {
            finishWord();
            changed();
        }
        return true;
    }
    if (key == Qt::Key_Down && !m_popover->isVisible()) {
        showSuggestions();
        return true;
    }
    if (key == Qt::Key_Escape) {
        if (!m_edit->text().isEmpty()) {
            m_edit->clear();
            changed();
            return true;
        }
        return false; // the pane decides what is closed next
    }
    if (m_tokens.isEmpty() || !atStart)
        return false;
    if (key == Qt::Key_Backspace || key == Qt::Key_Delete) {
        if (m_current < 0 && key == Qt::Key_Delete)
            return false;
        removeToken(m_current >= 0 ? m_current : int(m_tokens.size()) - 1);
        return true;
    }
    if (key == Qt::Key_Left) {
        m_current = m_current < 0 ? int(m_tokens.size()) - 1 : qMax(0, m_current - 1);
        update();
        return true;
    }
    if (key == Qt::Key_Right && m_current >= 0) {
        m_current = m_current + 1 < m_tokens.size() ? m_current + 1 : -1;
        update();
        return true;
    }
    return false;
}

void FilterField::showSuggestions()
{
    if (!m_edit->hasFocus())
        return;
    m_suggestions = m_source.suggestions(m_edit->text().trimmed(), words());
    QList<PopoverRow> rows;
    for (const FilterFieldSuggestion &suggestion : std::as_const(m_suggestions)) {
        PopoverRow row;
        row.text = suggestion.text;
        row.hint = suggestion.hint;
        row.trailing = suggestion.count;
        rows.append(row);
    }
    if (rows.isEmpty()) {
        m_popover->close();
        return;
    }
    m_popover->setRows(rows);
    m_popover->openBelow(m_edit, 280);
}

void FilterField::accept(int row)
{
    if (row < 0 || row >= m_suggestions.size())
        return;
    const FilterFieldSuggestion suggestion = m_suggestions[row];
    m_edit->setText(suggestion.insert);
    if (suggestion.isKey) {
        changed();
        showSuggestions();
    } else {
        finishWord();
        changed();
    }
}

} // namespace tongchi
