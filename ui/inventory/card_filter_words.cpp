#include "ui/inventory/card_filter_words.h"

#include "models/common/error_text.h"
#include "models/inventory/card_table_model.h"
#include "models/inventory/filter_suggestions.h"

namespace tongchi {

namespace {

/// A value as the interface's language has it; what has no other name stays as it was typed.
QString filterWordText(FilterKey key, const QString &value)
{
    switch (key) {
    case FilterKey::Region:
        return regionText(value);
    case FilterKey::Label:
        for (const BusinessLabel label :
             {BusinessLabel::Idle, BusinessLabel::Inference, BusinessLabel::Training, BusinessLabel::Mixed}) {
            if (value == QLatin1String(labelKey(label)))
                return labelText(label);
        }
        return value;
    case FilterKey::Health:
        for (int i = 0; i < cardConditionCount; ++i) {
            if (value == QLatin1String(conditionKey(CardCondition(i))))
                return conditionText(CardCondition(i));
        }
        return value;
    default:
        return value;
    }
}

} // namespace

QList<FilterFieldToken> CardFilterWords::tokens(const QString &text) const
{
    QList<FilterFieldToken> words;
    const bool chinese = m_table.formatting().isChinese();
    for (const FilterToken &token : parseFilter(text)) {
        FilterFieldToken word;
        word.text = text.mid(token.start, token.length);
        if (token.error) {
            word.value = word.text;
            word.error = errorLine(*token.error);
            words.append(word);
            continue;
        }
        const QString canonical = token.canonical();
        // The value begins behind the key and, for words, the colon; comparisons keep their sign with the
        // number.
        const QString name = token.key == FilterKey::FreeText ? QString() : filterKeyName(token.key);
        qsizetype split = (token.negated ? 1 : 0) + name.size();
        if (!name.isEmpty() && split < canonical.size() && canonical[split] == u':')
            ++split;
        word.key = canonical.left(split);
        word.value = canonical.mid(split);
        if (chinese && !token.values.isEmpty() && !isNumericKey(token.key)) {
            QStringList shown;
            for (const QString &value : token.values)
                shown.append(filterWordText(token.key, value));
            word.value = shown.join(QStringLiteral(", "));
        }
        words.append(word);
    }
    return words;
}

QList<FilterFieldSuggestion> CardFilterWords::suggestions(const QString &word,
                                                          const QStringList &others) const
{
    QString text = others.join(u' ');
    if (!text.isEmpty())
        text += u' ';
    text += word;
    QList<FilterFieldSuggestion> list;
    for (const FilterSuggestion &found :
         filterSuggestions(m_table.store(), text, text.size(), m_clock.now())) {
        FilterFieldSuggestion suggestion;
        suggestion.text = found.text;
        suggestion.insert = found.insert;
        if (found.count)
            suggestion.count = m_table.formatting().count(*found.count);
        suggestion.isKey = !found.count;
        list.append(suggestion);
    }
    return list;
}

QString CardFilterWords::canonical(const QString &text) const
{
    return canonicalFilter(parseFilter(text));
}

} // namespace tongchi
