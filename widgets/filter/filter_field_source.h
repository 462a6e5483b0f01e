#pragma once

#include <QList>
#include <QString>

namespace tongchi {

/// One word of a filter as the field draws it: key in grey, value in 500, a cross to take it away.
struct FilterFieldToken
{
    QString text;  ///< as typed; joined by blanks these give the filter again
    QString key;   ///< "region:", "-label:", "util"; empty for free text
    QString value; ///< "beijing", "<20"
    QString error; ///< a sentence when the token cannot be read
};

/// One line of the completion list.
struct FilterFieldSuggestion
{
    QString text;       ///< shown
    QString hint;       ///< shown behind it in grey
    QString insert;     ///< replaces the word being typed
    QString count;      ///< cards it would leave, formatted; empty: not shown
    bool isKey = false; ///< goes on with a value: the list stays open
};

/// The language behind a filter field. The field knows how to edit words, not what they mean.
class FilterFieldSource
{
public:
    virtual ~FilterFieldSource() = default;
    /// The words of a text in order.
    virtual QList<FilterFieldToken> tokens(const QString &text) const = 0;
    /// What the word being typed could become; `others` are the words already set.
    virtual QList<FilterFieldSuggestion> suggestions(const QString &word,
                                                     const QStringList &others) const = 0;
    /// The text as it is copied: canonical English.
    virtual QString canonical(const QString &text) const = 0;
};

} // namespace tongchi
