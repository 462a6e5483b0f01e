// What is typed: every verb with every kind of wrong argument, and the texts that say what is right.

#include "app/command_options.h"
#include "app/languages.h"
#include "tests/support/qt_printers.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using ::testing::HasSubstr;

ParsedCommandLine parse(const char *line)
{
    return parseCommandLine(QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts));
}

std::string refusalOf(const char *line)
{
    const ParsedCommandLine parsed = parse(line);
    return parsed.error ? englishText(*parsed.error).toStdString() : "accepted";
}

struct Refused
{
    const char *line;
    const char *says;
};

class RefusedCommandLine : public ::testing::TestWithParam<Refused>
{
};

TEST_P(RefusedCommandLine, SaysWhatIsWrongAndWhatIsRight)
{
    EXPECT_THAT(refusalOf(GetParam().line), HasSubstr(GetParam().says)) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    Lines, RefusedCommandLine,
    ::testing::Values(
        // values and their ranges
        Refused{"inventory --embedded --cards 0",
                "“0” is no value of --cards: it takes a whole number from 1 to 200000"},
        Refused{"inventory --embedded --cards 1e9", "from 1 to 200000"},
        Refused{"pool serve --clusters 17", "from 1 to 16"},
        Refused{"pool serve --seed -1", "from 0 to 18446744073709551615"},
        Refused{"pool serve --speed nan", "from 0.001 to 86400"},
        Refused{"pool serve --port 65536", "from 0 to 65535"},
        Refused{"pool serve --port 65534", "need 4 ports from --port on; give at most 65532"},
        Refused{"screenshot a.png --size 3x", "WIDTHxHEIGHT in pixels, from 1120x700 to 10000x10000"},
        Refused{"screenshot a.png --size 800x600", "from 1120x700"},
        Refused{"screenshot a.png --scale 5", "from 0.5 to 4"},
        Refused{"screenshot a.png --select -1", "from 0 to 1000"},
        Refused{"screenshot a.png --size 9000x9000 --scale 2", "at most 100 million pixels"},
        Refused{"inventory --timeout x", "seconds, from 0.001 to 86400"},
        Refused{"inventory --output xml", "one of table, json, csv, yaml"},
        Refused{"--theme blue", "one of light, dark"}, Refused{"--language fr", "one of en, zh"},
        Refused{"--language english", "one of en, zh"},
        Refused{"inventory --prometheus prom:9090", "an http or https URL"},
        Refused{"inventory --prometheus beijing=", "an http or https URL"},
        Refused{"inventory --kubeconfig :", "is empty"},
        Refused{"inventory --kubeconfig=", "The value of --kubeconfig is empty"},
        // options of another verb, or without effect
        Refused{"pool serve --filter x",
                "“tongchi pool serve” takes no option --filter. It takes: --cards, "},
        Refused{"inventory --size 800x600",
                "“tongchi inventory” takes no option --size. It takes: --kubeconfig, "},
        Refused{"--watch", "“tongchi” takes no option --watch"},
        Refused{"help --cards 5", "“tongchi help” takes no option --cards"},
        Refused{"inventory --embedded --write-kubeconfig f", "takes no option --write-kubeconfig"},
        Refused{"inventory --cards 5", "it needs --embedded"},
        Refused{"--prometheus http://p", "needs --kubeconfig"},
        Refused{"screenshot connections a.png --drawer", "goes with the pane cards alone"},
        Refused{"inventory --embedded --kubeconfig f", "--embedded and --kubeconfig exclude each other"},
        Refused{"inventory --embedded --prometheus http://p",
                "--embedded and --prometheus exclude each other"},
        Refused{"inventory --context a --all-contexts", "--context and --all-contexts exclude each other"},
        // words
        Refused{"inventory x", "takes no argument “x”; a filter goes to --filter"},
        Refused{"pool serve x", "takes no argument “x”"}, Refused{"pool", "The verb is “pool serve”"},
        Refused{"bogus", "There is no verb “bogus”"}, Refused{"help bogus", "There is no verb “bogus”"},
        Refused{"screenshot", "The file of the picture is missing"},
        Refused{"screenshot cards", "The file of the picture is missing"},
        Refused{"screenshot cards a.png b", "takes no argument “b”"},
        Refused{"screenshot nodes a.png", "There is no pane “nodes”; there are: cards, connections"},
        Refused{"screenshot a.jpg", "has to end in .png"},
        // options themselves
        Refused{"inventory --bogus=1", "There is no option --bogus"}, Refused{"-x", "There is no option -x"},
        Refused{"inventory --kubeconfig", "The option --kubeconfig needs a value: --kubeconfig FILE"},
        Refused{"inventory --filter --watch", "The option --filter needs a value"},
        Refused{"inventory --watch=1", "takes no value"}));

TEST(CommandLineTest, TakesWhatTheVerbsTake)
{
    for (const char *line :
         {"", "inventory", "inventory --embedded --cards 64 --clusters 2 -o csv --watch --timeout 2.5s",
          "pool serve --cards 64 --port 40000 --write-kubeconfig f", "--cards 500",
          "screenshot cards a.png --size 1120x700 --scale 2 --select 3 --drawer --timeout 5",
          "inventory --filter= --language zh_CN.UTF-8", "inventory --filter -label:idle",
          "inventory --filter=--watch", "screenshot -- -a.png", "--version", "help inventory"})
        EXPECT_EQ(refusalOf(line), "accepted") << line;
    EXPECT_EQ(parse("inventory --filter=--watch").command.filter, QStringLiteral("--watch"));
    EXPECT_EQ(parse("inventory --timeout 2.5s").command.timeout, std::chrono::milliseconds(2500));
    EXPECT_EQ(parse("screenshot a.png").command.pane, QStringLiteral("cards"));
}

