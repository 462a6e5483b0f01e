#pragma once

#include "platform/simulator/api_call.h"
#include "platform/simulator/object_collection.h"
#include "platform/simulator/printer_table.h"
#include "platform/simulator/selectors.h"

#include <QObject>
#include <deque>

namespace tongchi::simulator {

class ClusterStore;

/// What a watch was asked for.
struct WatchOptions
{
    const ResourceType *type = nullptr;
    QByteArray nameSpace; ///< empty: all
    LabelSelector labels;
    FieldSelector fields;
    Representation representation = Representation::Json;
    bool bookmarks = false;
    bool initialState = false; ///< ADDED for everything there is, first
    bool initialEnd = false;   ///< and the bookmark that says so
    qint64 from = 0;           ///< events after this version; ignored with initialState
    std::chrono::seconds timeout{0};
};

/// One open watch: sends what happens to the client until it leaves, the time is over or it is too slow.
/// Deletes itself at the end.
class WatchStream final : public QObject
{
    Q_OBJECT

public:
    WatchStream(HttpExchangePointer exchange, ClusterStore &store, WatchOptions options, QObject *parent);
    ~WatchStream() override;

    void start();
    /// One ERROR event, then the end: the client has to list again.
    void expire();

private:
    void sendInitialState();
    QByteArray nextInitialPiece();
    void sendEvent(const ObjectEvent &event);
    void take(const ObjectEvent &event);
    bool matches(const QByteArray &key, QByteArrayView text) const;
    void appendObject(QByteArray &out, const char *eventType, QByteArrayView text);
    void sendBookmark(bool endOfInitialState);
    void armTimers();
    void end();

    HttpExchangePointer m_exchange;
    ClusterStore &m_store;
    WatchOptions m_options;
    int m_subscription = 0;
    ObjectSnapshot m_initial;
    QByteArray m_prefix; ///< of keys in the namespace; empty: all
    QByteArray m_initialFrom;
    bool m_inInitialState = false;
    bool m_sentColumns = false;
    std::deque<ObjectEvent> m_waiting; ///< what happened while the initial state was being sent
    bool m_ended = false;
};

} // namespace tongchi::simulator
