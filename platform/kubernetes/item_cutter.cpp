#include "platform/kubernetes/item_cutter.h"

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>
#include <QUtf8StringView>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr std::size_t kCutterKeyLimit = 256;
constexpr std::size_t kCutterShrinkAbove = 1024 * 1024;

std::string withoutQuotes(std::string_view text)
{
    if (text.size() >= 2 && text.front() == '"')
        return std::string(text.substr(1, text.size() - 2));
    return {};
}

} // namespace

void ItemCutter::reset()
{
    m_state = State::Start;
    m_role = Role::None;
    m_valueSize = 0;
    m_carry.clear();
    if (m_carry.capacity() > kCutterShrinkAbove)
        m_carry.shrink_to_fit();
    m_key.clear();
    m_headerJson.clear();
    m_header = {};
    m_sawItems = false;
    m_offset = 0;
    m_items = 0;
    m_failure = nullptr;
    m_failedAt = 0;
}

void ItemCutter::fail(const char *reason, const char *at)
{
    m_state = State::Failed;
    m_role = Role::None;
    m_failure = reason;
    m_failedAt = m_offset + (at - m_pieceBegin);
    m_carry.clear();
}

bool ItemCutter::feed(std::string_view bytes, ItemReceiver &receiver)
{
    m_pieceBegin = bytes.data();
    const char *at = bytes.data();
    const char *const end = at + bytes.size();
    while (at < end && m_state != State::Failed) {
        if (m_role == Role::None) {
            at = step(at);
            continue;
        }
        const char *const stop = m_scanner.scan(at, end);
        const std::string_view part(at, std::size_t((stop ? stop : end) - at));
        m_valueSize += part.size();
        if (!stop) {
            keep(part);
            break;
        }
        // Without a copy only when the value began in this piece and its padding lies in it too.
        if (m_valueSize == part.size() && std::size_t(end - stop) >= kJsonPadding) {
            valueComplete(part, receiver);
        } else {
            keep(part);
            const std::size_t size = m_carry.size();
            m_carry.append(kJsonPadding, '\0');
            valueComplete(std::string_view(m_carry.data(), size), receiver);
        }
        m_carry.clear();
        at = stop;
    }
    m_offset += qint64(bytes.size());
    return m_state != State::Failed;
}

// Keeps a part of a value unless that would break its limit; the rest of the value is then only counted.
void ItemCutter::keep(std::string_view part)
{
    const std::size_t limit = m_role == Role::Item  ? m_limits.itemBytes
                              : m_role == Role::Key ? kCutterKeyLimit
                                                    : m_limits.headerBytes;
    const std::size_t room = limit > m_carry.size() ? limit - m_carry.size() : 0;
    m_carry.append(part.substr(0, room));
}

const char *ItemCutter::beginValue(const char *at, Role role)
{
    m_role = role;
    m_valueSize = 0;
    m_carry.clear();
    m_scanner.start(*at, m_limits.depth);
    return at;
}

// Between values: looks at one byte, and says where to go on.
const char *ItemCutter::step(const char *at)
{
    if (isJsonBlank(*at))
        return at + 1;
    switch (m_state) {
    case State::Start:
        if (*at != '{') {
            fail("the answer is not a JSON object", at);
            return at;
        }
        m_state = State::KeyOrEnd;
        return at + 1;
    case State::KeyOrEnd:
    case State::Key:
        if (*at == '}' && m_state == State::KeyOrEnd) {
            m_state = State::Done;
            return at + 1;
        }
        if (*at != '"') {
            fail("expected the name of a field", at);
            return at;
        }
        return beginValue(at, Role::Key);
    case State::Colon:
        if (*at != ':') {
            fail("expected a colon", at);
            return at;
        }
        m_state = State::Value;
        return at + 1;
    case State::Value:
        if (m_key == "items") {
            m_sawItems = true;
            if (*at == '[') {
                m_state = State::ItemOrEnd;
                return at + 1;
            }
            return beginValue(at, Role::Items); // null, or something that is no list
        }
        return beginValue(at, Role::Field);
    case State::CommaOrEnd:
        if (*at != ',' && *at != '}') {
            fail("expected a comma or the end of the object", at);
            return at;
        }
        m_state = *at == ',' ? State::Key : State::Done;
        return at + 1;
    case State::ItemOrEnd:
    case State::Item:
        if (*at == ']' && m_state == State::ItemOrEnd) {
            m_state = State::CommaOrEnd;
            return at + 1;
        }
        if (*at == ',' || *at == ']' || *at == '}') {
            fail("expected an element of the list", at);
            return at;
        }
        return beginValue(at, Role::Item);
    case State::ItemCommaOrEnd:
        if (*at != ',' && *at != ']') {
            fail("expected a comma or the end of the list", at);
            return at;
        }
        m_state = *at == ',' ? State::Item : State::CommaOrEnd;
        return at + 1;
    case State::Done:
        fail("there is more after the end of the list", at);
        return at;
    case State::Failed:
        break;
    }
    return at;
}

