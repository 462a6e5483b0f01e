#include "app/console.h"

#include "app/connections_controller.h"
#include "app/kept_settings.h"
#include "app/languages.h"
#include "app/services.h"
#include "models/common/error_text.h"
#include "models/common/formatting.h"
#include "ui/common/file_picker.h"
#include "ui/shell/main_window.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>
#include <cstdio>

namespace tongchi {
namespace {

CardQuantity quantityOf(const char *name)
{
    const QLatin1String quantity(name);
    if (quantity == QLatin1String("memory_used"))
        return CardQuantity::MemoryUsed;
    if (quantity == QLatin1String("memory_total"))
        return CardQuantity::MemoryTotal;
    if (quantity == QLatin1String("temperature"))
        return CardQuantity::Temperature;
    if (quantity == QLatin1String("power"))
        return CardQuantity::Power;
    if (quantity == QLatin1String("health"))
        return CardQuantity::Health;
    return CardQuantity::Utilization;
}

} // namespace

struct Console::Private
{
    Private(QApplication &app, const CommandLine &line)
        : application(app), command(line), kept(line.verb == Verb::Screenshot)
    {
    }

    QApplication &application;
    CommandLine command;
    KeptSettings kept;
    Languages languages;
    Theme theme;
    Services services;
    NativeFilePicker files;
    std::unique_ptr<InventoryController> inventory;
    std::unique_ptr<NodeActionController> actions;
    std::unique_ptr<ConnectionsController> connections;
    std::unique_ptr<MainWindow> window;

    void build()
    {
        const QString language =
            command.language.isEmpty() ? kept.window().value(QStringLiteral("language")) : command.language;
        languages.use(language);
        theme.setChinese(languages.current() == QLatin1String("zh"));
        theme.install(application);
        if (!command.theme.isEmpty())
            theme.setMode(command.theme == QLatin1String("dark") ? ThemeMode::Dark : ThemeMode::Light);
        inventory = std::make_unique<InventoryController>(services.strings, services.clock,
                                                          InventoryController::Options{});
        inventory->setFormatting(languages.formatting());
        actions = std::make_unique<NodeActionController>(*inventory, kept.auditWriter());
        connections = std::make_unique<ConnectionsController>(services, *inventory, kept.connections(),
                                                              poolOptionsOf(command));
        window = std::make_unique<MainWindow>(MainWindow::Services{
            .theme = theme,
            .inventory = *inventory,
            .actions = *actions,
            .connections = *connections,
            .files = files,
            .settings = kept.window(),
            .useLanguage = [this](const QString &code) { languages.use(code); },
            .namer =
                [this](std::uint8_t source, const char *quantity) {
                    const auto origin = services.metrics.origin(source, quantityOf(quantity));
                    return origin ? originText(origin->source, origin->series) : QString();
                }});
        QObject::connect(&languages, &Languages::changed, connections.get(),
                         &ConnectionsController::retranslate);
        QObject::connect(connections.get(), &ConnectionsController::failed, window.get(),
                         [this](const Error &error) { window->toasts().add(Tone::Crit, errorLine(error)); });
        QObject::connect(connections.get(), &ConnectionsController::pluginSaid, window.get(),
                         [this](const QString &sentence, const QString &place) {
                             window->toasts().add(Tone::Warn, sentence, place,
                                                  [this] { window->openConnections(); });
                         });
        if (!command.density.isEmpty())
            window->setDensity(command.density == QLatin1String("compact")       ? Density::Compact
                               : command.density == QLatin1String("comfortable") ? Density::Comfortable
                                                                                 : Density::Regular);
        if (!command.filter.isEmpty())
            inventory->setFilterText(command.filter);
    }

    void connectAsked()
    {
        if (command.embedded)
            connections->startDemo();
        else if (!command.kubeconfigs.isEmpty() || !command.contexts.isEmpty() || command.allContexts)
            connections->connectContexts(command);
        else if (command.verb == Verb::Console)
            connections->reconnect();
    }

