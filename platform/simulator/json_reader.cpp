#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

/// Reads one document into JsonValue. Small and strict rather than fast: what the pool itself made is never
/// read here in bulk, only what clients send and single objects that change.
class JsonReader
{
public:
    JsonReader(QByteArrayView text, JsonProblem *problem) : m_text(text), m_problem(problem) {}

    JsonValue read()
    {
        JsonValue value;
        skipSpace();
        if (!readValue(&value, 0))
            return {};
        skipSpace();
        if (m_at < m_text.size()) {
            fail(" after top-level value");
            return {};
        }
        return value;
    }

private:
    bool fail(const char *where)
    {
        if (!m_problem->message.isEmpty())
            return false;
        if (m_at >= m_text.size()) {
            m_problem->message = "unexpected end of JSON input";
            return false;
        }
        const auto c = static_cast<unsigned char>(m_text[m_at]);
        QByteArray quoted;
        if (c == '\'')
            quoted = "'\\''";
        else if (c >= 0x20 && c < 0x7f)
            quoted = QByteArray("'") + char(c) + '\'';
        else if (c == '\n')
            quoted = "'\\n'";
        else
            quoted = "'\\x" + QByteArray::number(c, 16).rightJustified(2, '0') + '\'';
        m_problem->message = "invalid character " + quoted + where;
        return false;
    }

