#include "widgets/theme/style_sheet.h"

#include "widgets/theme/theme.h"

#include <QFileInfo>
#include <QTemporaryDir>

namespace tongchi {

namespace {

QHash<QStringView, ColorToken> styleSheetTokens(QStringList &storage)
{
    storage.reserve(int(ColorToken::Count));
    QHash<QStringView, ColorToken> tokens;
    for (int i = 0; i < int(ColorToken::Count); ++i) {
        storage.append(colorTokenName(ColorToken(i)));
        tokens.insert(storage.constLast(), ColorToken(i));
    }
    return tokens;
}

/// Style sheets take "NAME@2x.png" beside NAME.png for sharper screens; 1.5 scales down from two.
QString pictureFile(const QTemporaryDir &folder, QStringView description,
                    const QHash<QStringView, ColorToken> &tokens, const Theme &theme)
{
    const QList<QStringView> parts = description.split(u':');
    if (parts.size() != 4 || !folder.isValid())
        return {};
    const QColor color = theme.color(tokens.value(parts[2]));
    const int size = parts[3].toInt();
    const QByteArray name = parts[1].toLatin1();
    const QString base = folder.filePath(parts[1] + u'-' + color.name().mid(1) + u'-' + parts[3]);
    const QString file = base + QStringLiteral(".png");
    if (!QFileInfo::exists(file)) {
        theme.icons().pixmap(name.constData(), size, color, 1).save(file);
        theme.icons().pixmap(name.constData(), size, color, 2).save(base + QStringLiteral("@2x.png"));
    }
    return file;
}

} // namespace

QString renderStyleSheet(const QString &pattern, const Theme &theme)
{
    static QTemporaryDir pictures; // emptied when the program ends
    QStringList storage;
    const QHash<QStringView, ColorToken> tokens = styleSheetTokens(storage);
    QString result;
    result.reserve(pattern.size());
    const QStringView text(pattern);
    qsizetype from = 0;
    while (from < text.size()) {
        const qsizetype open = text.indexOf(u'@', from);
        const qsizetype close = open < 0 ? -1 : text.indexOf(u'@', open + 1);
        if (close < 0) {
            result += text.mid(from);
            break;
        }
        result += text.mid(from, open - from);
        const QStringView name = text.mid(open + 1, close - open - 1);
        if (const auto token = tokens.constFind(name); token != tokens.constEnd())
            result += theme.color(*token).name();
        else if (name == u"font.caption")
            result += QString::number(theme.font(TextRole::Caption).pixelSize());
        else if (name.startsWith(u"image:"))
            result += pictureFile(pictures, name, tokens, theme);
        else
            qWarning("style sheet: unknown token %s", qPrintable(name.toString()));
        from = close + 1;
    }
    return result;
}

} // namespace tongchi
