#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tongchi::simulator {

struct StoredObject
{
    QByteArray key; ///< "namespace/name", or "name": the order of lists
    qint64 version = 0;
    QByteArray text; ///< see object_text.h; empty in a chunk that is kept packed only
};

/// The texts of a chunk, joined with commas and deflated so that several can be put one after the other into
/// one gzip stream (raw deflate blocks, ended on a byte, without references to what came before).
struct PackedTexts
{
    QByteArray deflated;
    quint32 crc = 0;
    qint64 length = 0;         ///< inflated
    std::vector<quint32> ends; ///< where each text ends in the inflated bytes
};

/// Some neighbouring objects. Never changed once it is in a snapshot, except that its packed form is filled
/// in.
struct ObjectChunk
{
    std::vector<StoredObject> objects;
    std::shared_ptr<const PackedTexts> packed;
    bool hasTexts() const { return objects.empty() || !objects.front().text.isEmpty(); }
};
using ObjectChunkPointer = std::shared_ptr<const ObjectChunk>;

std::shared_ptr<const PackedTexts> packTexts(const ObjectChunk &chunk);
/// The joined texts again.
QByteArray unpackTexts(const PackedTexts &packed);

/// All objects at one moment; cheap to copy.
struct ObjectSnapshot
{
    std::vector<ObjectChunkPointer> chunks;
    qint64 count = 0;
    qint64 version = 0;

    /// Calls take(object, text) from the first key that is not below `from`; stops when it returns false.
    using Take = std::function<bool(const StoredObject &, QByteArrayView)>;
    void forEach(const QByteArray &from, const Take &take) const;
    std::optional<QByteArray> find(const QByteArray &key, qint64 *version = nullptr) const;
};

struct ObjectEvent
{
    enum class Type { Added, Modified, Deleted };
    Type type = Type::Added;
    qint64 version = 0;
    QByteArray key;
    QByteArray text;     ///< Deleted: the last state, under the version of its deletion
    QByteArray previous; ///< before the change; empty for Added
};

/// The objects of one resource in one cluster with the history that watches resume from. Not thread-safe.
class ObjectCollection
{
public:
    /// Texts beyond this many bytes are kept packed only, and unpacked when somebody asks for one.
    static constexpr qint64 unpackedLimit = 64LL * 1024 * 1024;

    void load(StoredObject object); ///< at the start; best in the order of keys; makes no event
    void finishLoading(qint64 version);

    const ObjectSnapshot &snapshot() const { return m_current; }
    qint64 count() const { return m_current.count; }
    std::optional<QByteArray> find(const QByteArray &key, qint64 *version = nullptr) const
    {
        return m_current.find(key, version);
    }

    void put(const QByteArray &key, const QByteArray &text, qint64 version);
    bool remove(const QByteArray &key, qint64 version);

    /// The snapshot with every chunk packed; packs those that changed since.
    const ObjectSnapshot &packedSnapshot();

    /// Keeps the present state for the pages of a list, for a while.
    void remember(const ObjectSnapshot &snapshot);
    /// The state at that version: a remembered one, or what the history still tells.
    std::optional<ObjectSnapshot> at(qint64 version) const;

    /// Events after `version`; false when the history does not reach back so far.
    bool eventsAfter(qint64 version, const std::function<void(const ObjectEvent &)> &take) const;
    qint64 oldestVersion() const { return m_oldest; }
    /// Forgets history and remembered states up to `version`.
    void compact(qint64 version);

    using Listener = std::function<void(const ObjectEvent &)>;
    int subscribe(Listener listener);
    void unsubscribe(int id);

private:
    std::size_t chunkOf(const QByteArray &key) const;
    std::shared_ptr<ObjectChunk> editable(std::size_t index);
    void publish(ObjectEvent event);
    void closeTail();

    ObjectSnapshot m_current;
    std::shared_ptr<ObjectChunk> m_tail; ///< being filled while loading
    qint64 m_textBytes = 0;
    std::deque<ObjectEvent> m_history;
    qint64 m_historyBytes = 0;
    qint64 m_oldest = 0; ///< events up to here are not in the history
    std::deque<ObjectSnapshot> m_remembered;
    std::vector<std::pair<int, Listener>> m_listeners;
    int m_nextListener = 1;
};

} // namespace tongchi::simulator