    void skipSpace()
    {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
                return;
            ++m_at;
        }
    }

    bool readWord(const char *word)
    {
        const QByteArrayView expected(word);
        if (m_text.sliced(m_at).startsWith(expected)) {
            m_at += expected.size();
            return true;
        }
        while (m_at < m_text.size() && *word && m_text[m_at] == *word) {
            ++m_at;
            ++word;
        }
        return fail(" in literal");
    }

    bool readNumber(JsonValue *value)
    {
        const qsizetype start = m_at;
        if (m_text[m_at] == '-')
            ++m_at;
        const auto digits = [this] {
            const qsizetype from = m_at;
            while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9')
                ++m_at;
            return m_at > from;
        };
        if (m_at < m_text.size() && m_text[m_at] == '0')
            ++m_at;
        else if (!digits())
            return fail(" in numeric literal");
        if (m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            if (!digits())
                return fail(" after decimal point in numeric literal");
        }
        if (m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            ++m_at;
            if (m_at < m_text.size() && (m_text[m_at] == '+' || m_text[m_at] == '-'))
                ++m_at;
            if (!digits())
                return fail(" in exponent of numeric literal");
        }
        *value = JsonValue::numberText(m_text.sliced(start, m_at - start).toByteArray());
        return true;
    }

    bool readHex(uint *code)
    {
        *code = 0;
        for (int i = 0; i < 4; ++i, ++m_at) {
            if (m_at >= m_text.size())
                return fail("");
            const char c = m_text[m_at];
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0)
                return fail(" in \\u hexadecimal character escape");
            *code = *code * 16 + uint(digit);
        }
        return true;
    }

    bool readString(QByteArray *out)
    {
        ++m_at;
        for (;;) {
            const qsizetype start = m_at;
            while (m_at < m_text.size() && m_text[m_at] != '"' && m_text[m_at] != '\\' &&
                   static_cast<unsigned char>(m_text[m_at]) >= 0x20)
                ++m_at;
            out->append(m_text.data() + start, m_at - start);
            if (m_at >= m_text.size())
                return fail("");
            if (m_text[m_at] == '"') {
                ++m_at;
                return true;
            }
            if (m_text[m_at] != '\\')
                return fail(" in string literal");
            if (++m_at >= m_text.size())
                return fail("");
            const char c = m_text[m_at++];
            switch (c) {
            case '"':
                *out += '"';
                break;
            case '\\':
                *out += '\\';
                break;
            case '/':
                *out += '/';
                break;
            case 'b':
                *out += '\b';
                break;
            case 'f':
                *out += '\f';
                break;
            case 'n':
                *out += '\n';
                break;
            case 'r':
                *out += '\r';
                break;
            case 't':
                *out += '\t';
                break;
            case 'u': {
                uint code = 0;
                if (!readHex(&code))
                    return false;
                if (code >= 0xd800 && code < 0xdc00 && m_text.sliced(m_at).startsWith("\\u")) {
                    const qsizetype before = m_at;
                    m_at += 2;
                    uint low = 0;
                    if (!readHex(&low))
                        return false;
                    if (low >= 0xdc00 && low < 0xe000)
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    else
                        m_at = before;
                }
                if (code >= 0xd800 && code < 0xe000)
                    code = 0xfffd;
                const char32_t one = code;
                *out += QString::fromUcs4(&one, 1).toUtf8();
                break;
            }
            default:
                --m_at;
                return fail(" in string escape code");
            }
        }
    }

    bool readValue(JsonValue *value, int depth)
    {
        if (m_at >= m_text.size())
            return fail("");
        if (depth > 512) {
            m_problem->message = "exceeded max depth";
            return false;
        }
        switch (m_text[m_at]) {
        case '{':
            return readObject(value, depth);
        case '[':
            return readArray(value, depth);
        case '"':
            *value = JsonValue::string({});
            return readString(&value->m_text);
        case 't':
            *value = JsonValue::boolean(true);
            return readWord("true");
        case 'f':
            *value = JsonValue::boolean(false);
            return readWord("false");
        case 'n':
            return readWord("null");
        default:
            break;
        }
        if (m_text[m_at] == '-' || (m_text[m_at] >= '0' && m_text[m_at] <= '9'))
            return readNumber(value);
        return fail(" looking for beginning of value");
    }

    bool readObject(JsonValue *value, int depth)
    {
        *value = JsonValue::object();
        ++m_at;
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '}') {
            ++m_at;
            return true;
        }
        for (;;) {
            skipSpace();
            if (m_at >= m_text.size() || m_text[m_at] != '"')
                return fail(" looking for beginning of object key string");
            QByteArray key;
            if (!readString(&key))
                return false;
            skipSpace();
            if (m_at >= m_text.size() || m_text[m_at] != ':')
                return fail(" after object key");
            ++m_at;
            skipSpace();
            const qsizetype pathLength = m_path.size();
            if (!m_path.isEmpty())
                m_path += '.';
            m_path += key;
            if (value->find(key))
                m_problem->duplicateFields.push_back(m_path);
            JsonValue member;
            if (!readValue(&member, depth + 1))
                return false;
            m_path.truncate(pathLength);
            value->set(key, std::move(member));
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] == ',') {
                ++m_at;
                continue;
            }
            if (m_at < m_text.size() && m_text[m_at] == '}') {
                ++m_at;
                return true;
            }
            return fail(" after object key:value pair");
        }
    }

    bool readArray(JsonValue *value, int depth)
    {
        *value = JsonValue::array();
        ++m_at;
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == ']') {
            ++m_at;
            return true;
        }
        for (;;) {
            skipSpace();
            const qsizetype pathLength = m_path.size();
            m_path += '[' + QByteArray::number(qsizetype(value->size())) + ']';
            value->m_items.emplace_back();
            JsonValue item;
            if (!readValue(&item, depth + 1))
                return false;
            value->m_items.back() = std::move(item);
            m_path.truncate(pathLength);
            skipSpace();
            if (m_at < m_text.size() && m_text[m_at] == ',') {
                ++m_at;
                continue;
            }
            if (m_at < m_text.size() && m_text[m_at] == ']') {
                ++m_at;
                return true;
            }
            return fail(" after array element");
        }
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
    JsonProblem *m_problem;
    QByteArray m_path;
};

JsonValue JsonValue::parse(QByteArrayView text, JsonProblem *problem)
{
    JsonProblem unused;
    return JsonReader(text, problem ? problem : &unused).read();
}

} // namespace tongchi::simulator
