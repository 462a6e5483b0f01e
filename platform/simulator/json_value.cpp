#include "platform/simulator/json_value.h"

#include <algorithm>
#include <numeric>

namespace tongchi::simulator {

JsonValue JsonValue::boolean(bool value)
{
    JsonValue result;
    result.m_type = Type::Bool;
    result.m_bool = value;
    return result;
}

JsonValue JsonValue::number(qint64 value)
{
    return numberText(QByteArray::number(value));
}

JsonValue JsonValue::numberText(QByteArray text)
{
    JsonValue result;
    result.m_type = Type::Number;
    result.m_text = std::move(text);
    return result;
}

JsonValue JsonValue::string(QByteArray utf8)
{
    JsonValue result;
    result.m_type = Type::String;
    result.m_text = std::move(utf8);
    return result;
}

JsonValue JsonValue::array()
{
    JsonValue result;
    result.m_type = Type::Array;
    return result;
}

JsonValue JsonValue::object()
{
    JsonValue result;
    result.m_type = Type::Object;
    return result;
}

qint64 JsonValue::toInteger(qint64 fallback) const
{
    bool ok = false;
    const qint64 value = m_text.toLongLong(&ok);
    return ok ? value : fallback;
}

const JsonValue *JsonValue::find(QByteArrayView key) const
{
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        if (m_keys[i] == key)
            return &m_items[i];
    }
    return nullptr;
}

JsonValue *JsonValue::find(QByteArrayView key)
{
    return const_cast<JsonValue *>(std::as_const(*this).find(key));
}

JsonValue &JsonValue::operator[](QByteArrayView key)
{
    if (JsonValue *found = find(key))
        return *found;
    if (m_type != Type::Object) {
        *this = object();
    }
    m_keys.push_back(key.toByteArray());
    m_items.emplace_back();
    return m_items.back();
}

bool JsonValue::remove(QByteArrayView key)
{
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        if (m_keys[i] == key) {
            m_keys.erase(m_keys.begin() + qsizetype(i));
            m_items.erase(m_items.begin() + qsizetype(i));
            return true;
        }
    }
    return false;
}

void JsonValue::sortKeys()
{
    std::vector<std::size_t> order(m_keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [this](std::size_t a, std::size_t b) { return m_keys[a] < m_keys[b]; });
    std::vector<QByteArray> keys;
    std::vector<JsonValue> items;
    for (std::size_t index : order) {
        keys.push_back(std::move(m_keys[index]));
        items.push_back(std::move(m_items[index]));
    }
    m_keys = std::move(keys);
    m_items = std::move(items);
}

const JsonValue *JsonValue::at(std::initializer_list<QByteArrayView> path) const
{
    const JsonValue *value = this;
    for (QByteArrayView step : path) {
        value = value->find(step);
        if (!value)
            return nullptr;
    }
    return value;
}

QByteArray JsonValue::textAt(std::initializer_list<QByteArrayView> path) const
{
    const JsonValue *value = at(path);
    return value ? value->m_text : QByteArray();
}

bool JsonValue::operator==(const JsonValue &other) const
{
    if (m_type != other.m_type)
        return false;
    switch (m_type) {
    case Type::Null:
        return true;
    case Type::Bool:
        return m_bool == other.m_bool;
    case Type::Number:
        return m_text == other.m_text || m_text.toDouble() == other.m_text.toDouble();
    case Type::String:
        return m_text == other.m_text;
    case Type::Array:
        return m_items == other.m_items;
    case Type::Object:
        break;
    }
    if (m_keys.size() != other.m_keys.size())
        return false;
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        const JsonValue *match = other.find(m_keys[i]);
        if (!match || !(m_items[i] == *match))
            return false;
    }
    return true;
}

const char *jsonTypeName(const JsonValue &value)
{
    switch (value.type()) {
    case JsonValue::Type::Bool:
        return "bool";
    case JsonValue::Type::Number:
        return "number";
    case JsonValue::Type::String:
        return "string";
    case JsonValue::Type::Array:
        return "array";
    case JsonValue::Type::Object:
        return "object";
    case JsonValue::Type::Null:
        break;
    }
    return "null";
}

void writeJsonString(QByteArray &out, QByteArrayView utf8)
{
    static const char digits[] = "0123456789abcdef";
    out += '"';
    qsizetype clean = 0;
    for (qsizetype i = 0; i < utf8.size(); ++i) {
        const auto c = static_cast<unsigned char>(utf8[i]);
        if (c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&')
            continue;
        out.append(utf8.data() + clean, i - clean);
        clean = i + 1;
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            out += "\\u00";
            out += digits[c >> 4];
            out += digits[c & 15];
        }
    }
    out.append(utf8.data() + clean, utf8.size() - clean);
    out += '"';
}

void JsonValue::write(QByteArray &out) const
{
    switch (m_type) {
    case Type::Null:
        out += "null";
        break;
    case Type::Bool:
        out += m_bool ? "true" : "false";
        break;
    case Type::Number:
        out += m_text;
        break;
    case Type::String:
        writeJsonString(out, m_text);
        break;
    case Type::Array:
        out += '[';
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            if (i > 0)
                out += ',';
            m_items[i].write(out);
        }
        out += ']';
        break;
    case Type::Object:
        out += '{';
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            if (i > 0)
                out += ',';
            writeJsonString(out, m_keys[i]);
            out += ':';
            m_items[i].write(out);
        }
        out += '}';
        break;
    }
}

QByteArray JsonValue::toJson() const
{
    QByteArray out;
    write(out);
    return out;
}

} // namespace tongchi::simulator