void ItemCutter::valueComplete(std::string_view text, ItemReceiver &receiver)
{
    const Role role = m_role;
    m_role = Role::None;
    // Damage in the list's own fields, its version or its next page, would be taken for their absence.
    if (role != Role::Item && !QUtf8StringView(text.data(), qsizetype(text.size())).isValidUtf8()) {
        fail("the list itself is not text", m_pieceBegin);
        return;
    }
    switch (role) {
    case Role::Key:
        m_key = m_valueSize <= kCutterKeyLimit ? withoutQuotes(text) : std::string();
        m_state = State::Colon;
        break;
    case Role::Field:
        m_state = State::CommaOrEnd;
        fieldComplete(text);
        break;
    case Role::Items:
        m_state = State::CommaOrEnd;
        if (text != "null")
            fail("items is not a list", m_pieceBegin);
        break;
    case Role::Item:
        m_state = State::ItemCommaOrEnd;
        itemComplete(text, receiver);
        break;
    case Role::None:
        break;
    }
}

void ItemCutter::itemComplete(std::string_view text, ItemReceiver &receiver)
{
    ++m_items;
    if (m_valueSize > m_limits.itemBytes)
        receiver.skippedItem(text, "the object is larger than the limit");
    else if (m_scanner.isTooDeep())
        receiver.skippedItem(text, "the object is nested too deeply");
    else if (text.front() != '{')
        receiver.skippedItem(text, "the element is not an object");
    else
        receiver.item(text);
}

void ItemCutter::fieldComplete(std::string_view text)
{
    if (m_valueSize > m_limits.headerBytes ||
        m_headerJson.size() + m_key.size() + text.size() > m_limits.headerBytes) {
        // Fields that nobody knows may be as large as they like; those that are needed may not.
        if (m_key == "metadata" || m_key == "kind" || m_key == "message")
            fail("a field of the list itself is too large", m_pieceBegin);
        return;
    }
    m_headerJson += m_headerJson.empty() ? '{' : ',';
    m_headerJson.append("\"").append(m_key).append("\":").append(text);
    if (m_key == "kind")
        m_header.kind = withoutQuotes(text);
    else if (m_key == "apiVersion")
        m_header.apiVersion = withoutQuotes(text);
    else if (m_key == "metadata" && !m_scanner.isTooDeep())
        readMetadata(text);
}

void ItemCutter::readMetadata(std::string_view text)
{
    const QByteArray bytes = QByteArray::fromRawData(text.data(), qsizetype(text.size()));
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    if (document.isNull() && text != "null") {
        fail("the list's metadata is not JSON", m_pieceBegin);
        return;
    }
    const QJsonObject metadata = document.object();
    m_header.resourceVersion = metadata.value(QLatin1String("resourceVersion")).toString().toStdString();
    m_header.continueToken = metadata.value(QLatin1String("continue")).toString().toStdString();
    const QJsonValue remaining = metadata.value(QLatin1String("remainingItemCount"));
    if (remaining.isDouble() && remaining.toDouble() >= 0)
        m_header.remainingItemCount = qint64(remaining.toDouble());
}

Status ItemCutter::finish() const
{
    const char *reason = m_failure;
    qint64 at = m_failedAt;
    if (!reason && m_state != State::Done) {
        reason = m_offset == 0 ? "the answer is empty" : "the answer is cut off";
        at = m_offset;
    }
    if (!reason && !isStatus() && !m_sawItems && !std::string_view(m_header.kind).ends_with("List"))
        reason = "the answer has no items";
    if (!reason)
        return {};
    return failure(
        {.code = ErrorCode::Protocol,
         .text = QT_TRANSLATE_NOOP("Error", "The server's list could not be read."),
         .remedy = QT_TRANSLATE_NOOP(
             "Error", "It is asked for again; if this stays, look for a proxy that changes answers."),
         .detail = QStringLiteral("%1 (byte %2)").arg(QLatin1String(reason)).arg(at)});
}

} // namespace tongchi
