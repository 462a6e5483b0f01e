#pragma once

#include "platform/simulator/http_exchange.h"
#include "platform/simulator/object_collection.h"

namespace tongchi::simulator {

/// Puts one gzip stream together from parts: text that is stored as it is, and chunks that were deflated
/// earlier.
class GzipBuilder
{
public:
    GzipBuilder();
    void addText(QByteArrayView text); ///< up to 65,535 bytes, not compressed
    void addPacked(const PackedTexts &packed);
    std::vector<QByteArray> finish(QByteArrayView tail);

private:
    void account(QByteArrayView text);
    QByteArray storedBlock(QByteArrayView text, bool last) const;

    std::vector<QByteArray> m_pieces;
    quint32 m_crc = 0;
    quint64 m_length = 0;
};

/// gzip of a whole text.
QByteArray gzipped(QByteArrayView text);

/// A body that a client asked to have compressed is compressed from this size on, as the API server does.
constexpr qsizetype gzipThreshold = 128 * 1024;

/// The whole collection as a list: `head` ends with the opening bracket of the items.
void fillPackedList(HttpAnswer *answer, const QByteArray &head, const ObjectSnapshot &packedSnapshot);
void fillPlainList(HttpAnswer *answer, const QByteArray &head, const ObjectSnapshot &snapshot);

/// A body at hand; compressed when that is wanted and worth it.
void fillBody(HttpAnswer *answer, QByteArray body, bool acceptsGzip);

} // namespace tongchi::simulator
