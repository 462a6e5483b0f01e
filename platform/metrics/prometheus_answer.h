#pragma once

#include "platform/core/clock.h"

#include <QStringList>
#include <cstdint>
#include <span>
#include <string_view>

namespace tongchi {

/// One label of a series, UTF-8, escapes undone. Lent: valid only during the call that hands it over.
struct LabelView
{
    std::string_view name;
    std::string_view value;
};

using LabelViews = std::span<const LabelView>;

/// Value of a label; empty when the series has none (Prometheus does not tell the two apart either).
inline std::string_view labelValue(LabelViews labels, std::string_view name)
{
    for (const LabelView &label : labels) {
        if (label.name == name)
            return label.value;
    }
    return {};
}

/// One point of a series by the server's clock. NaN ("no number") and infinities are values like any other.
struct Sample
{
    Instant time{};
    double value = 0;
    bool operator==(const Sample &) const = default;
};

enum class PrometheusResultType : std::uint8_t { Unknown, Vector, Scalar, String, Matrix };

/// What an answer said besides its series (source: prometheus docs/querying/api.md "Format overview").
struct PrometheusAnswer
{
    PrometheusResultType type = PrometheusResultType::Unknown;
    QStringList
        warnings;      ///< part of the sources did not answer: whatever is computed from this is incomplete
    QStringList infos; ///< hints about the query, for diagnostics only
    std::int64_t series = 0;     ///< handed over
    std::int64_t histograms = 0; ///< series of native histograms, left out
    std::int64_t unreadable = 0; ///< elements or points of the wrong kind, left out
    QString text;                ///< of a string result

    bool isIncomplete() const { return !warnings.isEmpty(); }
};

} // namespace tongchi
