#include "app/command_line.h"

#include "app/command_options.h"

#include <QFileInfo>
#include <QStringDecoder>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {
namespace {

/// An option as it was typed.
struct GivenOption
{
    const CommandOption *option;
    QString value;
};

const char *usageRemedy(Verb verb)
{
    switch (verb) {
    case Verb::Inventory:
        return QT_TRANSLATE_NOOP("Error", "Look at “tongchi help inventory”.");
    case Verb::PoolServe:
        return QT_TRANSLATE_NOOP("Error", "Look at “tongchi help pool serve”.");
    case Verb::Screenshot:
        return QT_TRANSLATE_NOOP("Error", "Look at “tongchi help screenshot”.");
    case Verb::Console:
    case Verb::Help:
    case Verb::Version:
        break;
    }
    return QT_TRANSLATE_NOOP("Error", "Look at “tongchi help”.");
}

Error usageError(Verb verb, const char *text, QStringList arguments = {})
{
    return {.code = ErrorCode::Invalid,
            .text = text,
            .arguments = std::move(arguments),
            .remedy = usageRemedy(verb)};
}

bool isHelpOption(const QString &argument)
{
    return argument == QLatin1String("-h") || argument == QLatin1String("--help");
}

/// One pass over the arguments, in the order in which a person has to be told what is wrong.
class ArgumentReader
{
public:
    explicit ArgumentReader(const QStringList &arguments) : m_arguments(arguments) {}

    ParsedCommandLine read()
    {
        std::optional<Error> error = split();
        // Whoever asks for help gets it, whatever else is wrong.
        if (m_helpAsked || (error && std::any_of(m_arguments.begin(), m_arguments.end(), isHelpOption))) {
            m_command.topic = topicOf(m_words);
            m_command.verb = Verb::Help;
            error.reset();
            m_given.removeIf([](const GivenOption &given) { return given.option->verbs != InAll; });
        } else if (m_versionAsked) {
            m_command.verb = Verb::Version;
            if (!error && !m_words.isEmpty())
                error = extraArgument(m_words.first());
        } else if (!error) {
            error = readVerb();
        }
        if (!error)
            error = checkOwners();
        if (!error)
            error = readValues();
        if (!error)
            error = checkTogether();
        if (!error)
            return {m_command, {}};
        CommandLine spoken;
        for (const GivenOption &given : std::as_const(m_given)) {
            CommandLine tried;
            if (given.option->verbs == InAll && given.option->set(tried, given.value))
                spoken.language = tried.language;
        }
        return {spoken, error};
    }

private:
    static std::optional<Verb> topicOf(const QStringList &words)
    {
        for (const Verb verb : {Verb::Inventory, Verb::PoolServe, Verb::Screenshot}) {
            if (words.value(0) == verbName(verb).section(u' ', 0, 0))
                return verb;
        }
        return {};
    }

    Verb likelyVerb() const { return topicOf(m_words).value_or(Verb::Console); }

    std::optional<Error> split()
    {
        std::optional<Error> first;
        const auto note = [&first](Error error) {
            if (!first)
                first = std::move(error);
        };
        for (qsizetype i = 0; i < m_arguments.size(); ++i) {
            const QString &argument = m_arguments.at(i);
            if (argument == QLatin1String("--")) { // from here on there are only words
                m_words << m_arguments.mid(i + 1);
                break;
            }
            if (isHelpOption(argument)) {
                m_helpAsked = true;
                continue;
            }
            if (argument == QLatin1String("--version")) {
                m_versionAsked = true;
                continue;
            }
            if (!argument.startsWith(u'-') || argument == QLatin1String("-")) {
                m_words << argument;
                continue;
            }
            QString name = argument == QLatin1String("-o") ? QStringLiteral("--output") : argument;
            std::optional<QString> value;
            if (const qsizetype equals = name.indexOf(u'='); equals >= 0) {
                value = name.mid(equals + 1);
                name.truncate(equals);
            }
            const CommandOption *option =
                name.startsWith(QLatin1String("--")) ? findCommandOption(name.mid(2)) : nullptr;
            if (!option) {
                note(usageError(likelyVerb(), QT_TRANSLATE_NOOP("Error", "There is no option %1."), {name}));
                continue;
            }
            if (option->value && !value) {
                // The next option is no value: it was forgotten. With "=" it can be one.
                if (i + 1 >= m_arguments.size() || isOption(m_arguments.at(i + 1))) {
                    note(usageError(likelyVerb(),
                                    QT_TRANSLATE_NOOP("Error", "The option %1 needs a value: %2."),
                                    {name, name + u' ' + QString::fromLatin1(option->value)}));
                    continue;
                }
                value = m_arguments.at(++i);
            }
            if (!option->value && value)
                note(usageError(likelyVerb(), QT_TRANSLATE_NOOP("Error", "The option %1 takes no value."),
                                {name}));
            m_given << GivenOption{option, value.value_or(QString())};
        }
        return first;
    }

