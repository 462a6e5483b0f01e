// Paints the window over made-up clusters to PNG files: pane_pictures FOLDER [zh.qm]. Not a test; for looking
// at.

#include "tests/support/wait.h"
#include "tests/ui/sample_pool.h"
#include "ui/inventory/card_drawer.h"
#include "ui/shell/command_palette.h"
#include "widgets/feedback/scrim_dialog.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QTabBar>
#include <QTranslator>

using namespace tongchi;
using namespace tongchi::test;

namespace {

void settle(int milliseconds)
{
    waitUntil([] { return false; }, std::chrono::milliseconds(milliseconds));
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    QDir().mkpath(folder);
    const auto save = [&folder](MainWindow &window, const char *name) {
        settle(60);
        window.grab().save(folder + u'/' + QString::fromLatin1(name) + QStringLiteral(".png"));
    };
    QTranslator chinese;
    const bool hasChinese = argc > 2 && chinese.load(QString::fromLocal8Bit(argv[2]));
    SampleWindow sample;
    sample.settings.setValue(QStringLiteral("theme"), QStringLiteral("light"));
    sample.settings.setValue(QStringLiteral("language"), QStringLiteral("en"));
    sample.open();
    MainWindow &window = *sample.window;
    window.resize(1440, 900);
    window.show();
    save(window, "welcome-light");
    sample.connections.list = {
        {QStringLiteral("demo"), QStringLiteral("Demo pool"), QStringLiteral("runs inside this program"),
         true},
        {QStringLiteral("bj"), QStringLiteral("Beijing production"), QStringLiteral("bj-prod")},
        {QStringLiteral("wl"), QStringLiteral("Ulanqab training"), QStringLiteral("wlcb-train"), false,
         true}};
    sample.connections.current = QStringLiteral("bj");
    sample.connections.shownForm = {
        QStringLiteral("Beijing production"),
        QStringLiteral("~/.kube/config"),
        QStringLiteral("bj-prod"),
        {},
        QStringLiteral("Through the proxy proxy.example:8080, from HTTPS_PROXY.")};
    sample.connections.contextList = {{QStringLiteral("bj-prod"), QStringLiteral("10.20.0.11:6443"), {}}};
    using State = ConnectionTest::State;
    sample.connections.testList = {
        {QStringLiteral("api"),
         QStringLiteral("Kubernetes API"),
         State::Passed,
         QStringLiteral("v1.31.4 · 326 nodes · 2,608 cards"),
         {},
         QStringLiteral("18 ms"),
         {}},
        {QStringLiteral("dra"),
         QStringLiteral("Accelerators found"),
         State::Passed,
         QStringLiteral("ResourceSlices from 3 drivers, device plugins on 214 nodes"),
         {},
         QStringLiteral("41 ms"),
         {}},
        {QStringLiteral("rbac"),
         QStringLiteral("Permission"),
         State::Warning,
         QStringLiteral("May read. May not patch nodes, so cordon and labels are off."),
         {},
         {},
         QStringLiteral("Copy the RBAC rule")},
        {QStringLiteral("prom"),
         QStringLiteral("Prometheus"),
         State::Failed,
         QStringLiteral("403 from the service proxy."),
         QStringLiteral("Grant services/proxy in monitoring, or give a URL."),
         QStringLiteral("58 ms"),
         {}},
        {QStringLiteral("x"),
         QStringLiteral("Newest sample"),
         State::Running,
         QStringLiteral("waiting"),
         {},
         {},
         {}}};
    window.openConnections();
    save(window, "connections-light");
    window.setThemeMode(ThemeMode::Dark);
    save(window, "connections-dark");
    window.setThemeMode(ThemeMode::Light);
    window.findChild<ScrimDialog *>(QStringLiteral("connectionsDialog"))->closeDialog();
    sample.fillFleet(938);
    InventoryPane &pane = *window.inventoryPane();
    pane.tableView()->sortByColumn(int(CardColumn::Utilization), Qt::DescendingOrder);
    pane.filterField()->setText(QStringLiteral("region:beijing -label:idle"));
    save(window, "cards-light");
    QElapsedTimer timer;
    timer.start();
    window.setThemeMode(ThemeMode::Dark);
    window.repaint();
    std::printf("theme switch: %lld ms\n", static_cast<long long>(timer.elapsed()));
    save(window, "cards-dark");
    window.resize(1120, 700);
    save(window, "cards-dark-1120");
    window.resize(1440, 900);
    window.setDensity(Density::Compact);
    pane.filterField()->setText(QStringLiteral("vendor:ascend"));
    pane.tableView()->sortByColumn(int(CardColumn::Node), Qt::AscendingOrder);
    settle(30);
    for (int row = 8; row < 20; ++row)
        pane.tableView()->selectionModel()->select(pane.tableView()->model()->index(row, 0),
                                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    Q_EMIT pane.tableView()->rowActivated(pane.tableView()->model()->index(9, 0));
    settle(50);
    save(window, "drawer-overview-dark");
    pane.drawer()->findChild<QTabBar *>()->setCurrentIndex(1);
    save(window, "drawer-history-dark");
    if (hasChinese) {
        timer.restart();
        QCoreApplication::installTranslator(&chinese);
        window.setLanguage(true);
        settle(1);
        window.repaint();
        std::printf("language switch: %lld ms\n", static_cast<long long>(timer.elapsed()));
        save(window, "drawer-history-dark-zh");
    }
    window.openPalette();
    window.palette().editor()->setText(QStringLiteral("cor"));
    save(window, "palette-dark");
    window.palette().closePalette();
    window.setThemeMode(ThemeMode::Light);
    pane.cordonSelection(true);
    settle(200);
    save(window, "cordon-light");
    window.findChild<ScrimDialog *>(QStringLiteral("actionSheet"))->closeDialog();
    save(window, "drawer-light");
    window.toasts().add(Tone::Ok, QStringLiteral("2 nodes cordoned"), QStringLiteral("Undo"));
    window.toasts().add(Tone::Crit, QStringLiteral("1 node not changed. bj-910b-019: forbidden"), {});
    save(window, "toasts-light");
    pane.closeTopmost();
    pane.filterField()->setText(QStringLiteral("vendor:cambricon model:h100"));
    save(window, "empty-light");
    window.openSettings();
    save(window, "settings-light");
    return 0;
}
