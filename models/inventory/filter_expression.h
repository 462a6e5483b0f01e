#pragma once

#include "platform/core/error.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace tongchi {

/// What a filter token looks at.
enum class FilterKey {
    FreeText, ///< ids and workloads
    Vendor,
    Model,
    Variant,
    Region,
    Node,
    Cluster,
    Label,
    Health,
    Workload,
    Owner,
    Driver,
    Flag,
    Uuid,
    Pod,
    Utilization,
    Memory,
    FreeMemory,
    Temperature,
    Power,
    Age,
    Shares,
};

enum class FilterOperator { Equals, Less, LessOrEqual, Greater, GreaterOrEqual };

/// One word of the filter, and where it stands in the text.
struct FilterToken
{
    qsizetype start = 0;
    qsizetype length = 0;
    bool negated = false;
    FilterKey key = FilterKey::FreeText;
    FilterOperator op = FilterOperator::Equals;
    QStringList values; ///< canonical spelling, lower case unless the key keeps case; several: any of them
    double number = 0;  ///< for the numeric keys: per cent, bytes, degrees Celsius, watts, seconds
    std::optional<Error> error; ///< the token cannot be read; it filters nothing

    /// English spelling of the token, as it is copied and saved: `-label:idle`, `util<20`.
    QString canonical() const;
};

/// The filter language of design.md section 9: `key:value`, `key:a,b` (or), `-key:value` (not), `key<20`,
/// `key>=80`, `age>90s`, `key:prefix*`, free text; tokens combine by and. Chinese keys, Chinese values and
/// full-width punctuation mean the same. Quotes keep blanks together. A token that cannot be read says so and
/// leaves the others in force.
QList<FilterToken> parseFilter(const QString &text);

/// The whole filter in canonical English.
QString canonicalFilter(const QList<FilterToken> &tokens);

/// English name of a key ("util"), and all names under which it may be typed.
QString filterKeyName(FilterKey key);
QStringList filterKeyNames(FilterKey key);
/// Every key that can be typed, in the order of the suggestions.
QList<FilterKey> filterKeys();
bool isNumericKey(FilterKey key);

/// The canonical value for a word typed in either language: "推理" and "Inference" give "inference".
QString canonicalFilterValue(FilterKey key, const QString &typed);

} // namespace tongchi
