#pragma once

#include "tests/transcripts/transcript.h"

#include <QHash>

namespace tongchi::test {

/// What an operator has to read of one recorded error, or why it never reaches him.
struct WordRow
{
    QString file, name; ///< of the exchange
    QString as;         ///< how the console comes to it: see replay.h
    QString code;       ///< errorCodeName(), or "none": nothing is shown
    bool retry = false; ///< isWorthRetrying()
    QString english, englishRemedy, chinese, chineseRemedy;
    QString why; ///< of "none", and of a row that says `never`: the console does not ask this

    bool isExcluded() const { return as == QLatin1String("never"); }
    QString title() const { return file + QStringLiteral(": ") + name; }
};

/// Reads the table: `### file: exchange`, then lines `as:`, `code:`, `retry:`, `en:`, `do:`, `zh:`, `zh do:`,
/// `why:`. Lines of '#' and a blank are remarks. What is missing or unknown is an entry of `problems`.
QList<WordRow> parseWordTable(const QByteArray &text, QStringList *problems);

/// tests/data/transcripts/words.txt; problems fail the test.
QList<WordRow> wordTable();

/// Errors without a row, rows without an exchange, and rows given twice.
QStringList unmatched(const QList<Exchange> &exchanges, const QList<WordRow> &rows);

} // namespace tongchi::test
