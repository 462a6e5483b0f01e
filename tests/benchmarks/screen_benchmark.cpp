// What the operator waits for on the screen: first paint, repaint, filter, sort, switch of theme and
// language. Each line gives both figures and their ratio from this run. `screen_benchmark [CARDS]`; warm but
// for the first paint, which starts a fresh process each time.

#include "models/common/formatting.h"
#include "tests/support/wait.h"
#include "tests/ui/sample_pool.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QLabel>
#include <QMainWindow>
#include <QProcess>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTranslator>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdio>

using namespace tongchi;
using namespace tongchi::test;

namespace {

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

double worstOf(const std::vector<double> &values)
{
    return *std::max_element(values.begin(), values.end());
}

template <typename Run> double milliseconds(Run run)
{
    QElapsedTimer timer;
    timer.start();
    run();
    return double(timer.nsecsElapsed()) / 1e6;
}

/// Prints the milliseconds from main() to the end of the first paint.
class FirstPaint final : public QObject
{
public:
    explicit FirstPaint(QElapsedTimer &since) : m_since(since) {}
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint && !m_done) {
            m_done = true;
            QTimer::singleShot(0, this, [this] {
                std::printf("%.2f\n", double(m_since.nsecsElapsed()) / 1e6);
                QCoreApplication::quit();
            });
        }
        return false;
    }

private:
    QElapsedTimer &m_since;
    bool m_done = false;
};

int paintOnce(int argc, char **argv, bool console)
{
    QElapsedTimer timer;
    timer.start();
    QApplication application(argc, argv);
    FirstPaint first(timer);
    if (console) {
        SampleWindow sample;
        sample.open();
        sample.window->installEventFilter(&first);
        sample.window->show();
        return QApplication::exec();
    }
    Theme theme;
    theme.install(application);
    QMainWindow window;
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->addWidget(new QLabel(QStringLiteral("Cards of the pool")));
    layout->addWidget(new QLabel(QStringLiteral("同池的算力卡")));
    window.setCentralWidget(content);
    window.resize(1440, 900);
    window.installEventFilter(&first);
    window.show();
    return QApplication::exec();
}

void firstPaint(const QString &self)
{
    std::vector<double> bare;
    std::vector<double> console;
    for (int i = 0; i < 9; ++i) {
        for (const bool ours : {false, true}) {
            QProcess process;
            process.start(self, {ours ? QStringLiteral("--paint-console") : QStringLiteral("--paint-bare")});
            process.waitForFinished(20'000);
            (ours ? console : bare).push_back(process.readAllStandardOutput().trimmed().toDouble());
        }
    }
    const double ours = medianOf(console);
    const double theirs = medianOf(bare);
    std::printf("first paint: console %.1f ms, window with two labels %.1f ms, ratio %.2f (limit 2; median "
                "of 9 fresh processes)\n",
                ours, theirs, ours / theirs);
}

/// Every column searched, as QSortFilterProxyModel does it.
class AllColumns final : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
};

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QByteArray mode = argc > 1 ? QByteArray(argv[1]) : QByteArray();
    if (mode == "--paint-console" || mode == "--paint-bare")
        return paintOnce(argc, argv, mode == "--paint-console");

    QApplication application(argc, argv);
    const int cards = mode.toInt() > 0 ? mode.toInt() : 100'000;
    firstPaint(QCoreApplication::applicationFilePath());
    {
        SampleWindow sample;
        sample.open();
        sample.window->resize(1440, 900);
        sample.window->show();
        sample.fillFleet(938);
        sample.window->grab();
        std::vector<double> themes;
        std::vector<double> languages;
        for (int i = 0; i < 5; ++i) {
            themes.push_back(milliseconds([&] {
                sample.window->setThemeMode(i % 2 ? ThemeMode::Light : ThemeMode::Dark);
                sample.window->repaint();
            }));
            languages.push_back(milliseconds([&] {
                QTranslator translator; // posts LanguageChange to every widget, as the real one does
                sample.window->setLanguage(i % 2 == 0);
                QEvent change(QEvent::LanguageChange);
                const QWidgetList all = QApplication::allWidgets();
                for (QWidget *widget : all)
                    QCoreApplication::sendEvent(widget, &change);
                sample.window->repaint();
            }));
        }
        std::printf("theme switch to painted, %d cards: %.1f ms; language switch: %.1f ms (limit 300; "
                    "slowest of 5)\n",
                    sample.inventory.table().rowCount(), worstOf(themes), worstOf(languages));
    }
    SampleWindow sample;
    sample.open();
    sample.window->resize(1440, 900);
    sample.window->show();
    sample.fillFleet(cards / 8, 2);
    CardTableView &table = *sample.window->inventoryPane()->tableView();
    table.grab();
    QImage image(table.viewport()->size(), QImage::Format_RGB32);
    std::vector<double> repaints;
    for (int i = 0; i < 40; ++i)
        repaints.push_back(milliseconds([&] { table.viewport()->render(&image); }));
    std::printf("repaint of the table, %d x %d px: median %.2f ms, slowest %.2f ms (limit 8)\n",
                image.width(), image.height(), medianOf(repaints), worstOf(repaints));

    std::vector<double> keys;
    FilterField &field = *sample.window->inventoryPane()->filterField();
    const QString word = QStringLiteral("vendor:ascend");
    std::vector<double> painting;
    for (int length = 1; length <= word.size(); ++length) {
        const double filtering = milliseconds([&] { field.setText(word.left(length)); });
        painting.push_back(milliseconds([&] { sample.window->repaint(); }));
        keys.push_back(filtering + painting.back());
    }
    field.clear();
    AllColumns proxy;
    proxy.setSourceModel(&sample.inventory.table());
    proxy.setFilterKeyColumn(-1);
    QTableView other;
    other.setModel(&proxy);
    other.resize(1184, 690);
    other.show();
    other.grab();
    std::vector<double> proxyKeys;
    for (const QString &text : {QStringLiteral("a"), QStringLiteral("as"), QStringLiteral("ascend")}) {
        proxyKeys.push_back(milliseconds([&] {
            proxy.setFilterFixedString(text);
            other.repaint();
        }));
    }
    std::printf("filter key to painted, %d rows: median %.1f ms, slowest %.1f ms (limit 16.7), of which "
                "painting the whole window %.1f ms; QSortFilterProxyModel %.0f ms, ratio %.0f (limit 20)\n",
                int(sample.inventory.store().cardCount()), medianOf(keys), worstOf(keys), medianOf(painting),
                medianOf(proxyKeys), medianOf(proxyKeys) / medianOf(keys));
    proxy.setSourceModel(nullptr);

    std::vector<double> sorts;
    for (const CardColumn column : {CardColumn::Utilization, CardColumn::Temperature, CardColumn::Card,
                                    CardColumn::Workload, CardColumn::Node}) {
        sorts.push_back(milliseconds([&] {
            table.sortByColumn(int(column), Qt::DescendingOrder);
            sample.window->repaint();
        }));
    }
    std::printf("sort to painted, %d rows: median %.1f ms, slowest %.1f ms (limit 25)\n",
                sample.inventory.table().rowCount(), medianOf(sorts), worstOf(sorts));
    return 0;
}
