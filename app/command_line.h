#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <chrono>
#include <optional>

namespace tongchi {

/// Exit codes of every verb.
enum ExitCode { ExitDone = 0, ExitFailed = 1, ExitUsage = 2, ExitPartial = 3, ExitCheckFailed = 4 };

enum class Verb { Console, PoolServe, Inventory, Screenshot, Help, Version };
enum class OutputFormat { Table, Json, Csv, Yaml };

/// What was typed. No verb: the console's window.
struct CommandLine
{
    Verb verb = Verb::Console;

    // Common
    QStringList kubeconfigs;
    QStringList contexts;
    bool allContexts = false;
    bool embedded = false;
    OutputFormat output = OutputFormat::Table;
    QString language; ///< "en", "zh"; empty: settings, then the system's
    std::chrono::milliseconds timeout{60'000};
    QStringList prometheus; ///< [CLUSTER=]URL
    QString filter;
    bool allowExec = false; ///< run the kubeconfig's credential plug-ins without having asked before

    // inventory
    bool watch = false;

    // pool serve, and the pool of --embedded
    int cards = 7'500;
    int clusters = 3;
    quint64 seed = 1;
    double speed = 1.0;
    quint16 port = 0;
    QString faultPlan;
    QString writeKubeconfig;

    // screenshot
    QString pane = QStringLiteral("cards");
    QString file;
    QString theme; ///< "light", "dark"; empty: settings
    QSize size{1440, 900};
    double scale = 1.0;
    QString density;
    int select = 0; ///< so many rows selected
    bool drawer = false;
};

struct ParsedCommandLine
{
    CommandLine command;
    QString error; ///< not empty: usage, exit code 2
};

/// `arguments` without the program's name. English messages; unknown options are errors.
ParsedCommandLine parseCommandLine(const QStringList &arguments);

/// The help text, in English; the man page says the same.
QString helpText();

/// How many panes there are to be pictured, by name.
QStringList paneNames();

} // namespace tongchi