    void arrange()
    {
        if (command.pane == QLatin1String("connections")) {
            window->openConnections();
            return;
        }
        CardTableView *table = window->inventoryPane()->tableView();
        if (command.select > 0 && table->model()) {
            const int last = std::min(command.select, table->model()->rowCount()) - 1;
            if (last >= 0) {
                table->selectionModel()->select(
                    QItemSelection(table->model()->index(0, 0),
                                   table->model()->index(last, table->model()->columnCount() - 1)),
                    QItemSelectionModel::ClearAndSelect);
            }
        }
        if (command.drawer && table->model() && table->model()->rowCount() > 0) {
            // The rows that --select chose stay chosen.
            table->selectionModel()->setCurrentIndex(table->model()->index(0, 0),
                                                     command.select > 0 ? QItemSelectionModel::NoUpdate
                                                                        : QItemSelectionModel::SelectCurrent |
                                                                              QItemSelectionModel::Rows);
            Q_EMIT table->activated(table->model()->index(0, 0));
        }
    }
};

Console::Console(QApplication &application, const CommandLine &command)
    : d(std::make_unique<Private>(application, command))
{
    d->build();
}

Console::~Console()
{
    d->window.reset();
    d->connections.reset();
    d->actions.reset();
    d->inventory.reset();
}

int Console::run()
{
    d->window->show();
    for (const QString &note : d->kept.notes())
        d->window->toasts().add(Tone::Warn, note);
    // Nothing is contacted before the first paint.
    QTimer::singleShot(0, d->window.get(), [this] { d->connectAsked(); });
    return QApplication::exec();
}

int Console::screenshot()
{
    for (const FilterToken &token : d->inventory->filterTokens()) {
        if (token.error) {
            std::fprintf(stderr, "tongchi: %s\n", errorLine(*token.error).toUtf8().constData());
            return ExitUsage;
        }
    }
    const QFileInfo file(d->command.file);
    if (!QDir().mkpath(file.absolutePath())) {
        std::fprintf(stderr, "tongchi: the folder %s cannot be made\n",
                     file.absolutePath().toUtf8().constData());
        return ExitFailed;
    }
    d->theme.setReducedMotion(true);
    d->window->resize(d->command.size);
    d->window->show();
    QObject context;
    const auto take = [this, file] {
        d->inventory->table().sortNow();
        d->arrange();
        // The layout of what was just opened settles in the event loop.
        QTimer::singleShot(200, d->window.get(), [this, file] {
            const bool saved = d->window->grab().save(file.absoluteFilePath(), "PNG");
            if (!saved)
                std::fprintf(stderr, "tongchi: %s cannot be written\n",
                             file.absoluteFilePath().toUtf8().constData());
            const bool partial = !d->inventory->sources().isEmpty() && d->inventory->isPartial();
            QApplication::exit(!saved ? ExitFailed : partial ? ExitPartial : ExitDone);
        });
    };
    const bool hasClusters = d->command.embedded || !d->command.kubeconfigs.isEmpty() ||
                             !d->command.contexts.isEmpty() || d->command.allContexts;
    if (hasClusters) {
        QObject::connect(
            d->inventory.get(), &InventoryController::completed, &context, [this, &context, take] {
                // The hour before follows the model; a picture without it says less, but is no failure.
                const auto once = std::make_shared<bool>(false);
                const auto takeOnce = [once, take] {
                    if (!std::exchange(*once, true))
                        take();
                };
                const auto takeWhenWhole = [this, takeOnce] {
                    if (d->inventory->isHistoryComplete())
                        takeOnce();
                };
                QObject::connect(d->inventory.get(), &InventoryController::statusChanged, &context,
                                 takeWhenWhole);
                constexpr auto patience = std::chrono::seconds(8);
                QTimer::singleShot(std::min<std::chrono::milliseconds>(patience, d->command.timeout / 2),
                                   &context, takeOnce);
                takeWhenWhole();
            });
    } else
        QTimer::singleShot(0, &context, take);
    QTimer::singleShot(d->command.timeout, &context, [this] {
        std::fprintf(stderr, "tongchi: the data of the pane %s did not arrive within the timeout\n",
                     d->command.pane.toUtf8().constData());
        QApplication::exit(ExitFailed);
    });
    QObject::connect(d->connections.get(), &ConnectionsController::failed, &context, [](const Error &error) {
        std::fprintf(stderr, "tongchi: %s\n", errorLine(error).toUtf8().constData());
        QApplication::exit(ExitFailed);
    });
    QTimer::singleShot(0, &context, [this] { d->connectAsked(); });
    return QApplication::exec();
}

} // namespace tongchi
