#pragma once

#include <QRegularExpression>
#include <QString>
#include <memory>
#include <string>
#include <string_view>

namespace tongchi {

/// name="value" and its three relatives. Regular expressions are anchored at both ends, as RE2's are in
/// Prometheus.
class PromMatcher
{
public:
    enum class Kind : quint8 { Equal, NotEqual, Matches, NotMatches };

    PromMatcher(std::string name, Kind kind, std::string value);

    const std::string &name() const { return m_name; }
    const std::string &value() const { return m_value; }
    Kind kind() const { return m_kind; }
    /// Empty: the pattern is fine.
    QString patternError() const;
    bool matches(std::string_view text) const;
    bool matchesEmpty() const { return matches({}); }

private:
    std::string m_name;
    std::string m_value;
    Kind m_kind;
    std::shared_ptr<const QRegularExpression> m_pattern;
};

} // namespace tongchi
