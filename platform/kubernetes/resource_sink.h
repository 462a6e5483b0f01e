#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"
#include "platform/kubernetes/object_records.h"

#include <optional>

namespace tongchi {

/// What a list-and-watch of one resource is doing.
enum class WatchPhase : quint8 {
    Idle,      ///< not started
    Listing,   ///< reading the first or a fresh list
    Watching,  ///< complete and following
    Waiting,   ///< between two tries, after an error
    Forbidden, ///< 403: not tried again until asked
    Missing,   ///< 404: the server does not have this resource
};

struct WatchState
{
    WatchPhase phase = WatchPhase::Idle;
    bool complete = false;      ///< one whole list has been read since the start
    std::optional<Error> error; ///< why it is waiting
    std::optional<Instant> nextTry;
    std::optional<Instant> lastHeard; ///< last byte, event or bookmark from the server, by our clock
    qint64 objects = 0;               ///< read so far of the list under way, else the number of objects
    std::optional<qint64> expected;   ///< of the list under way, if the server said
    int relists = 0;
};

/// Receives the objects of one resource, in the cluster's thread. Everything not upserted (or reported
/// unreadable) between the last listStarted() and listFinished() is gone. A list that breaks off is followed
/// by another listStarted() without a listFinished(): nothing is gone then, and what was upserted stays.
/// Identity is the uid: removed() of an older uid must not remove a newer object of that name.
template <typename Record> class ResourceSink
{
public:
    virtual ~ResourceSink() = default;
    virtual void listStarted() = 0;
    virtual void upsert(const Record &record) = 0;
    virtual void removed(const ObjectKey &key) = 0;
    virtual void unreadable(const UnreadableObject &object) = 0;
    virtual void listFinished() = 0;
    virtual void stateChanged(const WatchState &state) = 0;
};

} // namespace tongchi
