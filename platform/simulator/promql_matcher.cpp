#include "platform/simulator/promql_matcher.h"

namespace tongchi {

PromMatcher::PromMatcher(std::string name, Kind kind, std::string value)
    : m_name(std::move(name)), m_value(std::move(value)), m_kind(kind)
{
    if (kind != Kind::Matches && kind != Kind::NotMatches)
        return;
    const QString pattern =
        QStringLiteral("\\A(?:") + QString::fromStdString(m_value) + QStringLiteral(")\\z");
    auto expression = std::make_shared<QRegularExpression>(
        pattern, QRegularExpression::DotMatchesEverythingOption | QRegularExpression::DontCaptureOption);
    expression->optimize();
    m_pattern = std::move(expression);
}

QString PromMatcher::patternError() const
{
    if (!m_pattern || m_pattern->isValid())
        return {};
    // The commonest fault in RE2's words.
    const QString fault = m_pattern->errorString();
    return fault == QLatin1String("missing closing parenthesis") ? QStringLiteral("missing closing )")
                                                                 : fault;
}

bool PromMatcher::matches(std::string_view text) const
{
    switch (m_kind) {
    case Kind::Equal:
        return text == m_value;
    case Kind::NotEqual:
        return text != m_value;
    case Kind::Matches:
    case Kind::NotMatches:
        break;
    }
    const bool found = m_pattern->match(QString::fromUtf8(text.data(), qsizetype(text.size()))).hasMatch();
    return found == (m_kind == Kind::Matches);
}

} // namespace tongchi
