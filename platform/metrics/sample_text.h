#pragma once

#include <QByteArray>
#include <optional>
#include <string_view>

namespace tongchi {

/// A sample value as Prometheus writes it: "0.42", "1e+09", "NaN", "+Inf", "-Inf", "Inf". The same in every
/// locale. Nothing for any other text, for blanks around it and for numbers that a double cannot hold.
std::optional<double> parseSampleText(std::string_view text);

/// The shortest text that reads back as the same number, with a point whatever the locale: for queries, time
/// parameters and files. Not a number: "NaN", "+Inf", "-Inf".
QByteArray wireNumber(double value);

} // namespace tongchi
