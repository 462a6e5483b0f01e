#include "platform/kubernetes/exec_command.h"

#include <QCryptographicHash>

namespace tongchi {

namespace {

bool namesSecret(const QString &option)
{
    const QString lower = option.toLower();
    return lower.contains(QLatin1String("secret")) || lower.contains(QLatin1String("passw")) ||
           lower.endsWith(QLatin1String("token")) || lower.endsWith(QLatin1String("api-key")) ||
           lower.endsWith(QLatin1String("access-key")) || lower.endsWith(QLatin1String("private-key"));
}

QString shellWord(const QString &word)
{
    bool simple = !word.isEmpty();
    for (const QChar c : word) {
        if (!c.isLetterOrNumber() && !QStringView(u"-_./:=@%+,~").contains(c))
            simple = false;
    }
    if (simple)
        return word;
    QString quoted = word;
    quoted.replace(u'\'', QLatin1String("'\\''"));
    return u'\'' + quoted + u'\'';
}

QString hiddenValue()
{
    return QStringLiteral("•••");
}

} // namespace

FilePath execCommandPath(const ExecCommand &command)
{
    if (!command.command.contains(u'/'))
        return {};
    return resolvePath(folderOf(command.file), command.command.toUtf8());
}

QString execCommandLine(const ExecCommand &command)
{
    const FilePath path = execCommandPath(command);
    QStringList words{shellWord(path.isEmpty() ? command.command : displayPath(path))};
    bool hideNext = false;
    for (const QString &arg : command.args) {
        const qsizetype equals = arg.indexOf(u'=');
        if (std::exchange(hideNext, false) && !arg.startsWith(u'-'))
            words << hiddenValue();
        else if (arg.startsWith(u'-') && equals > 0 && namesSecret(arg.left(equals)))
            words << shellWord(arg.left(equals + 1)) + hiddenValue();
        else
            words << shellWord(arg);
        hideNext = arg.startsWith(u'-') && equals < 0 && namesSecret(arg);
    }
    QStringList names;
    for (const auto &variable : command.env)
        names << variable.first + QStringLiteral("=…");
    return (names + words).join(u' ');
}

QByteArray execConsentKey(const ExecCommand &command)
{
    // Every part is written with its length, so that no two commands give the same bytes.
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto put = [&hash](const QByteArray &bytes) {
        const QByteArray length = QByteArray::number(bytes.size()) + ':';
        hash.addData(length);
        hash.addData(bytes);
    };
    const FilePath path = execCommandPath(command);
    put(path.isEmpty() ? command.command.toUtf8() : path);
    put(QByteArray::number(command.args.size()));
    for (const QString &arg : command.args)
        put(arg.toUtf8());
    for (const auto &variable : command.env) {
        put(variable.first.toUtf8());
        put(variable.second.toUtf8());
    }
    return hash.result().toHex();
}

} // namespace tongchi