    static bool isOption(const QString &argument)
    {
        return argument == QLatin1String("-o") ||
               (argument.startsWith(QLatin1String("--")) &&
                (findCommandOption(argument.mid(2)) || isHelpOption(argument)));
    }

    std::optional<Error> readVerb()
    {
        const QString word = m_words.value(0);
        if (m_words.isEmpty()) {
            m_command.verb = Verb::Console;
            return {};
        }
        if (word == QLatin1String("help")) {
            m_command.verb = Verb::Help;
            m_command.topic = topicOf(m_words.mid(1));
            if (m_words.size() > 1 && !m_command.topic)
                return unknownVerb(m_words.at(1));
            return {};
        }
        const std::optional<Verb> verb = topicOf(m_words);
        if (!verb)
            return unknownVerb(word);
        m_command.verb = *verb;
        if (verb == Verb::PoolServe) {
            if (m_words.value(1) != QLatin1String("serve"))
                return usageError(*verb, QT_TRANSLATE_NOOP("Error", "The verb is “pool serve”."));
            if (m_words.size() > 2)
                return extraArgument(m_words.at(2));
        } else if (verb == Verb::Inventory && m_words.size() > 1) {
            return usageError(
                *verb,
                QT_TRANSLATE_NOOP("Error", "“inventory” takes no argument “%1”; a filter goes to --filter."),
                {m_words.at(1)});
        } else if (verb == Verb::Screenshot) {
            return readScreenshotWords();
        }
        return {};
    }

    std::optional<Error> unknownVerb(const QString &word) const
    {
        return usageError(
            Verb::Help,
            QT_TRANSLATE_NOOP("Error",
                              "There is no verb “%1”; there are: inventory, pool serve, screenshot, help."),
            {word});
    }

    std::optional<Error> extraArgument(const QString &word) const
    {
        return usageError(m_command.verb, QT_TRANSLATE_NOOP("Error", "“%1” takes no argument “%2”."),
                          {verbName(m_command.verb), word});
    }

    std::optional<Error> readScreenshotWords()
    {
        const Verb verb = Verb::Screenshot;
        // One word that is a pane's name is a forgotten file, not a file of that name.
        if (m_words.size() < 2 || (m_words.size() == 2 && paneNames().contains(m_words.at(1))))
            return usageError(verb, QT_TRANSLATE_NOOP("Error", "The file of the picture is missing: tongchi "
                                                               "screenshot [PANE] FILE.png."));
        if (m_words.size() > 3)
            return extraArgument(m_words.at(3));
        if (m_words.size() == 3)
            m_command.pane = m_words.at(1);
        m_command.file = m_words.last();
        if (!paneNames().contains(m_command.pane))
            return usageError(verb, QT_TRANSLATE_NOOP("Error", "There is no pane “%1”; there are: %2."),
                              {m_command.pane, paneNames().join(QStringLiteral(", "))});
        if (m_command.file.isEmpty())
            return usageError(verb, QT_TRANSLATE_NOOP("Error", "The name of the picture's file is empty."));
        const QString suffix = QFileInfo(m_command.file).suffix().toLower();
        static const QStringList others{
            QStringLiteral("jpg"), QStringLiteral("jpeg"), QStringLiteral("gif"),
            QStringLiteral("bmp"), QStringLiteral("webp"), QStringLiteral("svg"),
            QStringLiteral("pdf"), QStringLiteral("tif"),  QStringLiteral("tiff")};
        if (others.contains(suffix))
            return usageError(
                verb, QT_TRANSLATE_NOOP("Error", "The picture is a PNG; “%1” has to end in .png instead."),
                {m_command.file});
        return {};
    }

    std::optional<Error> checkOwners() const
    {
        const unsigned verb = optionVerb(m_command.verb);
        for (const GivenOption &given : m_given) {
            if (given.option->verbs & verb)
                continue;
            QStringList known;
            for (const CommandOption &option : commandOptions()) {
                if (option.verbs & verb)
                    known << QStringLiteral("--") + QLatin1String(option.name);
            }
            return usageError(m_command.verb,
                              QT_TRANSLATE_NOOP("Error", "“%1” takes no option --%2. It takes: %3."),
                              {QStringLiteral("tongchi %1").arg(verbName(m_command.verb)).trimmed(),
                               QLatin1String(given.option->name), known.join(QStringLiteral(", "))});
        }
        return {};
    }

    std::optional<Error> readValues()
    {
        for (const GivenOption &given : std::as_const(m_given)) {
            if (given.option->set(m_command, given.value))
                continue;
            const bool empty = given.value.isEmpty();
            return usageError(
                m_command.verb,
                empty ? QT_TRANSLATE_NOOP("Error", "The value of --%2 is empty.") : given.option->refusal,
                QStringList{given.value, QLatin1String(given.option->name)} + given.option->limits);
        }
        return {};
    }

