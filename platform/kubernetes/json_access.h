#pragma once

// simdjson the way this room uses it: On-Demand, no exceptions, one parser and its buffers reused. Only for
// .cpp files of the room; it is a large header.

#define SIMDJSON_EXCEPTIONS 0
#ifndef SIMDJSON_DEVELOPMENT_CHECKS
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#endif
#include <simdjson.h>

#include "platform/core/clock.h"
#include "platform/kubernetes/json_scan.h"
#include "platform/kubernetes/object_parser.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace tongchi::json {

namespace ondemand = simdjson::ondemand;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

/// How reading one value went. Null and absent are the same to everyone: they read as nothing.
enum class Shape : unsigned char {
    Fine,
    Null,
    WrongKind, ///< the value is of another kind; the walk can go on behind it
    Broken,    ///< no JSON; nothing more can be read
};

/// Fine and Null need nothing done; what the caller hands on otherwise.
constexpr bool isReadable(Shape shape)
{
    return shape == Shape::Fine || shape == Shape::Null;
}

inline Shape kindOf(ondemand::value &value, ondemand::json_type wanted)
{
    ondemand::json_type type;
    if (value.type().get(type))
        return Shape::Broken;
    if (type == wanted)
        return Shape::Fine;
    return type == ondemand::json_type::null ? Shape::Null : Shape::WrongKind;
}

/// Calls `field(key, value)` for each field; stops at the first answer that is not readable and returns it.
/// Keys are compared raw: nothing that we look for has an escape in it.
template <typename Callback> Shape eachField(ondemand::object object, Callback &&callback)
{
    for (auto each : object) {
        ondemand::field field;
        if (std::move(each).get(field))
            return Shape::Broken;
        const Shape shape = callback(field.key(), field.value());
        if (!isReadable(shape))
            return shape;
    }
    return Shape::Fine;
}

template <typename Callback> Shape eachField(ondemand::value value, Callback &&callback)
{
    const Shape kind = kindOf(value, ondemand::json_type::object);
    if (kind != Shape::Fine)
        return kind;
    ondemand::object object;
    if (value.get_object().get(object))
        return Shape::Broken;
    return eachField(object, callback);
}

/// For maps whose keys come from outside: `entry(key, value)` with the key's escapes undone. A key that is no
/// text (half a surrogate pair) is left out.
template <typename Callback> Shape eachEntry(ondemand::value value, Callback &&callback)
{
    const Shape kind = kindOf(value, ondemand::json_type::object);
    if (kind != Shape::Fine)
        return kind;
    ondemand::object object;
    if (value.get_object().get(object))
        return Shape::Broken;
    for (auto each : object) {
        ondemand::field field;
        if (std::move(each).get(field))
            return Shape::Broken;
        std::string_view key;
        if (field.unescaped_key().get(key))
            continue;
        const Shape shape = callback(key, field.value());
        if (!isReadable(shape))
            return shape;
    }
    return Shape::Fine;
}

/// Calls `element(value)` for each element of an array.
template <typename Callback> Shape eachElement(ondemand::value value, Callback &&callback)
{
    const Shape kind = kindOf(value, ondemand::json_type::array);
    if (kind != Shape::Fine)
        return kind;
    ondemand::array array;
    if (value.get_array().get(array))
        return Shape::Broken;
    for (auto each : array) {
        ondemand::value element;
        if (std::move(each).get(element))
            return Shape::Broken;
        const Shape shape = callback(element);
        if (!isReadable(shape))
            return shape;
    }
    return Shape::Fine;
}

/// The text of a string; empty for anything else. The view lives as long as the input and until the next
/// document.
inline std::string_view textOf(ondemand::value value)
{
    // The token ends where the next one begins. Without an escape in it, it needs no copy.
    std::string_view text = value.raw_json_token();
    if (text.empty() || text.front() != '"')
        return {};
    while (text.back() != '"')
        text.remove_suffix(1);
    if (text.size() < 2)
        return {};
    if (std::memchr(text.data(), '\\', text.size()) == nullptr)
        return text.substr(1, text.size() - 2);
    if (value.get_string().get(text))
        return {};
    return text;
}