TEST(CommandLineTest, HelpIsGivenWhateverElseIsWrong)
{
    for (const char *line :
         {"inventory --cards 0 --help", "inventory -h", "inventory --bogus --help", "help inventory"}) {
        const ParsedCommandLine parsed = parse(line);
        EXPECT_FALSE(parsed.error) << line;
        EXPECT_EQ(parsed.command.verb, Verb::Help) << line;
        EXPECT_EQ(parsed.command.topic, Verb::Inventory) << line;
    }
    EXPECT_FALSE(parse("--help").command.topic);
}

TEST(CommandLineTest, AnErrorIsToldInTheLanguageThatWasAskedFor)
{
    for (const char *line :
         {"--language zh bogus", "bogus --language=zh", "inventory --cards 0 --language zh"}) {
        const ParsedCommandLine parsed = parse(line);
        ASSERT_TRUE(parsed.error) << line;
        EXPECT_EQ(parsed.command.language, QStringLiteral("zh")) << line;
    }
}

TEST(CommandLineTest, NamesOfClustersMayHoldSlashesAndColons)
{
    const PrometheusEntry eks =
        prometheusEntry(QStringLiteral("arn:aws:eks:cn-north-1:1:cluster/prod=https://prom:9090/a=b"));
    EXPECT_EQ(eks.cluster, QStringLiteral("arn:aws:eks:cn-north-1:1:cluster/prod"));
    EXPECT_EQ(eks.url, QStringLiteral("https://prom:9090/a=b"));
    EXPECT_EQ(prometheusEntry(QStringLiteral("http://prom/?x=http://y")).cluster, QString());
}

TEST(CommandLineTest, ArgumentsHaveToBeUtf8)
{
    EXPECT_TRUE(decodeArguments({"inventory", "\xe7\xae\x97\xe5\x8a\x9b"}));
    const auto refused = decodeArguments({"inventory", "--kubeconfig", "\xff.yaml"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(englishText(refused.error()).toStdString(), HasSubstr("is not valid UTF-8"));
}

QSet<QString> optionsIn(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("--[a-z][a-z-]+"));
    QSet<QString> found;
    for (auto matches = pattern.globalMatch(text); matches.hasNext();)
        found << matches.next().captured(0);
    return found;
}

TEST(CommandLineTest, HelpOfAVerbHasItsOptionsAndNoOthers)
{
    for (const Verb verb : {Verb::Console, Verb::Inventory, Verb::PoolServe, Verb::Screenshot}) {
        const QStringList lines = helpText(verb).split(u'\n');
        QSet<QString> shown;
        for (const QString &line : lines) {
            if (line.startsWith(QLatin1String("  --")))
                shown << line.mid(2).section(u' ', 0, 0);
        }
        QSet<QString> known;
        for (const CommandOption &option : commandOptions()) {
            if (option.verbs & optionVerb(verb))
                known << QStringLiteral("--") + QLatin1String(option.name);
        }
        EXPECT_EQ(shown, known) << verbName(verb).toStdString();
    }
}

TEST(CommandLineTest, ManPageKnowsEveryOptionWithItsValueAndNoOther)
{
    QFile file(QStringLiteral(TONGCHI_SOURCE_DIR "/packaging/tongchi.1"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(file.readAll());
    text.replace(QStringLiteral("\\-"), QStringLiteral("-"));
    QSet<QString> known{QStringLiteral("--help"), QStringLiteral("--version")};
    for (const CommandOption &option : commandOptions()) {
        const QString name = QStringLiteral("--") + QLatin1String(option.name);
        known << name;
        const QString head =
            option.value ? QStringLiteral(".BI \"%1 \" \"%2\"\n").arg(name, QLatin1String(option.value))
                         : QStringLiteral(".B %1\n").arg(name);
        EXPECT_TRUE(text.contains(head)) << head.toStdString();
        for (const QString &limit : option.limits) {
            const QString entry = text.section(head, 1).section(QStringLiteral("\n.TP"), 0, 0);
            EXPECT_TRUE(!limit.at(0).isDigit() || entry.contains(limit))
                << name.toStdString() << " goes to or from " << limit.toStdString();
        }
    }
    EXPECT_EQ(optionsIn(text), known);
}

TEST(CommandLineTest, SpeaksChinese)
{
    Languages languages;
    languages.use(QStringLiteral("zh"));
    EXPECT_TRUE(helpText().contains(QStringLiteral("每张算力卡"))) << helpText().toStdString();
    // Every explanation is translated: no line of the options' ends in a Latin word that is not a value.
    for (const CommandOption &option : commandOptions())
        EXPECT_NE(QCoreApplication::translate("Help", option.help), QLatin1String(option.help))
            << option.help;
    languages.use(QStringLiteral("en"));
}

} // namespace
} // namespace tongchi
