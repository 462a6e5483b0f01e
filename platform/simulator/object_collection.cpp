#include "platform/simulator/object_collection.h"

#include "platform/simulator/object_text.h"

#include <algorithm>
#include <zlib.h>

namespace tongchi::simulator {

namespace {

constexpr std::size_t chunkObjects = 16; // some 50 KB of pods: what a change has to be packed anew
constexpr qint64 historyLimit = 16LL * 1024 * 1024;
constexpr std::size_t historyEvents = 20'000;
constexpr std::size_t rememberedStates = 16;
constexpr int packingLevel = 3; // level 6 takes twice as long for a tenth less

} // namespace

std::shared_ptr<const PackedTexts> packTexts(const ObjectChunk &chunk)
{
    auto packed = std::make_shared<PackedTexts>();
    QByteArray joined;
    qsizetype size = 0;
    for (const StoredObject &object : chunk.objects)
        size += object.text.size() + 1;
    joined.reserve(size);
    for (const StoredObject &object : chunk.objects) {
        if (!joined.isEmpty())
            joined += ',';
        joined += object.text;
        packed->ends.push_back(quint32(joined.size()));
    }
    z_stream stream{};
    deflateInit2(&stream, packingLevel, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    QByteArray out(qsizetype(deflateBound(&stream, uLong(joined.size()))) + 16, Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef *>(joined.data());
    stream.avail_in = uInt(joined.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FULL_FLUSH);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    packed->deflated = QByteArray(out.constData(), out.size()); // without the reserve
    packed->length = joined.size();
    packed->crc =
        quint32(crc32_z(0, reinterpret_cast<const Bytef *>(joined.constData()), std::size_t(joined.size())));
    return packed;
}

QByteArray unpackTexts(const PackedTexts &packed)
{
    QByteArray out(packed.length, Qt::Uninitialized);
    z_stream stream{};
    inflateInit2(&stream, -MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.deflated.constData()));
    stream.avail_in = uInt(packed.deflated.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = uInt(out.size());
    inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return out;
}

void ObjectSnapshot::forEach(const QByteArray &from, const Take &take) const
{
    auto chunk = std::upper_bound(
        chunks.begin(), chunks.end(), from,
        [](const QByteArray &key, const auto &candidate) { return key < candidate->objects.front().key; });
    if (chunk != chunks.begin())
        --chunk;
    for (; chunk != chunks.end(); ++chunk) {
        const ObjectChunk &current = **chunk;
        if (current.objects.back().key < from)
            continue;
        QByteArray joined;
        if (!current.hasTexts())
            joined = unpackTexts(*current.packed);
        quint32 begin = 0;
        for (std::size_t i = 0; i < current.objects.size(); ++i) {
            const StoredObject &object = current.objects[i];
            QByteArrayView text = object.text;
            if (!joined.isEmpty()) {
                const quint32 end = current.packed->ends[i];
                text = QByteArrayView(joined).sliced(begin, end - begin);
                begin = end + 1;
            }
            if (!(object.key < from) && !take(object, text))
                return;
        }
    }
}

std::optional<QByteArray> ObjectSnapshot::find(const QByteArray &key, qint64 *foundVersion) const
{
    std::optional<QByteArray> found;
    forEach(key, [&](const StoredObject &object, QByteArrayView text) {
        if (object.key == key) {
            found = object.text.isEmpty() ? text.toByteArray() : object.text;
            if (foundVersion)
                *foundVersion = object.version;
        }
        return false;
    });
    return found;
}

void ObjectCollection::load(StoredObject object)
{
    const QByteArray *last = m_tail                     ? &m_tail->objects.back().key
                             : m_current.chunks.empty() ? nullptr
                                                        : &m_current.chunks.back()->objects.back().key;
    m_textBytes += object.text.size();
    if (last && !(*last < object.key)) {
        closeTail();
        put(object.key, object.text, object.version);
        return;
    }
    if (!m_tail) {
        m_tail = std::make_shared<ObjectChunk>();
        m_tail->objects.reserve(chunkObjects);
    }
    m_tail->objects.push_back(std::move(object));
    ++m_current.count;
    if (m_tail->objects.size() >= chunkObjects)
        closeTail();
}

void ObjectCollection::closeTail()
{
    if (!m_tail)
        return;
    if (m_textBytes > unpackedLimit) {
        m_tail->packed = packTexts(*m_tail);
        for (StoredObject &object : m_tail->objects)
            object.text = QByteArray();
    }
    m_current.chunks.push_back(std::move(m_tail));
    m_tail.reset();
}

void ObjectCollection::finishLoading(qint64 version)
{
    closeTail();
    m_history.clear();
    m_historyBytes = 0;
    m_current.version = version;
    m_oldest = version;
}

std::size_t ObjectCollection::chunkOf(const QByteArray &key) const
{
    const auto &chunks = m_current.chunks;
    const auto found =
        std::upper_bound(chunks.begin(), chunks.end(), key, [](const QByteArray &wanted, const auto &chunk) {
            return wanted < chunk->objects.front().key;
        });
    return found == chunks.begin() ? 0 : std::size_t(found - chunks.begin()) - 1;
}

std::shared_ptr<ObjectChunk> ObjectCollection::editable(std::size_t index)
{
    const ObjectChunk &old = *m_current.chunks[index];
    auto copy = std::make_shared<ObjectChunk>();
    copy->objects = old.objects;
    if (!old.hasTexts()) {
        const QByteArray joined = unpackTexts(*old.packed);
        quint32 begin = 0;
        for (std::size_t i = 0; i < copy->objects.size(); ++i) {
            copy->objects[i].text = joined.mid(begin, old.packed->ends[i] - begin);
            begin = old.packed->ends[i] + 1;
        }
    }
    m_current.chunks[index] = copy;
    return copy;
}

void ObjectCollection::put(const QByteArray &key, const QByteArray &text, qint64 version)
{
    closeTail();
    ObjectEvent event{ObjectEvent::Type::Added, version, key, text, {}};
    m_current.version = version;
    if (m_current.chunks.empty()) {
        auto chunk = std::make_shared<ObjectChunk>();
        chunk->objects.push_back({key, version, text});
        m_current.chunks.push_back(std::move(chunk));
        ++m_current.count;
        publish(std::move(event));
        return;
    }
    const std::size_t index = chunkOf(key);
    const std::shared_ptr<ObjectChunk> chunk = editable(index);
    auto &objects = chunk->objects;
    const auto place = std::lower_bound(
        objects.begin(), objects.end(), key,
        [](const StoredObject &object, const QByteArray &wanted) { return object.key < wanted; });
    if (place != objects.end() && place->key == key) {
        event.type = ObjectEvent::Type::Modified;
        event.previous = place->text;
        place->text = text;
        place->version = version;
    } else {
        objects.insert(place, {key, version, text});
        ++m_current.count;
        if (objects.size() > 2 * chunkObjects) {
            auto second = std::make_shared<ObjectChunk>();
            const auto middle = objects.begin() + qsizetype(objects.size() / 2);
            second->objects.assign(std::make_move_iterator(middle), std::make_move_iterator(objects.end()));
            objects.erase(middle, objects.end());
            m_current.chunks.insert(m_current.chunks.begin() + qsizetype(index) + 1, std::move(second));
        }
    }
    publish(std::move(event));
}

bool ObjectCollection::remove(const QByteArray &key, qint64 version)
{
    if (m_current.chunks.empty())
        return false;
    const std::size_t index = chunkOf(key);
    const auto &present = m_current.chunks[index]->objects;
    const auto matches = [&key](const StoredObject &object) { return object.key == key; };
    if (std::none_of(present.begin(), present.end(), matches))
        return false;
    const std::shared_ptr<ObjectChunk> chunk = editable(index);
    const auto place = std::find_if(chunk->objects.begin(), chunk->objects.end(), matches);
    ObjectEvent event{ObjectEvent::Type::Deleted, version, key, withVersion(place->text, version),
                      place->text};
    chunk->objects.erase(place);
    if (chunk->objects.empty())
        m_current.chunks.erase(m_current.chunks.begin() + qsizetype(index));
    --m_current.count;
    m_current.version = version;
    publish(std::move(event));
    return true;
}

const ObjectSnapshot &ObjectCollection::packedSnapshot()
{
    for (ObjectChunkPointer &chunk : m_current.chunks) {
        if (chunk->packed)
            continue;
        auto packed = std::make_shared<ObjectChunk>(*chunk);
        packed->packed = packTexts(*packed);
        if (m_textBytes > unpackedLimit) {
            for (StoredObject &object : packed->objects)
                object.text = QByteArray();
        }
        chunk = std::move(packed);
    }
    return m_current;
}

void ObjectCollection::remember(const ObjectSnapshot &snapshot)
{
    if (!m_remembered.empty() && m_remembered.back().version == snapshot.version)
        return;
    m_remembered.push_back(snapshot);
    if (m_remembered.size() > rememberedStates)
        m_remembered.pop_front();
}

std::optional<ObjectSnapshot> ObjectCollection::at(qint64 version) const
{
    for (const ObjectSnapshot &snapshot : m_remembered) {
        if (snapshot.version == version)
            return snapshot;
    }
    if (version < m_oldest || version > m_current.version)
        return std::nullopt;
    // The present state with everything since undone, last first.
    ObjectCollection past;
    past.m_current = m_current;
    for (auto event = m_history.rbegin(); event != m_history.rend() && event->version > version; ++event) {
        if (event->type == ObjectEvent::Type::Added)
            past.remove(event->key, version);
        else
            past.put(event->key, event->previous, version);
    }
    past.m_current.version = version;
    return past.m_current;
}

bool ObjectCollection::eventsAfter(qint64 version, const std::function<void(const ObjectEvent &)> &take) const
{
    if (version < m_oldest)
        return false;
    const auto first =
        std::upper_bound(m_history.begin(), m_history.end(), version,
                         [](qint64 wanted, const ObjectEvent &event) { return wanted < event.version; });
    for (auto event = first; event != m_history.end(); ++event)
        take(*event);
    return true;
}

void ObjectCollection::compact(qint64 version)
{
    while (!m_history.empty() && m_history.front().version <= version) {
        m_historyBytes -= m_history.front().text.size();
        m_history.pop_front();
    }
    m_oldest = std::max(m_oldest, version);
    std::erase_if(m_remembered,
                  [version](const ObjectSnapshot &snapshot) { return snapshot.version <= version; });
}

int ObjectCollection::subscribe(Listener listener)
{
    m_listeners.emplace_back(m_nextListener, std::move(listener));
    return m_nextListener++;
}

void ObjectCollection::unsubscribe(int id)
{
    std::erase_if(m_listeners, [id](const auto &entry) { return entry.first == id; });
}

void ObjectCollection::publish(ObjectEvent event)
{
    m_historyBytes += event.text.size();
    m_history.push_back(std::move(event));
    while (m_history.size() > historyEvents || (m_historyBytes > historyLimit && m_history.size() > 1000)) {
        m_oldest = m_history.front().version;
        m_historyBytes -= m_history.front().text.size();
        m_history.pop_front();
    }
    if (m_listeners.empty())
        return;
    const ObjectEvent published = m_history.back();
    // A listener may leave while it is called.
    for (const auto &entry : std::vector<std::pair<int, Listener>>(m_listeners))
        entry.second(published);
}

} // namespace tongchi::simulator
