#include "platform/http/answer_words.h"

#include "platform/core/text_encoding.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace tongchi {

namespace {

constexpr std::size_t largestBody = 64 * 1024;
constexpr std::size_t longestText = 1000; ///< a plain text beyond it is no message
constexpr qsizetype longestWords = 500;

QString wordsOfJson(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    const QJsonObject object = value.toObject();
    for (const char *key : {"message", "error", "detail"}) {
        const QJsonValue member = object.value(QLatin1String(key));
        const QString words = member.isString()
                                  ? member.toString()
                                  : member.toObject().value(QLatin1String("message")).toString();
        if (!words.trimmed().isEmpty())
            return words;
    }
    return {};
}

} // namespace

QString wordsOfAnswer(std::string_view body)
{
    const QByteArray text =
        QByteArray::fromRawData(body.data(), qsizetype(std::min(body.size(), largestBody))).trimmed();
    if (text.isEmpty() || body.size() > largestBody || text.startsWith('<'))
        return {};
    QString words;
    if (text.startsWith('{') || text.startsWith('"') || text.startsWith('[')) {
        // In an array, because a document of Qt may not be a string.
        words = wordsOfJson(QJsonDocument::fromJson('[' + text + ']').array().at(0));
    } else if (body.size() <= longestText && !text.contains("</") && firstInvalidUtf8(text) < 0) {
        words = QString::fromUtf8(text);
    }
    words = words.simplified();
    return visibleText(words.size() <= longestWords ? words : words.left(longestWords) + QChar(0x2026));
}

} // namespace tongchi
