#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QByteArrayView>
#include <QString>
#include <initializer_list>
#include <vector>

namespace tongchi::simulator {

/// What was wrong with a document, in the words of Go's encoding/json, because the API server repeats them.
struct JsonProblem
{
    QByteArray message;                      ///< empty: none
    std::vector<QByteArray> duplicateFields; ///< paths such as metadata.name, in the order found
};

/// A JSON document that can be changed: keeps the order of members (an object of the API server has one), the
/// text of numbers, and knows duplicates. Strings are UTF-8. A value type; moving is cheap, copying is not.
class JsonValue
{
public:
    enum class Type : quint8 { Null, Bool, Number, String, Array, Object };

    JsonValue() = default;
    static JsonValue boolean(bool value);
    static JsonValue number(qint64 value);
    static JsonValue numberText(QByteArray text);
    static JsonValue string(QByteArray utf8);
    static JsonValue array();
    static JsonValue object();

    /// Deeper than 512 levels or followed by anything else is refused.
    static JsonValue parse(QByteArrayView text, JsonProblem *problem);

    Type type() const { return m_type; }
    bool isNull() const { return m_type == Type::Null; }
    bool isObject() const { return m_type == Type::Object; }
    bool isArray() const { return m_type == Type::Array; }
    bool isString() const { return m_type == Type::String; }
    bool toBool() const { return m_bool; }
    qint64 toInteger(qint64 fallback = 0) const;
    /// The string, or the number as written; empty for everything else.
    const QByteArray &text() const { return m_text; }

    // Arrays
    std::vector<JsonValue> &items() { return m_items; }
    const std::vector<JsonValue> &items() const { return m_items; }
    void append(JsonValue value) { m_items.push_back(std::move(value)); }

    // Objects: keys()[i] belongs to items()[i].
    const std::vector<QByteArray> &keys() const { return m_keys; }
    std::size_t size() const { return m_items.size(); }
    const JsonValue *find(QByteArrayView key) const;
    JsonValue *find(QByteArrayView key);
    /// A null value made at the end when there is none; turns null into an object. The next new member of
    /// this object makes the reference invalid.
    JsonValue &operator[](QByteArrayView key);
    void set(QByteArrayView key, JsonValue value) { (*this)[key] = std::move(value); }
    bool remove(QByteArrayView key);
    void sortKeys();

    /// Walks down objects; null pointer when a step is missing.
    const JsonValue *at(std::initializer_list<QByteArrayView> path) const;
    /// Text at that path; empty when missing.
    QByteArray textAt(std::initializer_list<QByteArrayView> path) const;

    /// Order of members counts for nothing; numbers are compared as numbers.
    bool operator==(const JsonValue &other) const;

    void write(QByteArray &out) const;
    QByteArray toJson() const;

private:
    Type m_type = Type::Null;
    bool m_bool = false;
    QByteArray m_text;
    std::vector<QByteArray> m_keys;
    std::vector<JsonValue> m_items;

    friend class JsonReader;
};

/// "string", "array" and so on, as Go's encoding/json calls them.
const char *jsonTypeName(const JsonValue &value);

/// A quoted JSON string with the escapes that Go's encoder uses (also for <, > and &).
void writeJsonString(QByteArray &out, QByteArrayView utf8);

/// Ordinary readability: a `QByteArrayView` of a literal.
inline bool sameText(QByteArrayView a, QByteArrayView b)
{
    return a == b;
}

} // namespace tongchi::simulator
