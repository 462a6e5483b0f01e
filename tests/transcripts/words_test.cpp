// Each recorded error of a real server, through the console's own clients, in the words of both languages.

#include "models/common/error_text.h"
#include "platform/http/retry_policy.h"
#include "tests/support/qt_printers.h"
#include "tests/transcripts/replay.h"
#include "tests/transcripts/word_table.h"

#include <QCoreApplication>
#include <QTranslator>
#include <gtest/gtest.h>

namespace tongchi::test {
namespace {

class Chinese
{
public:
    Chinese()
    {
        EXPECT_TRUE(m_translator.load(QStringLiteral(":/i18n/tongchi_zh_CN.qm")));
        QCoreApplication::installTranslator(&m_translator);
    }
    ~Chinese() { QCoreApplication::removeTranslator(&m_translator); }

private:
    QTranslator m_translator;
};

void expectText(const Error &error, const QString &sentence, const QString &remedy)
{
    const ErrorText text = errorText(error);
    EXPECT_EQ(text.sentence, sentence);
    EXPECT_EQ(text.remedy, remedy);
}

class RecordedErrorTest : public ::testing::TestWithParam<WordRow>
{
};

TEST_P(RecordedErrorTest, SaysWhatHappenedAndWhatToDo)
{
    const WordRow &row = GetParam();
    const QList<Exchange> exchanges = allExchanges();
    const Exchange *exchange = findExchange(exchanges, row.file, row.name);
    ASSERT_TRUE(exchange) << row.title().toStdString();
    const Replayed replayed = replay(*exchange, row.as);
    ASSERT_EQ(replayed.problem, QString());
    if (row.code == QLatin1String("none")) {
        EXPECT_FALSE(replayed.error) << errorLine(*replayed.error).toStdString();
        return;
    }
    ASSERT_TRUE(replayed.error);
    EXPECT_EQ(QString::fromLatin1(errorCodeName(replayed.error->code)), row.code);
    EXPECT_EQ(isWorthRetrying(replayed.error->code), row.retry);
    expectText(*replayed.error, row.english, row.englishRemedy);
    const Chinese chinese;
    expectText(*replayed.error, row.chinese, row.chineseRemedy);
}

QList<WordRow> shownRows()
{
    QList<WordRow> rows = wordTable();
    rows.removeIf([](const WordRow &row) { return row.isExcluded(); });
    return rows;
}

INSTANTIATE_TEST_SUITE_P(, RecordedErrorTest, ::testing::ValuesIn(shownRows()),
                         [](const ::testing::TestParamInfo<WordRow> &tested) {
                             std::string name = tested.param.title().toStdString();
                             for (char &c : name) {
                                 if (!std::isalnum(static_cast<unsigned char>(c)))
                                     c = '_';
                             }
                             return name;
                         });

TEST(WordTableTest, KnowsEveryRecordedError)
{
    const QStringList problems = unmatched(allExchanges(), wordTable());
    EXPECT_TRUE(problems.isEmpty()) << problems.join(u'\n').toStdString();
}

} // namespace
} // namespace tongchi::test
