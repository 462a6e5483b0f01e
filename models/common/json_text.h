#pragma once

#include <QByteArray>
#include <QString>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tongchi {

/// Writes JSON text of any size without building a tree. Locale-free; invalid UTF-8 becomes U+FFFD. The
/// caller keeps the order of begin and end right.
class JsonText
{
public:
    explicit JsonText(QByteArray *out) : m_out(out) {}

    JsonText &beginObject()
    {
        separate();
        *m_out += '{';
        m_first = true;
        return *this;
    }
    JsonText &endObject()
    {
        *m_out += '}';
        m_first = false;
        return *this;
    }
    JsonText &beginArray()
    {
        separate();
        *m_out += '[';
        m_first = true;
        return *this;
    }
    JsonText &endArray()
    {
        *m_out += ']';
        m_first = false;
        return *this;
    }
    JsonText &key(std::string_view name)
    {
        separate();
        quote(name);
        *m_out += ':';
        m_first = true;
        return *this;
    }
    JsonText &string(std::string_view utf8)
    {
        separate();
        quote(utf8);
        return *this;
    }
    JsonText &string(const QString &text)
    {
        const QByteArray utf8 = text.toUtf8();
        return string({utf8.constData(), std::size_t(utf8.size())});
    }
    JsonText &stringOrNull(std::string_view utf8) { return utf8.empty() ? null() : string(utf8); }
    JsonText &integer(std::int64_t value)
    {
        separate();
        *m_out += QByteArray::number(qint64(value));
        return *this;
    }
    JsonText &integerOrNull(std::optional<std::int64_t> value) { return value ? integer(*value) : null(); }
    /// Up to `decimals` places, none that are zero; NaN and infinities are null.
    JsonText &number(double value, int decimals = 3);
    JsonText &boolean(bool value)
    {
        separate();
        *m_out += value ? "true" : "false";
        return *this;
    }
    JsonText &null()
    {
        separate();
        *m_out += "null";
        return *this;
    }
    JsonText &newLine()
    {
        *m_out += '\n';
        return *this;
    }

private:
    void separate()
    {
        if (!m_first)
            *m_out += ',';
        m_first = false;
    }
    void quote(std::string_view utf8);

    QByteArray *m_out;
    bool m_first = true;
};

/// RFC 3339 in UTC with milliseconds.
QByteArray rfc3339(std::int64_t millisecondsSinceEpoch);

/// One CSV field, quoted where it has to be (RFC 4180); a comma of full width is quoted too.
QByteArray csvField(const QString &text);

} // namespace tongchi
