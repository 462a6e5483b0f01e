#include "app/command_line.h"

#include <QLocale>
#include <cmath>
#include <functional>

namespace tongchi {
namespace {

struct Option
{
    const char *name;
    bool takesValue;
    std::function<bool(CommandLine &, const QString &)> set;
};

bool readInteger(const QString &text, qint64 least, qint64 most, qint64 &value)
{
    bool ok = false;
    value = text.toLongLong(&ok);
    return ok && value >= least && value <= most;
}

const QList<Option> &optionTable()
{
    static const QList<Option> options{
        {"kubeconfig", true,
         [](CommandLine &c, const QString &v) {
             c.kubeconfigs << v;
             return !v.isEmpty();
         }},
        {"context", true,
         [](CommandLine &c, const QString &v) {
             c.contexts << v;
             return !v.isEmpty();
         }},
        {"all-contexts", false, [](CommandLine &c, const QString &) { return c.allContexts = true; }},
        {"embedded", false, [](CommandLine &c, const QString &) { return c.embedded = true; }},
        {"output", true,
         [](CommandLine &c, const QString &v) {
             if (v == QLatin1String("table"))
                 c.output = OutputFormat::Table;
             else if (v == QLatin1String("json"))
                 c.output = OutputFormat::Json;
             else if (v == QLatin1String("csv"))
                 c.output = OutputFormat::Csv;
             else if (v == QLatin1String("yaml"))
                 c.output = OutputFormat::Yaml;
             else
                 return false;
             return true;
         }},
        {"language", true,
         [](CommandLine &c, const QString &v) {
             c.language = v.left(2).toLower();
             return c.language == QLatin1String("en") || c.language == QLatin1String("zh");
         }},
        {"timeout", true,
         [](CommandLine &c, const QString &v) {
             QString text = v;
             if (text.endsWith(u's'))
                 text.chop(1);
             bool ok = false;
             const double seconds = QLocale::c().toDouble(text, &ok);
             c.timeout = std::chrono::milliseconds(qint64(seconds * 1000));
             return ok && std::isfinite(seconds) && seconds > 0 && seconds <= 86'400;
         }},
        {"prometheus", true,
         [](CommandLine &c, const QString &v) {
             c.prometheus << v;
             return !v.isEmpty();
         }},
        {"filter", true,
         [](CommandLine &c, const QString &v) {
             c.filter = v;
             return true;
         }},
        {"allow-exec", false, [](CommandLine &c, const QString &) { return c.allowExec = true; }},
        {"watch", false, [](CommandLine &c, const QString &) { return c.watch = true; }},
        {"cards", true,
         [](CommandLine &c, const QString &v) {
             qint64 n = 0;
             const bool ok = readInteger(v, 1, 200'000, n);
             c.cards = int(n);
             return ok;
         }},
        {"clusters", true,
         [](CommandLine &c, const QString &v) {
             qint64 n = 0;
             const bool ok = readInteger(v, 1, 16, n);
             c.clusters = int(n);
             return ok;
         }},
        {"seed", true,
         [](CommandLine &c, const QString &v) {
             bool ok = false;
             c.seed = v.toULongLong(&ok);
             return ok;
         }},
        {"speed", true,
         [](CommandLine &c, const QString &v) {
             bool ok = false;
             c.speed = QLocale::c().toDouble(v, &ok);
             return ok && std::isfinite(c.speed) && c.speed > 0 && c.speed <= 86'400;
         }},
        {"port", true,
         [](CommandLine &c, const QString &v) {
             qint64 n = 0;
             const bool ok = readInteger(v, 0, 65'535, n);
             c.port = quint16(n);
             return ok;
         }},
        {"fault-plan", true,
         [](CommandLine &c, const QString &v) {
             c.faultPlan = v;
             return !v.isEmpty();
         }},
        {"write-kubeconfig", true,
         [](CommandLine &c, const QString &v) {
             c.writeKubeconfig = v;
             return !v.isEmpty();
         }},
        {"theme", true,
         [](CommandLine &c, const QString &v) {
             c.theme = v;
             return v == QLatin1String("light") || v == QLatin1String("dark");
         }},
        {"size", true,
         [](CommandLine &c, const QString &v) {
             const QStringList parts = v.split(u'x');
             qint64 w = 0, h = 0;
             const bool ok = parts.size() == 2 && readInteger(parts.at(0), 200, 10'000, w) &&
                             readInteger(parts.at(1), 200, 10'000, h);
             c.size = QSize(int(w), int(h));
             return ok;
         }},
        {"scale", true,
         [](CommandLine &c, const QString &v) {
             bool ok = false;
             c.scale = QLocale::c().toDouble(v, &ok);
             return ok && c.scale >= 0.5 && c.scale <= 4;
         }},
        {"density", true,
         [](CommandLine &c, const QString &v) {
             c.density = v;
             return v == QLatin1String("compact") || v == QLatin1String("regular") ||
                    v == QLatin1String("comfortable");
         }},
        {"select", true,
         [](CommandLine &c, const QString &v) {
             qint64 n = 0;
             const bool ok = readInteger(v, 0, 1'000, n);
             c.select = int(n);
             return ok;
         }},
        {"drawer", false, [](CommandLine &c, const QString &) { return c.drawer = true; }},
    };
    return options;
}

ParsedCommandLine usageError(const QString &text)
{
    return {.command = {}, .error = text};
}

} // namespace

QStringList paneNames()
{
    return {QStringLiteral("cards"), QStringLiteral("connections")};
}

ParsedCommandLine parseCommandLine(const QStringList &arguments)
{
    CommandLine command;
    QStringList words;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments.at(i);
        if (argument == QLatin1String("-h") || argument == QLatin1String("--help")) {
            command.verb = Verb::Help;
            return {command, {}};
        }
        if (argument == QLatin1String("--version")) {
            command.verb = Verb::Version;
            return {command, {}};
        }
        if (!argument.startsWith(QLatin1String("-")) || argument == QLatin1String("-")) {
            words << argument;
            continue;
        }
        QString name = argument == QLatin1String("-o") ? QStringLiteral("output") : argument.mid(2);
        std::optional<QString> value;
        if (const qsizetype equals = name.indexOf(u'='); equals >= 0) {
            value = name.mid(equals + 1);
            name.truncate(equals);
        }
        const Option *option = nullptr;
        for (const Option &candidate : optionTable()) {
            if (name == QLatin1String(candidate.name) &&
                (argument.startsWith(QLatin1String("--")) || argument == QLatin1String("-o")))
                option = &candidate;
        }
        if (!option)
            return usageError(QStringLiteral("unknown option %1").arg(argument));
        if (option->takesValue && !value) {
            if (i + 1 >= arguments.size())
                return usageError(QStringLiteral("option %1 needs a value").arg(argument));
            value = arguments.at(++i);
        }
        if (!option->takesValue && value)
            return usageError(QStringLiteral("option --%1 takes no value").arg(name));
        if (!option->set(command, value.value_or(QString())))
            return usageError(
                QStringLiteral("“%1” is not a value of --%2").arg(value.value_or(QString()), name));
    }
    if (words.isEmpty()) {
        command.verb = Verb::Console;
    } else if (words.at(0) == QLatin1String("help")) {
        command.verb = Verb::Help;
    } else if (words.at(0) == QLatin1String("pool")) {
        if (words.size() != 2 || words.at(1) != QLatin1String("serve"))
            return usageError(QStringLiteral("the verb is “pool serve”"));
        command.verb = Verb::PoolServe;
    } else if (words.at(0) == QLatin1String("inventory")) {
        if (words.size() != 1)
            return usageError(
                QStringLiteral("inventory takes no argument “%1”; filters go to --filter").arg(words.at(1)));
        command.verb = Verb::Inventory;
    } else if (words.at(0) == QLatin1String("screenshot")) {
        command.verb = Verb::Screenshot;
        if (words.size() == 3)
            command.pane = words.at(1);
        if (words.size() < 2 || words.size() > 3)
            return usageError(QStringLiteral("screenshot needs a file: tongchi screenshot [PANE] FILE.png"));
        command.file = words.last();
        if (!paneNames().contains(command.pane))
            return usageError(QStringLiteral("no pane is called “%1”; panes are %2")
                                  .arg(command.pane, paneNames().join(QStringLiteral(", "))));
    } else {
        return usageError(QStringLiteral("unknown verb “%1”").arg(words.at(0)));
    }
    if (command.embedded && !command.kubeconfigs.isEmpty())
        return usageError(QStringLiteral("--embedded and --kubeconfig exclude each other"));
    return {command, {}};
}

QString helpText()
{
    return QStringLiteral(R"(tongchi - console for heterogeneous accelerator pools

  tongchi [OPTIONS]                    the console
  tongchi inventory [OPTIONS]          every card of the connected clusters
  tongchi pool serve [OPTIONS]         the embedded pool: simulated clusters on loopback
  tongchi screenshot [PANE] FILE.png   one pane as a picture when its data has arrived
  tongchi help | --version

Which clusters
  --kubeconfig FILE        repeatable; default KUBECONFIG, then ~/.kube/config
  --context NAME           repeatable; default the current context
  --all-contexts           every context of the files
  --embedded               the embedded pool, started in this process
  --prometheus [CLUSTER=]URL
                           where the API server's service proxy is not the way
  --allow-exec             run the kubeconfig's credential plug-ins without asking

inventory
  --output, -o table|json|csv|yaml     default table
  --filter EXPRESSION      as in the pane: 'vendor:ascend util<20 -label:idle'
  --watch                  go on and print what changes
  --timeout SECONDS        default 60

pool serve, and the pool of --embedded
  --cards N  --clusters N  --seed N  --speed X
  --port N                 first port; default any free one
  --fault-plan FILE        things that go wrong on purpose
  --write-kubeconfig FILE  one context a cluster, mode 0600

screenshot
  --size WxH  --scale X  --theme light|dark  --language en|zh
  --density compact|regular|comfortable  --select N  --drawer

Common: --language en|zh. Results go to standard output, messages to standard error.
Exit codes: 0 done, 1 failed, 2 usage, 3 a cluster or a source did not answer.
)");
}

} // namespace tongchi