    bool isGiven(const char *name) const
    {
        return std::any_of(m_given.begin(), m_given.end(),
                           [name](const GivenOption &given) { return given.option == find(name); });
    }
    static const CommandOption *find(const char *name) { return findCommandOption(QLatin1String(name)); }

    std::optional<Error> exclude(const char *one, const char *other) const
    {
        if (!isGiven(one) || !isGiven(other))
            return {};
        return usageError(m_command.verb, QT_TRANSLATE_NOOP("Error", "--%1 and --%2 exclude each other."),
                          {QLatin1String(one), QLatin1String(other)});
    }

    /// What would silently have no effect is refused.
    std::optional<Error> checkTogether() const
    {
        for (const auto &[one, other] : {std::pair{"embedded", "kubeconfig"},
                                         {"embedded", "prometheus"},
                                         {"embedded", "allow-exec"},
                                         {"context", "all-contexts"}}) {
            if (auto error = exclude(one, other))
                return error;
        }
        const Verb verb = m_command.verb;
        const bool embedded = m_command.embedded || verb == Verb::PoolServe || verb == Verb::Console;
        const bool anyContext = verb == Verb::Inventory || !m_command.kubeconfigs.isEmpty() ||
                                !m_command.contexts.isEmpty() || m_command.allContexts;
        for (const GivenOption &given : m_given) {
            const QString name = QLatin1String(given.option->name);
            if (given.option->group == OptionGroup::Pool && !embedded)
                return usageError(
                    verb,
                    QT_TRANSLATE_NOOP("Error", "--%1 says how the embedded pool is; it needs --embedded."),
                    {name});
            if ((given.option == find("prometheus") || given.option == find("allow-exec")) && !anyContext)
                return usageError(
                    verb,
                    QT_TRANSLATE_NOOP("Error",
                                      "--%1 needs --kubeconfig, --context or --all-contexts to go with."),
                    {name});
            if ((given.option == find("select") || given.option == find("drawer")) &&
                m_command.pane != QLatin1String("cards"))
                return usageError(verb, QT_TRANSLATE_NOOP("Error", "--%1 goes with the pane cards alone."),
                                  {name});
        }
        // One port a cluster, one for Prometheus.
        if (m_command.port > 0 && m_command.port + m_command.clusters > 65'535)
            return usageError(
                verb,
                QT_TRANSLATE_NOOP("Error", "%1 clusters need %2 ports from --port on; give at most %3."),
                {QString::number(m_command.clusters), QString::number(m_command.clusters + 1),
                 QString::number(65'535 - m_command.clusters)});
        const double pixels =
            double(m_command.size.width()) * m_command.size.height() * m_command.scale * m_command.scale;
        if (pixels > 100e6)
            return usageError(
                verb,
                QT_TRANSLATE_NOOP(
                    "Error", "A picture has at most 100 million pixels; make --size or --scale smaller."));
        return {};
    }

    const QStringList &m_arguments;
    CommandLine m_command;
    QStringList m_words;
    QList<GivenOption> m_given;
    bool m_helpAsked = false, m_versionAsked = false;
};

} // namespace

QStringList paneNames()
{
    return {QStringLiteral("cards"), QStringLiteral("connections")};
}

QString verbName(Verb verb)
{
    switch (verb) {
    case Verb::Inventory:
        return QStringLiteral("inventory");
    case Verb::PoolServe:
        return QStringLiteral("pool serve");
    case Verb::Screenshot:
        return QStringLiteral("screenshot");
    case Verb::Help:
        return QStringLiteral("help");
    case Verb::Version:
        return QStringLiteral("--version");
    case Verb::Console:
        break;
    }
    return {};
}

ParsedCommandLine parseCommandLine(const QStringList &arguments)
{
    return ArgumentReader(arguments).read();
}

Result<QStringList> decodeArguments(const QList<QByteArray> &arguments)
{
    QStringList texts;
    for (const QByteArray &argument : arguments) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        texts << decoder(argument);
        if (decoder.hasError()) {
            return failure({.code = ErrorCode::Invalid,
                            .text = QT_TRANSLATE_NOOP("Error", "The argument “%1” is not valid UTF-8."),
                            .arguments = {texts.last()},
                            .remedy = QT_TRANSLATE_NOOP(
                                "Error", "Give file names in UTF-8; a link with such a name will do.")});
        }
    }
    return texts;
}

PrometheusEntry prometheusEntry(const QString &text)
{
    const auto isAddress = [](const QString &part) {
        return part.startsWith(QLatin1String("http://")) || part.startsWith(QLatin1String("https://"));
    };
    if (isAddress(text))
        return {{}, text};
    for (qsizetype equals = text.indexOf(u'='); equals > 0; equals = text.indexOf(u'=', equals + 1)) {
        if (isAddress(text.mid(equals + 1)))
            return {text.left(equals), text.mid(equals + 1)};
    }
    return {{}, text};
}

} // namespace tongchi
