#pragma once

#include "platform/core/clock.h"
#include "platform/http/retry_policy.h"
#include "platform/http/stream_client.h"
#include "platform/kubernetes/burst_limit.h"
#include "platform/kubernetes/item_cutter.h"
#include "platform/kubernetes/list_lane.h"
#include "platform/kubernetes/resource_sink.h"
#include "platform/kubernetes/uid_set.h"
#include "platform/kubernetes/watch_framing.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tongchi {

struct ReflectorOptions
{
    QByteArray path;                ///< "/api/v1/nodes"; may end in a query of selectors
    QString subject;                ///< what errors are about, for instance "nodes of beijing-1"
    const Clock *clock = nullptr;   ///< must outlive the reflector; null: the machine's
    std::function<double()> random; ///< [0, 1); null: the machine's
    std::chrono::milliseconds listFirstByte{15'000}; ///< whole list asked at once; later, pages are tried
    std::chrono::milliseconds pageFirstByte{60'000};
    std::chrono::milliseconds watchFirstByte{30'000};
    std::chrono::milliseconds listSilence{30'000}; ///< no byte for so long within a list
    int pageSize = 5'000;
    bool pages = false;                      ///< true: pages from the start
    std::chrono::seconds watchShortest{300}; ///< timeoutSeconds is drawn between these two
    std::chrono::seconds watchLongest{600};
    std::chrono::milliseconds watchMargin{20'000}; ///< silence beyond timeoutSeconds means a dead link
    /// Nothing heard on a watch for so long: it is begun anew where it stands, which shows whether the server
    /// still answers. Servers send a bookmark each minute.
    std::chrono::milliseconds watchSilence{75'000};
    RetryOptions backoff;   ///< pauses: the upper half of its jitter, so that they grow
    std::size_t burst = 10; ///< requests in any burstWindow
    std::chrono::milliseconds burstWindow{10'000};
    std::chrono::milliseconds heartbeat{5'000};  ///< how often the clock is looked at without a reason
    std::chrono::milliseconds sleepSign{15'000}; ///< a heartbeat late by so much: the machine slept
    ListExecutor executor; ///< reads lists in another thread; empty: they are read where they arrive
    std::size_t pieceBytes = 384 * 1024; ///< of a list's text that goes to the executor at once
    std::size_t piecesAhead = 3;         ///< so many not applied yet: the server has to wait
};

/// Starts one request; StreamClient::open, or a test's stand-in.
using OpenStream = std::function<std::unique_ptr<StreamHandle>(const HttpRequest &, StreamSink *,
                                                               std::chrono::milliseconds)>;

/// Lists one resource and follows it with watches for ever (what client-go calls a reflector): everything
/// about the protocol, nothing about the kind of object. See Reflector for use. Lives in the thread of its
/// stream client.
///
/// - One streamed list with resourceVersion=0, pages when the server cannot; then watches from its version
/// with
///   bookmarks, resumed at the last version after an end or an error, listed anew once when the version has
///   expired.
/// - Errors wait with growing pauses, never shorter than Retry-After; 403 and 404 wait for refreshNow().
/// - With an executor, lists (never events) are cut and parsed in its thread; the sink hears the same calls
/// in the
///   same order, in the reflector's thread. A list that breaks off takes pieces that were not applied with
///   it.
/// - After a sleep of the machine the link is renewed at once; never more than `burst` requests in
/// `burstWindow`.
class ReflectorBase : public QObject
{
    Q_OBJECT
public:
    ~ReflectorBase() override;

    void start();
    /// Closes the stream and forgets the version; the sink hears the state and nothing more.
    void stop();
    /// Tries now what would be tried later, or renews a watch. Repeated calls within a second count as one,
    /// and nothing is asked twice at the same time. Retry-After is still kept.
    void refreshNow();
    const WatchState &state() const { return m_state; }
    /// Looks at the clock and does what is due. The own timer calls it; tests call it after moving their
    /// clock.
    void checkTime();

protected:
    ReflectorBase(ReflectorOptions options, OpenStream openStream, QObject *parent);

    /// What became of an object: its identity, or why it could not be read. Valid until the next call.
    struct Upserted
    {
        const ObjectKey *key = nullptr;
        const std::string *resourceVersion = nullptr;
        const UnreadableObject *unreadable = nullptr; ///< the sink has not been told
    };
    virtual Upserted upsertObject(std::string_view json) = 0;
    virtual std::unique_ptr<ParsedItems> newItems() = 0;
    /// Hands the items to the sink in their order, UidSet::hashOf() of all that it upserts to noteListed(),
    /// and what could not be read to noteUnreadable(), which tells the sink.
    virtual void applyItems(const ParsedItems &items) = 0;
    void noteListed(std::uint64_t uidHash) { m_listUids.insertHash(uidHash); }
    void noteUnreadable(const UnreadableObject &object);
    virtual void sinkRemoved(const ObjectKey &key) = 0;
    virtual void sinkUnreadable(const UnreadableObject &object) = 0;
    virtual void sinkListStarted() = 0;
    virtual void sinkListFinished() = 0;
    virtual void sinkState(const WatchState &state) = 0;

private:
    class Stream;
    enum class Step : quint8 { None, List, Watch };

    // reflector_base.cpp: what to do when
    void schedule(Step step, Monotonic due);
    void startStep();
    void open(const HttpRequest &request);
    void dropStream();
    void wait(Step step, Error error);
    void halt(WatchPhase phase, Step step, Error error);
    void expire();
    void noticeSleep(Monotonic now);
    void armTimer();
    void enterPhase(WatchPhase phase);
    void publish();
    HttpRequest listRequest() const;
    HttpRequest watchRequest();

    // reflector_answers.cpp: what the server says
    void headersArrived(int status, const HeaderList &headers);
    void dataArrived(std::string_view bytes);
    void streamFinished(const Status &status);
    void listBroken(const Error &error);
    void listRead(const ListEnd &end);
    void listProgress(qint64 items, std::optional<qint64> remaining);
    void piecesReady();
    void abandonList();
    void watchAnswered(const Status &status);
    void refused();
    void pageComplete(const ListEnd &end);
    bool applyEvent(WatchEventType type, std::string_view object);
    bool applyWatchError(std::string_view object);
    bool eventDamaged(const char *reason);
    Error damageError(const char *reason) const;
    void tryPages(Error error);
    Error withSubject(Error error) const;

    friend class ReflectorReceiver;

    ReflectorOptions m_options;
    SystemClock m_systemClock;
    const Clock *m_clock;
    OpenStream m_openStream;
    QTimer m_timer;
    WatchState m_state;
    RetryBackoff m_backoff;
    BurstLimit m_burst;

    std::unique_ptr<Stream> m_stream;               ///< the one open request
    std::vector<std::unique_ptr<Stream>> m_retired; ///< ended ones, freed outside their callbacks
    Step m_step = Step::None;                       ///< next (or, with a stream, current) thing to do
    Monotonic m_due{};
    std::optional<Monotonic> m_notBefore; ///< Retry-After
    std::optional<Monotonic> m_lastForced;
    std::optional<Monotonic> m_lastExpired;
    Monotonic m_lastHeard{};
    Monotonic m_streamStarted{};
    std::chrono::milliseconds m_silence{};      ///< how long the stream may be silent now
    std::chrono::milliseconds m_silenceLater{}; ///< the same once its headers have come
    std::optional<Monotonic> m_tickMonotonic;
    std::optional<Instant> m_tickWall;
    std::optional<Instant> m_publishedHeard;
    Monotonic m_published{};

    std::string m_version;       ///< resume point; empty: none
    bool m_unsetVersion = false; ///< the next list asks for the newest state, not for resourceVersion=0
    bool m_pages = false;
    bool m_wholeOnce = false;  ///< pages expired under way: this list is asked for at once
    QByteArray m_continue;     ///< of the next page
    qint64 m_pagesItems = 0;   ///< elements of the pages before
    std::string m_listVersion; ///< of the list's first page
    int m_brokenLists = 0;
    int m_damagedLists = 0;         ///< in a row
    std::string m_damage;           ///< found in the list under way; empty: none
    bool m_damagedIdentity = false; ///< and of what is not known: nothing may be taken for gone
    int m_brokenWatches = 0;
    qint64 m_streamEvents = 0;
    int m_httpStatus = 0;
    HeaderList m_headers;
    std::string m_errorBody;
    std::optional<Error> m_streamError; ///< found in the stream; it was dropped for it
    bool m_expired = false;
    ItemCutter m_cutter;              ///< of lists that are read here
    std::shared_ptr<ListLane> m_lane; ///< of lists that the executor reads
    bool m_draining = false;          ///< the list has arrived; its last pieces are still being read
    bool m_paused = false;            ///< the stream, until the executor has caught up
    WatchFraming m_framing;
    UidSet m_uids, m_listUids;
};

} // namespace tongchi
