#include "ui/shell/command_palette.h"

#include "widgets/feedback/labels.h"
#include "widgets/feedback/popover_list.h"
#include "widgets/feedback/shadow.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace tongchi {

namespace {

constexpr int paletteWidth = 640;
constexpr int paletteTop = 112;
constexpr int paletteRow = 36;

class PaletteCard final : public QWidget
{
public:
    PaletteCard(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(ColorToken::BorderDefault), 1));
        painter.setBrush(m_theme.color(ColorToken::BgRaised));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);
        painter.drawPixmap(
            QPointF(16, 16),
            m_theme.pixmap("search", 16, m_theme.color(ColorToken::TextSecondary), devicePixelRatioF()));
    }
    void mousePressEvent(QMouseEvent *event) override { event->accept(); }

private:
    const Theme &m_theme;
};

} // namespace

CommandPalette::CommandPalette(const Theme &theme, QWidget *window)
    : QWidget(window), m_theme(theme), m_window(window), m_card(new PaletteCard(theme, this)),
      m_edit(new QLineEdit(m_card)), m_selection(plainLabel("smallSecondary", m_card)),
      m_foot(plainLabel("caption", m_card)), m_list(new PopoverList(theme, m_card))
{
    setObjectName(QStringLiteral("commandPalette"));
    m_edit->setObjectName(QStringLiteral("paletteEdit"));
    m_edit->setProperty("role", QStringLiteral("palette"));
    m_edit->setFrame(false);
    m_edit->installEventFilter(this);
    m_list->setEmbedded(paletteRow);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(42, 0, 14, 0);
    head->addWidget(m_edit, 1);
    head->addWidget(m_selection);
    auto *headArea = new QWidget(m_card);
    headArea->setFixedHeight(48);
    headArea->setLayout(head);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(14, 0, 14, 0);
    foot->addWidget(m_foot);
    auto *footArea = new QWidget(m_card);
    footArea->setFixedHeight(30);
    footArea->setLayout(foot);
    auto *layout = new QVBoxLayout(m_card);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(headArea);
    layout->addWidget(hairline(m_card));
    layout->addWidget(m_list, 1);
    layout->addWidget(hairline(m_card));
    layout->addWidget(footArea);
    connect(m_edit, &QLineEdit::textChanged, this, [this] {
        if (!isHidden())
            search();
    });
    connect(m_list, &PopoverList::chosen, this, &CommandPalette::runRow);
    window->installEventFilter(this);
    retranslate();
    hide();
}

void CommandPalette::retranslate()
{
    m_edit->setPlaceholderText(tr("Search cards, nodes, workloads, or run a command"));
    m_edit->setAccessibleName(m_edit->placeholderText());
    m_foot->setText(tr("↑ ↓ move   Enter run   Esc close        > commands   @ nodes   # labels   ? help"));
}

