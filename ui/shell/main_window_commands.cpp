// Keys and the command palette's contents; the window itself is in main_window.cpp.

#include "ui/shell/main_window.h"

#include "platform/core/text_encoding.h"
#include "ui/connections/connections_view.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/rail_button.h"
#include "ui/shell/side_rail.h"
#include "widgets/feedback/toast_stack.h"

#include <QApplication>
#include <QKeyEvent>
#include <QShortcut>
#include <QStackedWidget>
#include <set>

namespace tongchi {

void MainWindow::addKeys()
{
    const auto key = [this](const QKeySequence &keys, auto run) {
        auto *shortcut = new QShortcut(keys, this);
        connect(shortcut, &QShortcut::activated, this, run);
    };
    key(QKeySequence(Qt::CTRL | Qt::Key_K), [this] { openPalette(); });
    key(QKeySequence(Qt::CTRL | Qt::Key_1), [this] { m_rail->cardsButton()->click(); });
    key(QKeySequence(Qt::CTRL | Qt::Key_F), [this] { inventoryPane()->focusFilter(); });
    key(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), [this] { setLanguage(!m_chinese); });
    key(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
        [this] { setThemeMode(m_theme.isDark() ? ThemeMode::Light : ThemeMode::Dark); });
    for (const auto plus : {Qt::Key_Plus, Qt::Key_Equal})
        key(QKeySequence(Qt::CTRL | plus), [this] { setDensity(Density(qMin(2, int(m_density) + 1))); });
    key(QKeySequence(Qt::CTRL | Qt::Key_Minus), [this] { setDensity(Density(qMax(0, int(m_density) - 1))); });
    key(QKeySequence(Qt::CTRL | Qt::Key_0), [this] { setDensity(Density::Regular); });
    key(QKeySequence(Qt::Key_F5), [this] { m_inventory.refreshAll(); });
    key(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
        [this] { m_inventory.setPaused(!m_inventory.isPaused()); });
    key(QKeySequence(Qt::Key_Pause), [this] { m_inventory.setPaused(!m_inventory.isPaused()); });
    key(QKeySequence(Qt::Key_F6), [this] { stepRegion(true); });
    key(QKeySequence(Qt::SHIFT | Qt::Key_F6), [this] { stepRegion(false); });
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_inventoryPane && m_pages->currentWidget() == m_inventoryPane &&
        inventoryPane()->closeTopmost()) {
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

void MainWindow::stepRegion(bool forward)
{
    QList<QWidget *> regions{m_rail->cardsButton()};
    if (m_inventoryPane && m_pages->currentWidget() == m_inventoryPane)
        regions.append(inventoryPane()->regions());
    const QWidget *focus = QApplication::focusWidget();
    qsizetype now = -1;
    for (qsizetype i = 0; i < regions.size(); ++i) {
        // A region is the whole of its parent: facets, filter bar, table, drawer.
        const QWidget *whole = regions[i]->parentWidget();
        if (focus == regions[i] ||
            (focus && whole && i != 0 && whole != m_inventoryPane && whole->isAncestorOf(focus)))
            now = i;
    }
    const qsizetype count = regions.size();
    const qsizetype next = now < 0 ? 0 : (now + (forward ? 1 : -1) + count) % count;
    regions[next]->setFocus(forward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
}

void MainWindow::openPalette()
{
    const int selected = inventoryPane()->selectedCards();
    palette().open([this](const QString &query) { return commands(query); },
                   selected > 0 ? tr("%n selected", nullptr, selected) : QString());
}

void MainWindow::addSelectionCommands(QList<PaletteCommand> &list)
{
    using Group = PaletteCommand::Group;
    const int selected = inventoryPane()->selectedCards();
    const QString reason =
        selected > 0 ? tr("%n card(s) selected", nullptr, selected) : tr("nothing is selected");
    const auto add = [&](const QString &text, const char *icon, const char *otherNames, const char *keys,
                         std::function<void()> run) {
        list.append({Group::Selection, text, QString::fromUtf8(otherNames), reason, QString::fromLatin1(keys),
                     icon, selected > 0, std::move(run)});
    };
    add(tr("Cordon the nodes of the selection"), "cordon", "cordon 封锁 fs", "C",
        [this] { inventoryPane()->cordonSelection(true); });
    add(tr("Uncordon the nodes of the selection"), "status-ok", "uncordon 解除封锁 jcfs", "",
        [this] { inventoryPane()->cordonSelection(false); });
    add(tr("Label the nodes: inference"), "label-inference", "#label inference 推理 打标签 dbq tl", "L I",
        [this] { inventoryPane()->labelSelection(BusinessLabel::Inference); });
    add(tr("Label the nodes: training"), "label-training", "#label training 训练 打标签 dbq xl", "L T",
        [this] { inventoryPane()->labelSelection(BusinessLabel::Training); });
    add(tr("Label the nodes: mixed"), "label-mixed", "#label mixed 混合 打标签 dbq hh", "L M",
        [this] { inventoryPane()->labelSelection(BusinessLabel::Mixed); });
}

void MainWindow::addFoundCards(QList<PaletteCommand> &list, const QString &query)
{
    if (query.size() < 2)
        return;
    constexpr std::size_t mostFound = 6;
    const CardStore &store = m_inventory.store();
    const QByteArray needle = query.toUtf8().toLower();
    const auto contains = [&needle](std::string_view text) {
        return QByteArrayView(text.data(), qsizetype(text.size())).size() >= needle.size() &&
               QByteArray::fromRawData(text.data(), qsizetype(text.size())).toLower().contains(needle);
    };
    std::size_t nodes = 0;
    std::set<StringId> workloads;
    for (std::uint32_t i = 0; i < store.nodeSlots(); ++i) {
        const StoredNode &node = store.node(i);
        if (node.facts.uid == 0)
            continue;
        if (nodes < mostFound && contains(store.strings().utf8(node.facts.name))) {
            ++nodes;
            const QString name = store.strings().text(node.facts.name);
            //: Node found by the palette: how many cards it has.
            const QString cards = tr("%n card(s)", nullptr, int(node.cards.size()));
            list.append(
                {PaletteCommand::Group::Card, visibleText(name), {}, cards, {}, "node", true, [this, name] {
                     m_inventory.setFilterText(QStringLiteral("node:\"%1\"").arg(name));
                 }});
        }
        for (const CardIndex card : node.cards) {
            if (workloads.size() >= mostFound)
                break;
            const StringId text = store.workloadText(card);
            if (text != 0 && contains(store.strings().utf8(text)))
                workloads.insert(text);
        }
    }
    for (const StringId id : workloads) {
        const QString name = store.strings().text(id);
        list.append(
            {PaletteCommand::Group::Workload, visibleText(name), {}, {}, {}, "workload", true, [this, name] {
                 m_inventory.setFilterText(QStringLiteral("workload:\"%1\"").arg(name));
             }});
    }
}

QList<PaletteCommand> MainWindow::commands(const QString &query)
{
    using Group = PaletteCommand::Group;
    QList<PaletteCommand> list;
    addSelectionCommands(list);
    const auto add = [&list](const QString &text, const char *icon, const char *otherNames, const char *keys,
                             std::function<void()> run) {
        list.append({Group::Command,
                     text,
                     QString::fromUtf8(otherNames),
                     {},
                     QString::fromLatin1(keys),
                     icon,
                     true,
                     std::move(run)});
    };
    add(tr("Show cards"), "nav-inventory", "cards 算力卡 slk", "Ctrl+1",
        [this] { m_rail->cardsButton()->click(); });
    add(tr("Filter cards"), "filter", "filter 筛选 sx", "Ctrl+F", [this] { inventoryPane()->focusFilter(); });
    add(tr("Clear the filter"), "close", "clear filter 清除筛选 qcsx", "",
        [this] { m_inventory.setFilterText({}); });
    add(tr("Connections…"), "connection", "connect 连接 lj", "", [this] { openConnections(); });
    add(tr("Start demo pool"), "pool", "demo 演示资源池 yszyc", "",
        [this] { m_services.connections.startDemo(); });
    add(m_inventory.isPaused() ? tr("Resume live data") : tr("Pause live data"),
        m_inventory.isPaused() ? "play" : "pause", "pause resume 暂停 恢复 zt hf", "Ctrl+Shift+P",
        [this] { m_inventory.setPaused(!m_inventory.isPaused()); });
    add(tr("Refresh now"), "refresh", "refresh 刷新 sx", "F5", [this] { m_inventory.refreshAll(); });
    add(tr("Switch language"), "language", "english chinese 中文 语言 切换语言 qhyy", "Ctrl+Shift+L",
        [this] { setLanguage(!m_chinese); });
    add(tr("Light theme"), "theme", "light theme 浅色 主题 qs zt", "",
        [this] { setThemeMode(ThemeMode::Light); });
    add(tr("Dark theme"), "theme", "dark theme 深色 主题 ss zt", "",
        [this] { setThemeMode(ThemeMode::Dark); });
    add(tr("Theme of the system"), "theme", "system theme 跟随系统 gsxt", "",
        [this] { setThemeMode(ThemeMode::System); });
    add(tr("Compact rows"), "density", "compact density 紧凑 jc", "Ctrl+-",
        [this] { setDensity(Density::Compact); });
    add(tr("Regular rows"), "density", "regular density 标准 bz", "Ctrl+0",
        [this] { setDensity(Density::Regular); });
    add(tr("Comfortable rows"), "density", "comfortable density 宽松 ks", "Ctrl++",
        [this] { setDensity(Density::Comfortable); });
    add(tr("Settings"), "settings", "settings 设置 sz", "", [this] { openSettings(); });
    addFoundCards(list, query);
    return list;
}

} // namespace tongchi
