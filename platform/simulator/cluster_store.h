#pragma once

#include "platform/simulator/json_value.h"
#include "platform/simulator/object_collection.h"
#include "platform/simulator/resource_types.h"
#include "platform/simulator/simulated_object.h"

#include <QHash>

namespace tongchi::simulator {

/// All objects of one cluster under one counter of versions, fed by the fleet and by clients. What a client
/// changed stays when the fleet sends the same object again: the fleet's change since its last version is
/// laid on top of it.
class ClusterStore
{
public:
    explicit ClusterStore(const SimulatedClock &clock);

    /// The initial state; may run in any thread before the store is used.
    void load(FleetSource &fleet, int cluster);
    /// After load(): gives every namespace what a cluster's controllers put into it.
    void furnish(const QByteArray &authorityPem);
    /// The same for one that a client has made.
    void furnishNamespace(const QByteArray &name) { furnishNamespace(name, now()); }
    void apply(std::vector<ObjectChange> changes);

    ObjectCollection &collection(const ResourceType &type)
    {
        return m_collections[std::size_t(indexOf(&type))];
    }
    qint64 version() const { return m_version; }
    const SimulatedClock &clock() const { return m_clock; }
    QByteArray now() const; ///< RFC 3339

    /// The complete object; nothing when there is none.
    std::optional<JsonValue> object(const ResourceType &type, const QByteArray &key);
    bool contains(const ResourceType &type, const QByteArray &key)
    {
        return collection(type).find(key).has_value();
    }

    /// A client's change. Returns the new version.
    qint64 put(const ResourceType &type, const QByteArray &key, JsonValue object);
    bool remove(const ResourceType &type, const QByteArray &key);

    /// Forgets all history, as a restarted server with an empty watch cache.
    void compact();

private:
    void loadBuiltIn(QList<QByteArray> nameSpaces);
    void furnishNamespace(const QByteArray &name, const QByteArray &created);
    QByteArray longAgo() const;
    void applyOne(ObjectChange &change);
    QByteArray touchKey(const ResourceType &type, const QByteArray &key) const;

    const SimulatedClock &m_clock;
    QByteArray m_authorityPem;
    std::vector<ObjectCollection> m_collections;
    qint64 m_version = 0;
    QHash<QByteArray, JsonValue> m_fleetState; ///< of objects that clients changed: the fleet's last version
    QHash<QByteArray, QByteArray> m_deleted;   ///< by clients: uid of what the fleet still thinks is there
};

QByteArray newUid();
QByteArray objectKey(const QByteArray &nameSpace, const QByteArray &name);

/// The change from `before` to `after` laid on `onto`; both changed: `after` wins. Lists are replaced as a
/// whole.
void mergeChange(const JsonValue &before, const JsonValue &after, JsonValue &onto);

} // namespace tongchi::simulator