/// A string, number, truth value or null as its text; empty for lists and objects.
std::string_view scalarTextOf(ondemand::value value);

/// A string or number as its text, for amounts that somebody wrote without quotes.
std::string_view amountTextOf(ondemand::value value);

inline Shape readText(ondemand::value value, std::string &into)
{
    into.assign(textOf(value));
    return Shape::Fine;
}

inline std::optional<bool> boolOf(ondemand::value value)
{
    bool truth = false;
    if (kindOf(value, ondemand::json_type::boolean) != Shape::Fine || value.get_bool().get(truth))
        return std::nullopt;
    return truth;
}

inline std::optional<std::int64_t> integerOf(ondemand::value value)
{
    std::int64_t number = 0;
    if (kindOf(value, ondemand::json_type::number) != Shape::Fine || value.get_int64().get(number))
        return std::nullopt;
    return number;
}

/// RFC 3339 with any offset and any number of decimals; nothing for anything else.
std::optional<Instant> parseTimestamp(std::string_view text);

/// Reasons of Document::read() that mean damage, not a server of another mind.
constexpr char notAnObject[] = "not a JSON object";
constexpr char notValid[] = "not valid JSON";

/// One parser with its buffers.
class Document
{
public:
    /// Calls `field(key, value)` for each field of the object in `json`. False with a reason when the text is
    /// no JSON object or the callback refused.
    template <typename Callback> bool read(std::string_view json, const char *&reason, Callback &&callback)
    {
        ondemand::object object;
        if (m_parser.iterate(json.data(), json.size(), json.size() + kJsonPadding).get(m_document) ||
            m_document.get_object().get(object)) {
            reason = notAnObject;
            return false;
        }
        switch (eachField(object, callback)) {
        case Shape::Fine:
        case Shape::Null:
            return true;
        case Shape::WrongKind:
            reason = "a field has another kind than the API says";
            return false;
        case Shape::Broken:
            break;
        }
        reason = notValid;
        return false;
    }

private:
    ondemand::parser m_parser;
    ondemand::document m_document;
};

/// Fills `why` for an object that could not be read; always false.
bool unreadable(std::string_view json, const char *reason, UnreadableObject &why);

/// The fields of metadata that every record has. True when `key` was one of them and has been read.
bool readCommonMetadata(ondemand::raw_json_string key, ondemand::value value, ObjectKey &into,
                        std::string &resourceVersion);

/// Refills a vector element by element, so that strings keep their memory from one object to the next.
template <typename Element> class Refill
{
public:
    explicit Refill(std::vector<Element> &vector) : m_vector(vector) {}
    ~Refill() { m_vector.resize(m_used); }
    Refill(const Refill &) = delete;
    Refill &operator=(const Refill &) = delete;

    Element &next()
    {
        if (m_used == m_vector.size())
            m_vector.emplace_back();
        return m_vector[m_used++];
    }
    void takeBack() { --m_used; }
    std::size_t size() const { return m_used; }
    Element &at(std::size_t index) { return m_vector[index]; }

private:
    std::vector<Element> &m_vector;
    std::size_t m_used = 0;
};

/// Adds or replaces: of a key that stands twice the last counts, as for everyone who reads JSON into a map.
inline std::string &valueFor(Refill<std::pair<std::string, std::string>> &pairs, std::string_view key)
{
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs.at(i).first == key)
            return pairs.at(i).second;
    }
    auto &pair = pairs.next();
    pair.first.assign(key);
    return pair.second;
}

/// Cuts at most `limit` bytes without splitting a character.
std::string_view cutText(std::string_view text, std::size_t limit);

} // namespace tongchi::json
