#include "app/command_options.h"

#include <QLocale>
#include <QUrl>
#include <QtCore/qcoreapplication.h>
#include <cmath>

namespace tongchi {
namespace {

constexpr const char *notWhole =
    QT_TRANSLATE_NOOP("Error", "“%1” is no value of --%2: it takes a whole number from %3 to %4.");
constexpr const char *notNumber =
    QT_TRANSLATE_NOOP("Error", "“%1” is no value of --%2: it takes a number from %3 to %4.");
constexpr const char *notSeconds =
    QT_TRANSLATE_NOOP("Error", "“%1” is no value of --%2: it takes seconds, from %3 to %4.");
constexpr const char *notWord = QT_TRANSLATE_NOOP("Error", "“%1” is no value of --%2: it takes one of %3.");
constexpr const char *notSize =
    QT_TRANSLATE_NOOP("Error", "“%1” is no value of --%2: it takes WIDTHxHEIGHT in pixels, from %3 to %4.");
constexpr const char *notAddress = QT_TRANSLATE_NOOP(
    "Error", "“%1” is no value of --%2: it takes an http or https URL, or CLUSTER=URL, like "
             "beijing=https://prometheus.example:9090.");
constexpr const char *isEmptyValue = QT_TRANSLATE_NOOP("Error", "The value of --%2 is empty.");

bool readInteger(const QString &text, qint64 least, qint64 most, qint64 &value)
{
    bool ok = false;
    value = text.toLongLong(&ok);
    return ok && value >= least && value <= most;
}

bool readNumber(const QString &text, double least, double most, double &value)
{
    bool ok = false;
    value = QLocale::c().toDouble(text, &ok);
    return ok && std::isfinite(value) && value >= least && value <= most;
}

template <typename T>
CommandOption wholeOption(const char *name, OptionGroup group, unsigned verbs, const char *help,
                          T CommandLine::*field, qint64 least, qint64 most)
{
    return {name,
            "N",
            group,
            verbs,
            help,
            [field, least, most](CommandLine &c, const QString &v) {
                qint64 n = 0;
                const bool ok = readInteger(v, least, most, n);
                c.*field = T(n);
                return ok;
            },
            notWhole,
            {QString::number(least), QString::number(most)}};
}

CommandOption textOption(const char *name, const char *value, OptionGroup group, unsigned verbs,
                         const char *help, QString CommandLine::*field)
{
    return {name,
            value,
            group,
            verbs,
            help,
            [field](CommandLine &c, const QString &v) {
                c.*field = v;
                return !v.isEmpty();
            },
            isEmptyValue};
}

CommandOption listOption(const char *name, const char *value, OptionGroup group, unsigned verbs,
                         const char *help, QStringList CommandLine::*field)
{
    return {name,
            value,
            group,
            verbs,
            help,
            [field](CommandLine &c, const QString &v) {
                c.*field << v;
                return !v.isEmpty();
            },
            isEmptyValue};
}

/// `value`: the words as the help text has them, with "|" between.
CommandOption wordOption(const char *name, const char *value, OptionGroup group, unsigned verbs,
                         const char *help, std::function<void(CommandLine &, qsizetype)> set)
{
    const QStringList words = QString::fromLatin1(value).split(u'|');
    return {name,
            value,
            group,
            verbs,
            help,
            [words, set = std::move(set)](CommandLine &c, const QString &v) {
                const qsizetype at = words.indexOf(v);
                if (at >= 0)
                    set(c, at);
                return at >= 0;
            },
            notWord,
            {words.join(QStringLiteral(", "))}};
}

CommandOption flagOption(const char *name, OptionGroup group, unsigned verbs, const char *help,
                         bool CommandLine::*field)
{
    return {name,  nullptr, group,
            verbs, help,    [field](CommandLine &c, const QString &) { return c.*field = true; }};
}

bool setLanguage(CommandLine &c, const QString &text)
{
    // A locale's name counts as its language: zh_CN.UTF-8, zh-Hans, en_GB.
    const QString lower = text.toLower();
    const bool alone = lower.size() == 2 || (lower.size() > 2 && QStringLiteral("_-.").contains(lower.at(2)));
    c.language = lower.left(2);
    return alone && (c.language == QLatin1String("en") || c.language == QLatin1String("zh"));
}

bool setTimeout(CommandLine &c, const QString &text)
{
    double seconds = 0;
    const bool ok = readNumber(text.endsWith(u's') ? text.chopped(1) : text, 0.001, 86'400, seconds);
    if (ok)
        c.timeout = std::chrono::milliseconds(qint64(std::round(seconds * 1000)));
    return ok;
}

bool addKubeconfig(CommandLine &c, const QString &text)
{
    c.kubeconfigs << text;
    QString names = text; // a list with ":", as in KUBECONFIG; one without a name would mean the default
    return !names.remove(u':').trimmed().isEmpty();
}

bool addPrometheus(CommandLine &c, const QString &text)
{
    const QUrl url(prometheusEntry(text).url);
    c.prometheus << text;
    return url.isValid() && !url.host().isEmpty() &&
           (url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https"));
}

bool setSeed(CommandLine &c, const QString &text)
{
    bool ok = false;
    c.seed = text.toULongLong(&ok);
    return ok;
}

/// The window takes no smaller size.
constexpr int leastWidth = 1120, leastHeight = 700, mostSide = 10'000;

bool setSize(CommandLine &c, const QString &text)
{
    const QStringList parts = text.split(u'x');
    qint64 w = 0, h = 0;
    const bool ok = parts.size() == 2 && readInteger(parts[0], leastWidth, mostSide, w) &&
                    readInteger(parts[1], leastHeight, mostSide, h);
    c.size = QSize(int(w), int(h));
    return ok;
}

QList<CommandOption> makeCommandOptions()
{
    using Group = OptionGroup;
    const unsigned pool = InPoolServe | InCards;
    return {
        {"kubeconfig", "FILE", Group::Clusters, InCards,
         QT_TRANSLATE_NOOP("Help", "repeatable; else KUBECONFIG, then ~/.kube/config"), addKubeconfig,
         isEmptyValue},
        listOption("context", "NAME", Group::Clusters, InCards,
                   QT_TRANSLATE_NOOP("Help", "repeatable; else the current context"), &CommandLine::contexts),
        flagOption("all-contexts", Group::Clusters, InCards,
                   QT_TRANSLATE_NOOP("Help", "every context of the files"), &CommandLine::allContexts),
        flagOption("embedded", Group::Clusters, InCards,
                   QT_TRANSLATE_NOOP("Help", "the embedded pool, started in this process"),
                   &CommandLine::embedded),
        {"prometheus", "[CLUSTER=]URL", Group::Clusters, InCards,
         QT_TRANSLATE_NOOP("Help", "repeatable; where the API server's service proxy is not the way"),
         addPrometheus, notAddress},
        flagOption("allow-exec", Group::Clusters, InCards,
                   QT_TRANSLATE_NOOP("Help", "run the kubeconfig's credential plug-ins without asking"),
                   &CommandLine::allowExec),
        {"filter", "EXPRESSION", Group::Clusters, InCards,
         QT_TRANSLATE_NOOP("Help", "as in the pane: 'vendor:ascend util<20 -label:idle'"),
         [](CommandLine &c, const QString &v) {
             c.filter = v;
             return true;
         }},
        wordOption("output", "table|json|csv|yaml", Group::Inventory, InInventory,
                   QT_TRANSLATE_NOOP("Help", "also -o; default table"),
                   [](CommandLine &c, qsizetype at) {
                       constexpr OutputFormat formats[] = {OutputFormat::Table, OutputFormat::Json,
                                                           OutputFormat::Csv, OutputFormat::Yaml};
                       c.output = formats[at];
                   }),
        flagOption("watch", Group::Inventory, InInventory,
                   QT_TRANSLATE_NOOP("Help", "go on and print what changes"), &CommandLine::watch),
        {"timeout",
         "SECONDS",
         Group::Clusters,
         InInventory | InScreenshot,
         QT_TRANSLATE_NOOP("Help", "how long inventory and screenshot wait; default 60"),
         setTimeout,
         notSeconds,
         {QStringLiteral("0.001"), QStringLiteral("86400")}},
        wholeOption("cards", Group::Pool, pool, QT_TRANSLATE_NOOP("Help", "1 to 200000; default 7500"),
                    &CommandLine::cards, 1, 200'000),
        wholeOption("clusters", Group::Pool, pool, QT_TRANSLATE_NOOP("Help", "1 to 16; default 3"),
                    &CommandLine::clusters, 1, 16),
        {"seed",
         "N",
         Group::Pool,
         pool,
         QT_TRANSLATE_NOOP("Help", "another number makes another pool; default 1"),
         setSeed,
         notWhole,
         {QStringLiteral("0"), QStringLiteral("18446744073709551615")}},
        {"speed",
         "X",
         Group::Pool,
         pool,
         QT_TRANSLATE_NOOP("Help", "how fast the pool's clock runs, 0.001 to 86400; default 1"),
         [](CommandLine &c, const QString &v) { return readNumber(v, 0.001, 86'400, c.speed); },
         notNumber,
         {QStringLiteral("0.001"), QStringLiteral("86400")}},
        wholeOption("port", Group::Pool, pool,
                    QT_TRANSLATE_NOOP("Help", "first port, 1 to 65535; default 0, any free one"),
                    &CommandLine::port, 0, 65'535),
        textOption("fault-plan", "FILE", Group::Pool, pool,
                   QT_TRANSLATE_NOOP("Help", "things that go wrong on purpose"), &CommandLine::faultPlan),
        textOption("write-kubeconfig", "FILE", Group::Pool, InPoolServe,
                   QT_TRANSLATE_NOOP("Help", "pool serve alone: one context a cluster, mode 0600"),
                   &CommandLine::writeKubeconfig),
        {"size",
         "WxH",
         Group::Screenshot,
         InScreenshot,
         QT_TRANSLATE_NOOP("Help", "of the window, 1120x700 to 10000x10000; default 1440x900"),
         setSize,
         notSize,
         {QStringLiteral("1120x700"), QStringLiteral("10000x10000")}},
        {"scale",
         "X",
         Group::Screenshot,
         InScreenshot,
         QT_TRANSLATE_NOOP("Help", "pixels of the picture for one of the window, 0.5 to 4; default 1"),
         [](CommandLine &c, const QString &v) { return readNumber(v, 0.5, 4, c.scale); },
         notNumber,
         {QStringLiteral("0.5"), QStringLiteral("4")}},
        wholeOption("select", Group::Screenshot, InScreenshot,
                    QT_TRANSLATE_NOOP("Help", "so many rows are selected, 0 to 1000; default 0"),
                    &CommandLine::select, 0, 1'000),
        flagOption("drawer", Group::Screenshot, InScreenshot,
                   QT_TRANSLATE_NOOP("Help", "with the drawer of the first card"), &CommandLine::drawer),
        wordOption("theme", "light|dark", Group::Screenshot, InConsole | InScreenshot,
                   QT_TRANSLATE_NOOP("Help", "default: as last chosen, else the system's"),
                   [](CommandLine &c, qsizetype at) {
                       c.theme = at == 0 ? QStringLiteral("light") : QStringLiteral("dark");
                   }),
        wordOption("density", "compact|regular|comfortable", Group::Screenshot, InConsole | InScreenshot,
                   QT_TRANSLATE_NOOP("Help", "height of the rows"),
                   [](CommandLine &c, qsizetype at) {
                       c.density = at == 0   ? QStringLiteral("compact")
                                   : at == 1 ? QStringLiteral("regular")
                                             : QStringLiteral("comfortable");
                   }),
        {"language",
         "en|zh",
         Group::Common,
         InAll,
         QT_TRANSLATE_NOOP("Help", "else that of the locale (LC_ALL, LC_MESSAGES, LANG)"),
         setLanguage,
         notWord,
         {QStringLiteral("en, zh")}},
    };
}

} // namespace

const QList<CommandOption> &commandOptions()
{
    static const QList<CommandOption> options = makeCommandOptions();
    return options;
}

const CommandOption *findCommandOption(const QString &name)
{
    for (const CommandOption &option : commandOptions()) {
        if (name == QLatin1String(option.name))
            return &option;
    }
    return nullptr;
}

OptionVerbs optionVerb(Verb verb)
{
    switch (verb) {
    case Verb::Console:
        return InConsole;
    case Verb::Inventory:
        return InInventory;
    case Verb::PoolServe:
        return InPoolServe;
    case Verb::Screenshot:
        return InScreenshot;
    case Verb::Help:
    case Verb::Version:
        break;
    }
    return InHelp;
}

} // namespace tongchi
