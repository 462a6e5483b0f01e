#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QMap>
#include <vector>

namespace tongchi::twins {

struct RawAnswer;

/// An answer without what may differ from run to run: times, uids, versions, addresses. Can be kept in a
/// file.
struct TwinAnswer
{
    enum class Kind { Nothing, Json, Text, Events };
    QByteArray step;
    int status = 0;
    QMap<QByteArray, QByteArray> headers; ///< names in lower case; without those that no client reads
    Kind kind = Kind::Nothing;
    QJsonValue body;    ///< Json; Events: an array
    QByteArray text;    ///< Text
    QByteArray problem; ///< of the connection

    QJsonObject toJson() const;
    static TwinAnswer fromJson(const QJsonObject &json);
};
using Transcript = std::vector<TwinAnswer>;

TwinAnswer normalised(const QByteArray &step, const RawAnswer &raw, bool stream);

/// A text without times, uids and addresses.
QByteArray normalisedText(const QByteArray &text);

/// The value at an RFC 6901 pointer; undefined when there is none.
QJsonValue valueAt(const QJsonValue &root, const QByteArray &pointer);

} // namespace tongchi::twins