void CommandPalette::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void CommandPalette::open(Provider provider, const QString &selection)
{
    m_provider = std::move(provider);
    m_selection->setText(selection);
    m_returnFocus = QApplication::focusWidget();
    m_edit->clear();
    show();
    raise();
    search();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::closePalette()
{
    if (isHidden())
        return;
    hide();
    if (m_returnFocus && m_window->isAncestorOf(m_returnFocus))
        m_returnFocus->setFocus(Qt::OtherFocusReason);
    m_returnFocus = nullptr;
}

void CommandPalette::search()
{
    using Group = PaletteCommand::Group;
    QString query = m_edit->text().trimmed();
    const QChar prefix = query.isEmpty() ? QChar() : query[0];
    const bool narrowed = prefix == u'>' || prefix == u'@' || prefix == u'#' || prefix == u'?' ||
                          prefix == QChar(0xFF1E) || prefix == QChar(0xFF20) || prefix == QChar(0xFF03) ||
                          prefix == QChar(0xFF1F);
    if (narrowed)
        query = query.mid(1).trimmed();
    struct Found
    {
        PaletteCommand command;
        int score;
    };
    std::vector<Found> found;
    for (PaletteCommand &command : m_provider(query)) {
        if (narrowed) {
            const bool commands = command.group == Group::Command || command.group == Group::Selection;
            const bool fits = prefix == u'>' || prefix == QChar(0xFF1E)   ? commands
                              : prefix == u'@' || prefix == QChar(0xFF20) ? command.group == Group::Card
                              : prefix == u'?' || prefix == QChar(0xFF1F) ? command.group == Group::Help
                                                                          : command.otherNames.contains(u'#');
            if (!fits)
                continue;
        }
        const int score = qMax(paletteScore(query, command.text), paletteScore(query, command.otherNames));
        if (score >= 0)
            found.push_back({std::move(command), score});
    }
    std::stable_sort(found.begin(), found.end(), [](const Found &a, const Found &b) {
        if (a.command.group != b.command.group)
            return a.command.group < b.command.group;
        return a.score > b.score;
    });
    m_shown.clear();
    m_rowCommands.clear();
    QList<PopoverRow> rows;
    const auto groupTitle = [](Group group) {
        switch (group) {
        case Group::Selection:
            return tr("On the selection");
        case Group::Command:
            return tr("Commands");
        case Group::Card:
            return tr("Nodes and cards");
        case Group::Workload:
            return tr("Workloads");
        case Group::Help:
            return tr("Help");
        }
        return QString();
    };
    std::optional<Group> last;
    for (Found &each : found) {
        if (last != each.command.group) {
            PopoverRow head;
            head.text = groupTitle(each.command.group);
            head.isGroup = true;
            rows.append(head);
            m_rowCommands.append(-1);
            last = each.command.group;
        }
        PopoverRow row;
        row.text = each.command.text;
        row.hint = each.command.hint;
        row.trailing = each.command.keys;
        row.icon = each.command.icon;
        row.isEnabled = each.command.enabled;
        rows.append(row);
        m_rowCommands.append(int(m_shown.size()));
        m_shown.append(std::move(each.command));
    }
    if (rows.isEmpty()) {
        PopoverRow none;
        none.text = tr("Nothing fits");
        none.isGroup = true;
        rows.append(none);
        m_rowCommands.append(-1);
    }
    m_list->setRows(rows);
    int height = 0;
    int commands = 0;
    for (const PopoverRow &row : std::as_const(rows)) {
        if (!row.isGroup && ++commands > 10)
            break;
        height += row.isGroup ? 26 : paletteRow;
    }
    m_list->setFixedHeight(height + 4);
    layOut();
}

void CommandPalette::layOut()
{
    setGeometry(m_window->rect());
    const int wide = qMin(paletteWidth, width() - 32);
    const int high = 48 + 30 + 4 + m_list->height();
    m_card->setGeometry((width() - wide) / 2, qMin(paletteTop, qMax(8, height() - high - 8)), wide, high);
    update();
}

void CommandPalette::runRow(int row)
{
    const int number = m_rowCommands.value(row, -1);
    if (number < 0 || !m_shown[number].enabled)
        return;
    const std::function<void()> run = m_shown[number].run;
    closePalette();
    if (run)
        run();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape) {
            closePalette();
            return true;
        }
        if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab)
            return true; // the palette has one place to be
        return m_list->handleKey(key);
    }
    if (watched == m_window && event->type() == QEvent::Resize && !isHidden())
        layOut();
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::mousePressEvent(QMouseEvent *)
{
    closePalette();
}

void CommandPalette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor scrim = m_theme.color(ColorToken::BgScrim);
    scrim.setAlphaF(m_theme.isDark() ? 0.52f : 0.32f);
    painter.fillRect(rect(), scrim);
    paintShadow(painter, m_theme, QRectF(m_card->geometry()), 10, 24);
}

} // namespace tongchi
