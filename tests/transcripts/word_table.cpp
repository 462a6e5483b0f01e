#include "tests/transcripts/word_table.h"

#include "tests/support/paths.h"

#include <QSet>

namespace tongchi::test {

namespace {

/// False: no such field.
bool setField(WordRow &row, const QString &key, const QString &value)
{
    if (key == QLatin1String("retry")) {
        row.retry = value == QLatin1String("yes");
        return row.retry || value == QLatin1String("no");
    }
    const QHash<QString, QString WordRow::*> fields{
        {QStringLiteral("as"), &WordRow::as},      {QStringLiteral("code"), &WordRow::code},
        {QStringLiteral("en"), &WordRow::english}, {QStringLiteral("do"), &WordRow::englishRemedy},
        {QStringLiteral("zh"), &WordRow::chinese}, {QStringLiteral("zh do"), &WordRow::chineseRemedy},
        {QStringLiteral("why"), &WordRow::why}};
    const auto field = fields.find(key);
    if (field == fields.end() || value.isEmpty() || !(row.*field.value()).isEmpty())
        return false;
    row.*field.value() = value;
    return true;
}

bool isWhole(const WordRow &row)
{
    if (row.isExcluded() || row.code == QLatin1String("none"))
        return !row.as.isEmpty() && !row.why.isEmpty() && row.english.isEmpty();
    return !row.as.isEmpty() && !row.code.isEmpty() && !row.english.isEmpty() &&
           !row.englishRemedy.isEmpty() && !row.chinese.isEmpty() && !row.chineseRemedy.isEmpty();
}

} // namespace

QList<WordRow> parseWordTable(const QByteArray &text, QStringList *problems)
{
    QList<WordRow> rows;
    const QStringList lines = QString::fromUtf8(text).split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(QLatin1String("### "))) {
            const QString title = line.mid(4);
            rows << WordRow{.file = title.section(QStringLiteral(": "), 0, 0),
                            .name = title.section(QStringLiteral(": "), 1)};
        } else if (!line.isEmpty() && !line.startsWith(QLatin1String("# "))) {
            if (rows.isEmpty() || !setField(rows.last(), line.section(QStringLiteral(": "), 0, 0),
                                            line.section(QStringLiteral(": "), 1)))
                *problems << QStringLiteral("cannot use: ") + line;
        }
    }
    for (const WordRow &row : std::as_const(rows)) {
        if (!isWhole(row))
            *problems << QStringLiteral("not whole: ") + row.title();
    }
    return rows;
}

QList<WordRow> wordTable()
{
    QStringList problems;
    const QList<WordRow> rows = parseWordTable(readData(QStringLiteral("transcripts/words.txt")), &problems);
    EXPECT_TRUE(problems.isEmpty()) << problems.join(u'\n').toStdString();
    return rows;
}

QStringList unmatched(const QList<Exchange> &exchanges, const QList<WordRow> &rows)
{
    QStringList found;
    QSet<QString> titles;
    for (const WordRow &row : rows) {
        if (titles.contains(row.title()))
            found << QStringLiteral("two rows: ") + row.title();
        titles << row.title();
        const Exchange *exchange = findExchange(exchanges, row.file, row.name);
        if (!exchange || !exchange->isError())
            found << QStringLiteral("no recorded error: ") + row.title();
    }
    for (const Exchange &exchange : exchanges) {
        const QString title = exchange.file + QStringLiteral(": ") + exchange.name;
        if (exchange.isError() && !titles.contains(title))
            found << QStringLiteral("no row: ") + title;
    }
    return found;
}

} // namespace tongchi::test
