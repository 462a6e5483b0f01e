#pragma once

#include "ui/inventory/inventory_pane.h"
#include "widgets/theme/theme.h"

#include <QTimeZone>
#include <QTimer>
#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QMenu;
class QStackedWidget;
QT_END_NAMESPACE

namespace tongchi {

class CommandPalette;
class ConnectionsDialog;
class ConnectionsView;
class SettingsDialog;
class SideRail;
class StatusLine;
class TopBar;
class WelcomePage;
struct PaletteCommand;

/// The window: rail, top bar, pane, status bar, and what floats over them. Owns no model.
///
/// Language: `useLanguage` installs the translators ("en", "zh"); the LanguageChange that follows reaches
/// every widget, and this window hands the new number formats to the models. At the start it takes the
/// language from the models' formats. Theme and density change in place. All three, the window's size and the
/// table's columns are kept in `settings`.
class MainWindow final : public QWidget
{
    Q_OBJECT

public:
    struct Services
    {
        Theme &theme;
        InventoryController &inventory;
        NodeActionController &actions;
        ConnectionsView &connections;
        FilePicker &files;
        WindowSettings &settings;
        std::function<void(const QString &code)> useLanguage;
        SourceNamer namer;
        QTimeZone zone = QTimeZone::systemTimeZone();
    };

    explicit MainWindow(Services services);
    ~MainWindow() override;

    /// Made when it is first asked for, at the latest right after the first paint: until then the welcome
    /// page is enough.
    InventoryPane *inventoryPane();
    ToastStack &toasts() const { return *m_toasts; }
    CommandPalette &palette();
    void openConnections();
    void openSettings();
    void openPalette();

    void setLanguage(bool chinese);
    bool isChinese() const { return m_chinese; }
    void setThemeMode(ThemeMode mode);
    void setDensity(Density density);
    Density density() const { return m_density; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void build();
    void bind();
    void addKeys();
    void retranslate();
    void placeFloating();
    void showStatus();
    void showClock();
    void showLive();
    void showPage();
    void openPoolMenu();
    void stepRegion(bool forward);
    void restore();
    void save();
    QList<PaletteCommand> commands(const QString &query);
    void addSelectionCommands(QList<PaletteCommand> &list);
    void addFoundCards(QList<PaletteCommand> &list, const QString &query);

    Services m_services;
    Theme &m_theme;
    InventoryController &m_inventory;
    SideRail *m_rail;
    TopBar *m_topBar;
    QStackedWidget *m_pages;
    WelcomePage *m_welcome;
    ToastStack *m_toasts;
    InventoryPane *m_inventoryPane = nullptr;
    StatusLine *m_status;
    CommandPalette *m_palette = nullptr;
    ConnectionsDialog *m_connectionsDialog = nullptr;
    SettingsDialog *m_settingsDialog = nullptr;
    QMenu *m_menu;
    QTimer m_clockTimer;
    Density m_density = Density::Regular;
    bool m_painted = false;
    bool m_chinese = false;
    bool m_singleKeys = true;
    bool m_reducedMotion = false;
};

} // namespace tongchi
