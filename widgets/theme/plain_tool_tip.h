#pragma once

#include <QString>

namespace tongchi {

/// A tool tip that shows exactly these characters: QToolTip would read "<b>" in a node's name as markup. Long
/// values are cut, line breaks stay.
inline QString plainToolTip(const QString &text)
{
    constexpr qsizetype longest = 2000;
    if (text.isEmpty())
        return {};
    QString escaped = (text.size() > longest ? text.left(longest) + QChar(0x2026) : text).toHtmlEscaped();
    escaped.replace(u'\n', QLatin1String("<br>"));
    return QStringLiteral("<qt>") + escaped + QStringLiteral("</qt>");
}

} // namespace tongchi
