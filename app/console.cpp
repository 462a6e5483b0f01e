#include "app/console.h"

#include "app/connections_controller.h"
#include "app/kept_settings.h"
#include "app/languages.h"
#include "app/services.h"
#include "app/terminal.h"
#include "app/verb_inventory.h"
#include "models/common/error_text.h"
#include "models/common/formatting.h"
#include "platform/kubernetes/kubeconfig_loader.h"
#include "ui/common/file_picker.h"
#include "ui/shell/main_window.h"
#include "widgets/feedback/toast_stack.h"
#include "widgets/tables/card_table_view.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>
#include <algorithm>

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

    bool isAskedForContexts() const
    {
        return !command.kubeconfigs.isEmpty() || !command.contexts.isEmpty() || command.allContexts;
    }
    bool isAskedForClusters() const { return command.embedded || isAskedForContexts(); }

    /// A mistyped name has to be told in the terminal where it was typed, before there is a window. The files
    /// are read again when the window is there; they are small.
    Status checkPrometheus() const
    {
        const bool named =
            std::any_of(command.prometheus.begin(), command.prometheus.end(),
                        [](const QString &entry) { return !prometheusEntry(entry).cluster.isEmpty(); });
        if (!named || !isAskedForContexts())
            return {};
        const auto chosen =
            chosenContexts(loadKubeconfig(kubeconfigSearch(kubeconfigFilesOf(command.kubeconfigs))), command);
        if (!chosen)
            return {}; // told when the contexts are connected
        QStringList names;
        for (const KubeContext &context : *chosen)
            names << context.name;
        return checkPrometheusNames(command.prometheus, names);
    }

    static Status checkPictureFile(const QFileInfo &file)
    {
        Error error{.code = ErrorCode::Storage, .subject = file.absoluteFilePath()};
        if (file.isDir()) {
            error.text = QT_TRANSLATE_NOOP("Error", "This is a folder.");
            error.remedy = QT_TRANSLATE_NOOP("Error", "Name a file in it.");
        } else if (!QDir().mkpath(file.absolutePath())) {
            error.text = QT_TRANSLATE_NOOP("Error", "The folder of the picture cannot be made.");
        } else if (file.exists() ? !file.isWritable() : !QFileInfo(file.absolutePath()).isWritable()) {
            error.text = QT_TRANSLATE_NOOP("Error", "The picture cannot be written.");
        } else {
            return {};
        }
        return failure(error);
    }

    int takePicture(const QFileInfo &file)
    {
        // Made in memory first: the PNG library has its own word for a full disk.
        QByteArray picture;
        QBuffer buffer(&picture);
        QFile out(file.absoluteFilePath());
        const bool written = buffer.open(QIODevice::WriteOnly) && window->grab().save(&buffer, "PNG") &&
                             out.open(QIODevice::WriteOnly) && out.write(picture) == picture.size() &&
                             out.flush();
        if (!written) {
            tell(Error{.code = ErrorCode::Storage,
                       .text = QT_TRANSLATE_NOOP("Error", "The picture cannot be written."),
                       .subject = file.absoluteFilePath()});
            return ExitFailed;
        }
        if (!printResult(file.absoluteFilePath().toUtf8() + '\n'))
            return ExitFailed;
        for (const ClusterStatus &status : inventory->statuses())
            tellFailures(status, false);
        return !inventory->sources().isEmpty() && inventory->isPartial() ? ExitPartial : ExitDone;
    }

    void connectAsked()
    {
        if (command.embedded)
            connections->startPool(command.contexts);
        else if (isAskedForContexts())
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

    /// What arrange() opened has its answers: a test of a connection, the right to act on the chosen nodes.
    bool isArranged()
    {
        if (command.pane == QLatin1String("connections"))
            return !connections->isTesting();
        std::vector<CardIndex> chosen;
        const int last = std::max(command.select, command.drawer ? 1 : 0);
        for (int row = 0; row < std::min(last, inventory->table().rowCount()); ++row)
            chosen.push_back(inventory->table().cardAt(row));
        return chosen.empty() || actions->allowed(chosen).known;
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
    if (const Status good = d->checkPrometheus(); !good) {
        tell(good.error());
        return ExitUsage;
    }
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
            tell(*token.error);
            return ExitUsage;
        }
    }
    if (const Status good = d->checkPrometheus(); !good) {
        tell(good.error());
        return ExitUsage;
    }
    const QFileInfo file(d->command.file);
    if (const Status good = d->checkPictureFile(file); !good) { // before the wait for the data
        tell(good.error());
        return ExitFailed;
    }
    d->theme.setReducedMotion(true);
    d->window->resize(d->command.size);
    d->window->show();
    QObject context;
    const auto shoot = [this, file, shot = std::make_shared<bool>(false)] {
        if (std::exchange(*shot, true))
            return;
        // The layout of what was just opened settles in the event loop.
        QTimer::singleShot(200, d->window.get(), [this, file] { QApplication::exit(d->takePicture(file)); });
    };
    const auto take = [this, shoot, &context] {
        d->inventory->table().sortNow();
        d->arrange();
        const auto shootWhenArranged = [this, shoot] {
            if (d->isArranged())
                shoot();
        };
        QObject::connect(d->actions.get(), &NodeActionController::permissionChanged, &context,
                         shootWhenArranged);
        QObject::connect(d->connections.get(), &ConnectionsController::changed, &context, shootWhenArranged);
        constexpr auto patience = std::chrono::seconds(5); // a picture of the question is no failure
        QTimer::singleShot(patience, &context, shoot);
        // A test that arrange() asked for begins when its file has been read.
        QTimer::singleShot(d->command.pane == QLatin1String("connections") ? 500 : 0, &context,
                           shootWhenArranged);
    };
    if (d->isAskedForClusters()) {
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
        tell(QCoreApplication::translate("Terminal",
                                         "The data of the pane %1 did not arrive within the timeout.")
                 .arg(d->command.pane));
        for (const ClusterStatus &status : d->inventory->statuses())
            tellFailures(status, true);
        QApplication::exit(ExitFailed);
    });
    QObject::connect(d->connections.get(), &ConnectionsController::failed, &context, [](const Error &error) {
        tell(error);
        QApplication::exit(ExitFailed);
    });
    QTimer::singleShot(0, &context, [this] { d->connectAsked(); });
    return QApplication::exec();
}

} // namespace tongchi
