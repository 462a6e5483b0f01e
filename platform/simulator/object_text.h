#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace tongchi::simulator {

class JsonValue;

// Objects are stored as they appear in a list: JSON without kind and apiVersion at the top, and with their
// resourceVersion inside. Nothing here builds a tree: 100,000 pods pass through at start.

/// The fleet's complete JSON as stored text. Empty when it is not an object with a metadata object.
QByteArray storedText(const QByteArray &json, qint64 version);

/// A changed document as stored text; members in the server's order, labels and annotations sorted.
QByteArray storedText(JsonValue object, qint64 version);

/// The same text under another resourceVersion.
QByteArray withVersion(const QByteArray &text, qint64 version);

/// Stored text with kind and apiVersion in front, as a single object is answered.
QByteArray completeText(QByteArrayView text, const char *kind, const QByteArray &apiVersion);

/// The raw value of a member of the JSON object in `object`; empty when there is none.
QByteArrayView rawMember(QByteArrayView object, QByteArrayView key);
/// Several steps down.
QByteArrayView rawMember(QByteArrayView object, std::initializer_list<QByteArrayView> path);

/// The string that a raw value holds, without its escapes; empty for anything but a string.
QByteArray rawString(QByteArrayView value);

/// Position behind the JSON value that starts at `at`; -1 when it does not end.
qsizetype skipJsonValue(QByteArrayView text, qsizetype at);

/// RFC 3339 with seconds, UTC.
QByteArray rfc3339(qint64 millisecondsSinceEpoch);

} // namespace tongchi::simulator
