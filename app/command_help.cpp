// The help text, made of the table of options.

#include "app/command_options.h"

#include <QCoreApplication>

namespace tongchi {
namespace {

QString helpSentence(const char *text)
{
    return QCoreApplication::translate("Help", text);
}

/// `left` and its explanation; a long `left` has the line to itself.
QString helpLine(const QString &left, const QString &right, int width)
{
    QString line = QStringLiteral("  ") + left;
    if (line.size() > width - 1)
        line += u'\n' + QString(width, u' ');
    else
        line = line.leftJustified(width);
    return line + right + u'\n';
}

QString usageLines(std::optional<Verb> topic)
{
    struct Usage
    {
        Verb verb;
        const char *form;
        const char *help;
    };
    const Usage usages[] = {
        {Verb::Console, "tongchi [OPTIONS]", QT_TRANSLATE_NOOP("Help", "the console")},
        {Verb::Inventory, "tongchi inventory [OPTIONS]",
         QT_TRANSLATE_NOOP("Help", "every card of the connected clusters")},
        {Verb::PoolServe, "tongchi pool serve [OPTIONS]",
         QT_TRANSLATE_NOOP("Help", "the embedded pool: simulated clusters on loopback")},
        {Verb::Screenshot, "tongchi screenshot [PANE] FILE.png",
         QT_TRANSLATE_NOOP("Help", "one pane as a picture when its data has arrived")},
        {Verb::Help, "tongchi help [VERB]", QT_TRANSLATE_NOOP("Help", "this text, or what one verb takes")},
        {Verb::Version, "tongchi --version", QT_TRANSLATE_NOOP("Help", "which version this is")},
    };
    QString text;
    for (const Usage &usage : usages) {
        if (!topic || usage.verb == *topic)
            text += helpLine(QLatin1String(usage.form), helpSentence(usage.help), 39);
    }
    if (topic == Verb::Screenshot) {
        //: %1 are the names of panes.
        text += u'\n' +
                helpSentence(QT_TRANSLATE_NOOP("Help", "Panes: %1. The path of the picture is printed."))
                    .arg(paneNames().join(QStringLiteral(", "))) +
                u'\n';
    }
    return text;
}

QString groupTitle(OptionGroup group)
{
    switch (group) {
    case OptionGroup::Clusters:
        return helpSentence(QT_TRANSLATE_NOOP("Help", "Which clusters, which cards"));
    case OptionGroup::Inventory:
        return helpSentence(QT_TRANSLATE_NOOP("Help", "inventory"));
    case OptionGroup::Pool:
        return helpSentence(QT_TRANSLATE_NOOP("Help", "pool serve, and the pool of --embedded"));
    case OptionGroup::Screenshot:
        return helpSentence(QT_TRANSLATE_NOOP("Help", "screenshot; --theme and --density also the console"));
    case OptionGroup::Common:
        return helpSentence(QT_TRANSLATE_NOOP("Help", "Common"));
    }
    return {};
}

} // namespace

QString helpText(std::optional<Verb> topic)
{
    QString text =
        helpSentence(QT_TRANSLATE_NOOP("Help", "tongchi - console for heterogeneous accelerator pools")) +
        QStringLiteral("\n\n") + usageLines(topic);
    const unsigned verbs = topic ? optionVerb(*topic) : unsigned(InAll);
    for (const OptionGroup group : {OptionGroup::Clusters, OptionGroup::Inventory, OptionGroup::Pool,
                                    OptionGroup::Screenshot, OptionGroup::Common}) {
        QString lines;
        for (const CommandOption &option : commandOptions()) {
            if (option.group != group || !(option.verbs & verbs))
                continue;
            QString left = QStringLiteral("--") + QLatin1String(option.name);
            if (option.value)
                left += u' ' + QLatin1String(option.value);
            lines += helpLine(left, helpSentence(option.help), 29);
        }
        if (!lines.isEmpty())
            text += u'\n' + groupTitle(group) + u'\n' + lines;
    }
    return text + u'\n' +
           helpSentence(
               QT_TRANSLATE_NOOP("Help", "Results go to standard output, messages to standard error.")) +
           u'\n' +
           helpSentence(QT_TRANSLATE_NOOP(
               "Help", "Exit codes: 0 done, 1 failed, 2 usage, 3 a cluster or a source did not answer.")) +
           u'\n';
}

} // namespace tongchi
