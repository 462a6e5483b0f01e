#pragma once

#include "platform/core/error.h"
#include "platform/core/result.h"

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
    std::optional<Verb> topic; ///< what help is asked for; none: everything

    // Common
    QStringList kubeconfigs;
    QStringList contexts;
    bool allContexts = false;
    bool embedded = false;
    OutputFormat output = OutputFormat::Table;
    QString language; ///< "en", "zh"; empty: settings, then the locale's
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
    CommandLine command;        ///< with an error: the language alone
    std::optional<Error> error; ///< usage, exit code 2
};

/// `arguments` without the program's name. What is unknown, belongs to another verb or would have no effect
/// is an error.
ParsedCommandLine parseCommandLine(const QStringList &arguments);

/// What the system hands over, as text. Error Invalid for bytes that are not UTF-8: they would become other
/// names.
[[nodiscard]] Result<QStringList> decodeArguments(const QList<QByteArray> &arguments);

/// The help text of one verb, or of all, in the language of the installed translators; the man page says the
/// same.
QString helpText(std::optional<Verb> topic = {});

/// "pool serve"; empty for the console.
QString verbName(Verb verb);

/// How many panes there are to be pictured, by name.
QStringList paneNames();

/// [CLUSTER=]URL in its two parts. A name may hold slashes and colons, as those of EKS do.
struct PrometheusEntry
{
    QString cluster; ///< empty: every one
    QString url;
};
PrometheusEntry prometheusEntry(const QString &text);

} // namespace tongchi
