#pragma once

#include "widgets/filter/filter_field_source.h"

namespace tongchi {

class CardTableModel;
class Clock;

/// The filter language for the field: words with their meaning, suggestions with the count each would leave.
class CardFilterWords final : public FilterFieldSource
{
public:
    CardFilterWords(const CardTableModel &table, const Clock &clock) : m_table(table), m_clock(clock) {}

    QList<FilterFieldToken> tokens(const QString &text) const override;
    QList<FilterFieldSuggestion> suggestions(const QString &word, const QStringList &others) const override;
    QString canonical(const QString &text) const override;

private:
    const CardTableModel &m_table;
    const Clock &m_clock;
};

} // namespace tongchi
