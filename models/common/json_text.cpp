#include "models/common/json_text.h"

#include "platform/core/text_encoding.h"

#include <QDateTime>
#include <cmath>

namespace tongchi {

JsonText &JsonText::number(double value, int decimals)
{
    if (!std::isfinite(value))
        return null();
    QByteArray text = QByteArray::number(value, 'f', decimals);
    if (text.contains('.')) {
        while (text.endsWith('0'))
            text.chop(1);
        if (text.endsWith('.'))
            text.chop(1);
    }
    separate();
    *m_out += text == "-0" ? QByteArray("0") : text;
    return *this;
}

void JsonText::quote(std::string_view utf8)
{
    QByteArray bytes = QByteArray::fromRawData(utf8.data(), qsizetype(utf8.size()));
    if (firstInvalidUtf8(bytes) >= 0)
        bytes = QString::fromUtf8(bytes).toUtf8();
    *m_out += '"';
    for (const char c : std::as_const(bytes)) {
        switch (c) {
        case '"':
            *m_out += "\\\"";
            break;
        case '\\':
            *m_out += "\\\\";
            break;
        case '\n':
            *m_out += "\\n";
            break;
        case '\r':
            *m_out += "\\r";
            break;
        case '\t':
            *m_out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                *m_out += "\\u00";
                *m_out += QByteArray::number(int(c), 16).rightJustified(2, '0');
            } else {
                *m_out += c;
            }
        }
    }
    *m_out += '"';
}

QByteArray rfc3339(std::int64_t millisecondsSinceEpoch)
{
    return QDateTime::fromMSecsSinceEpoch(millisecondsSinceEpoch, Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toLatin1();
}

QByteArray csvField(const QString &text)
{
    QByteArray utf8 = text.toUtf8();
    if (text.contains(u',') || text.contains(u'"') || text.contains(u'\n') || text.contains(u'\r') ||
        text.contains(QChar(0xFF0C)) || text.startsWith(u' ') || text.endsWith(u' ')) {
        utf8.replace("\"", "\"\"");
        return '"' + utf8 + '"';
    }
    return utf8;
}

} // namespace tongchi
