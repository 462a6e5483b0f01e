#include "platform/kubernetes/permission.h"

#include <QRegularExpression>

namespace tongchi {

QString resourceWithGroup(const QString &resource, const QString &group)
{
    return group.isEmpty() ? resource : resource + u'.' + group;
}

std::optional<ForbiddenWords> parseForbidden(const QString &message)
{
    static const QRegularExpression form(
        QStringLiteral("User \"([^\"]*)\" cannot (\\S+) (?:resource \"([^\"]+)\"(?: in API group "
                       "\"([^\"]*)\")?|path \"([^\"]+)\")(?:.* in the namespace \"([^\"]*)\")?"));
    const QRegularExpressionMatch match = form.match(message.left(2000));
    if (!match.hasMatch())
        return std::nullopt;
    ForbiddenWords words;
    words.user = match.captured(1);
    words.verb = match.captured(2);
    words.resource = match.captured(5).isEmpty() ? resourceWithGroup(match.captured(3), match.captured(4))
                                                 : match.captured(5);
    words.nameSpace = match.captured(6);
    return words;
}

} // namespace tongchi
