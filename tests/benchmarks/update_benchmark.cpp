// 10,000 card updates a second at 100,000 cards while the operator scrolls: how long each handler of the GUI
// thread takes, from the event's arrival to its return, painting included.
//
//   build/bench/tests/benchmarks/update_benchmark [CARDS] [UPDATES A SECOND]
//
// Twelve seconds, warm. The deltas are made before the run, as a cluster's thread makes them.

#include "tests/support/wait.h"
#include "tests/ui/sample_pool.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <map>
#include <time.h>

using namespace tongchi;
using namespace tongchi::test;

namespace {

/// CPU time of this thread, in milliseconds: what a handler costs, whoever else wants the core.
double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Times every outermost handler.
class TimedApplication final : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject *receiver, QEvent *event) override
    {
        if (!recording || m_depth > 0)
            return QApplication::notify(receiver, event);
        const auto type = event->type();
        const char *const name = receiver->metaObject()->className();
        const double begun = threadMilliseconds();
        ++m_depth;
        const bool handled = QApplication::notify(receiver, event);
        --m_depth;
        const double took = threadMilliseconds() - begun;
        handlers.push_back(took);
        byKind[{name, int(type)}].push_back(took);
        return handled;
    }

    bool recording = false;
    std::vector<double> handlers;
    std::map<std::pair<std::string, int>, std::vector<double>> byKind;

private:
    int m_depth = 0;
};

double shareOf(std::vector<double> sorted, double share)
{
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0
                          : sorted[std::min(sorted.size() - 1, std::size_t(double(sorted.size()) * share))];
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication application(argc, argv);
    const int cards = argc > 1 ? std::max(800, std::atoi(argv[1])) : 100'000;
    const int perSecond = argc > 2 ? std::max(10, std::atoi(argv[2])) : 10'000;
    SampleWindow sample;
    sample.open();
    sample.window->resize(1440, 900);
    sample.window->show();
    sample.fillFleet(cards / 8, 2);
    CardTableView &table = *sample.window->inventoryPane()->tableView();
    table.grab();

    // One second of updates in ten deltas a cluster, again and again with other values.
    struct Batch
    {
        FakeSource *to;
        InventoryDelta delta;
    };
    std::vector<Batch> batches;
    for (int tenth = 0; tenth < 10; ++tenth) {
        for (std::size_t c = 0; c < sample.clusters.size(); ++c) {
            InventoryDelta delta;
            delta.clusterId = sample.clusters[c]->clusterId();
            const std::uint32_t inCluster = std::uint32_t(sample.builders[c]->cardCount());
            const std::uint32_t share =
                std::uint32_t(std::uint64_t(inCluster) * unsigned(perSecond) / 10 / unsigned(cards));
            for (std::uint32_t i = 0; i < share; ++i) {
                const std::uint32_t ordinal = (std::uint32_t(tenth) * 7919 + i * 13) % inCluster;
                delta.telemetry.push_back(sample.builders[c]->telemetry(
                    ordinal, float((ordinal + unsigned(tenth) * 9) % 100), sample.clock.now()));
            }
            batches.push_back({sample.clusters[c], std::move(delta)});
        }
    }

    std::size_t next = 0;
    std::size_t updates = 0;
    QTimer feed;
    feed.setTimerType(Qt::PreciseTimer);
    const int perTenth = int(sample.clusters.size());
    QObject::connect(&feed, &QTimer::timeout, [&] {
        for (int i = 0; i < perTenth; ++i) {
            Batch &batch = batches[next++ % batches.size()];
            updates += batch.delta.telemetry.size();
            batch.to->send(batch.delta);
        }
    });
    QTimer scroll;
    scroll.setTimerType(Qt::PreciseTimer);
    int frames = 0;
    QObject::connect(&scroll, &QTimer::timeout, [&] {
        QScrollBar &bar = *table.verticalScrollBar();
        bar.setValue((bar.value() + 37 * (frames++ % 5)) % std::max(1, bar.maximum()));
        sample.clock.advance(std::chrono::milliseconds(16));
    });
    QElapsedTimer run;
    QTimer::singleShot(2'000, &application, [&] { // the first seconds warm caches up
        application.recording = true;
        updates = 0;
        frames = 0;
        run.start();
    });
    double seconds = 0;
    QTimer::singleShot(12'000, &application, [&] {
        application.recording = false;
        seconds = double(run.nsecsElapsed()) / 1e9;
        QCoreApplication::quit();
    });
    feed.start(100);
    scroll.start(16);
    QApplication::exec();

    std::printf(
        "%.0f card updates a second at %u cards, %.0f scroll steps a second: %zu handlers of the GUI thread, "
        "median %.2f ms, p99 %.2f ms (limit 4), longest %.2f ms\n",
        double(updates) / seconds, sample.inventory.store().cardCount(), frames / seconds,
        application.handlers.size(), shareOf(application.handlers, 0.5), shareOf(application.handlers, 0.99),
        shareOf(application.handlers, 1));
    for (const auto &[kind, times] : application.byKind) {
        if (shareOf(times, 1) > 1)
            std::printf("  %s, event %d: %zu, median %.2f ms, p90 %.2f ms, longest %.2f ms\n",
                        kind.first.c_str(), kind.second, times.size(), shareOf(times, 0.5),
                        shareOf(times, 0.9), shareOf(times, 1));
    }
    return 0;
}
