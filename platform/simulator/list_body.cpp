#include "platform/simulator/list_body.h"

#include <zlib.h>

namespace tongchi::simulator {

GzipBuilder::GzipBuilder()
{
    m_pieces.push_back(QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10));
}

void GzipBuilder::account(QByteArrayView text)
{
    m_crc = quint32(crc32_z(m_crc, reinterpret_cast<const Bytef *>(text.data()), std::size_t(text.size())));
    m_length += quint64(text.size());
}

QByteArray GzipBuilder::storedBlock(QByteArrayView text, bool last) const
{
    const auto size = quint16(text.size());
    const auto inverse = quint16(~size);
    QByteArray block;
    block.reserve(text.size() + 5);
    block += last ? '\x01' : '\x00';
    block += char(size & 0xff);
    block += char(size >> 8);
    block += char(inverse & 0xff);
    block += char(inverse >> 8);
    block.append(text);
    return block;
}

void GzipBuilder::addText(QByteArrayView text)
{
    account(text);
    m_pieces.push_back(storedBlock(text, false));
}

void GzipBuilder::addPacked(const PackedTexts &packed)
{
    m_crc = quint32(crc32_combine(m_crc, packed.crc, z_off_t(packed.length)));
    m_length += quint64(packed.length);
    m_pieces.push_back(packed.deflated);
}

std::vector<QByteArray> GzipBuilder::finish(QByteArrayView tail)
{
    account(tail);
    QByteArray end = storedBlock(tail, true);
    for (int shift = 0; shift < 32; shift += 8)
        end += char((m_crc >> shift) & 0xff);
    for (int shift = 0; shift < 32; shift += 8)
        end += char((m_length >> shift) & 0xff);
    m_pieces.push_back(std::move(end));
    return std::move(m_pieces);
}

QByteArray gzipped(QByteArrayView text)
{
    z_stream stream{};
    deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
    QByteArray out(qsizetype(deflateBound(&stream, uLong(text.size()))) + 32, Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = uInt(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return out;
}

void fillPackedList(HttpAnswer *answer, const QByteArray &head, const ObjectSnapshot &packedSnapshot)
{
    GzipBuilder builder;
    builder.addText(head);
    bool first = true;
    for (const ObjectChunkPointer &chunk : packedSnapshot.chunks) {
        if (!first)
            builder.addText(",");
        first = false;
        builder.addPacked(*chunk->packed);
    }
    answer->pieces = builder.finish("]}\n");
    answer->headers.push_back({QByteArrayLiteral("Content-Encoding"), QByteArrayLiteral("gzip")});
    answer->headers.push_back({QByteArrayLiteral("Vary"), QByteArrayLiteral("Accept-Encoding")});
    // Many small pieces would be as many chunks; a known length costs nothing here.
    answer->chunked = false;
}

void fillPlainList(HttpAnswer *answer, const QByteArray &head, const ObjectSnapshot &snapshot)
{
    answer->pieces = {head};
    answer->chunked = true;
    answer->producer = [snapshot, index = std::size_t(0), ended = false]() mutable -> QByteArray {
        if (index >= snapshot.chunks.size()) {
            if (ended)
                return {};
            ended = true;
            return QByteArrayLiteral("]}\n");
        }
        const ObjectChunk &chunk = *snapshot.chunks[index];
        QByteArray joined = index > 0 ? QByteArray(",") : QByteArray();
        ++index;
        if (!chunk.hasTexts())
            return joined + unpackTexts(*chunk.packed);
        qsizetype size = 1;
        for (const StoredObject &object : chunk.objects)
            size += object.text.size() + 1;
        joined.reserve(size);
        for (std::size_t i = 0; i < chunk.objects.size(); ++i) {
            if (i > 0)
                joined += ',';
            joined += chunk.objects[i].text;
        }
        return joined;
    };
}

void fillBody(HttpAnswer *answer, QByteArray body, bool acceptsGzip)
{
    if (acceptsGzip && body.size() > gzipThreshold) {
        answer->headers.push_back({QByteArrayLiteral("Content-Encoding"), QByteArrayLiteral("gzip")});
        answer->headers.push_back({QByteArrayLiteral("Vary"), QByteArrayLiteral("Accept-Encoding")});
        body = gzipped(body);
    }
    answer->setBody(std::move(body));
}

} // namespace tongchi::simulator
