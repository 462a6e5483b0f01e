// The half of ReflectorBase that hears the server: lists, watches and refusals.

#include "platform/kubernetes/api_error.h"
#include "platform/kubernetes/api_status.h"
#include "platform/kubernetes/object_parser.h"
#include "platform/kubernetes/reflector_base.h"
#include "platform/kubernetes/reflector_stream.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kErrorBodyLimit = 64 * 1024;
constexpr milliseconds kPublishEvery{1'000};
constexpr milliseconds kShortWatch{1'000}; ///< one that ends sooner, without an event, counts as failed
constexpr int kDamagedLists = 3; ///< the last of so many in a row is taken without what is damaged in it

/// apiError(), with the advice for a request that nobody wrote and that is made again by itself.
Error repeatedError(int status, const HeaderList &headers, std::string_view body, const QString &subject)
{
    Error error = apiError(status, headers, body, subject);
    if (error.code == ErrorCode::Server || error.code == ErrorCode::Timeout ||
        error.code == ErrorCode::RateLimited || error.code == ErrorCode::Gone)
        error.remedy = nullptr; // the general ones say so
    else if (error.code == ErrorCode::Invalid || error.code == ErrorCode::NotSupported)
        error.remedy =
            QT_TRANSLATE_NOOP("Error", "It is tried again by itself; if this lasts, the server may "
                                       "be of a version that the console does not know.");
    return error;
}

} // namespace

/// Hands what is cut out of the streams to the reflector.
class ReflectorReceiver final : public ItemReceiver, public WatchEventReceiver
{
public:
    explicit ReflectorReceiver(ReflectorBase *reflector) : m_reflector(reflector) {}

    void item(std::string_view json) override
    {
        if (const auto upserted = m_reflector->upsertObject(json); upserted.key)
            m_reflector->noteListed(UidSet::hashOf(*upserted.key));
        else
            m_reflector->noteUnreadable(*upserted.unreadable);
    }
    void skippedItem(std::string_view beginning, const char *reason) override
    {
        m_reflector->noteUnreadable({findIdentity(beginning).key, reason});
    }
    bool event(WatchEventType type, std::string_view object) override
    {
        return m_reflector->applyEvent(type, object);
    }
    bool skippedLine(std::string_view, const char *reason) override
    {
        m_reflector->sinkUnreadable({{}, reason}); // its object is right again with its next event
        return true;
    }
    bool damagedLine(std::string_view beginning, const char *reason) override
    {
        if (m_reflector->m_streamEvents > 0)
            return m_reflector->eventDamaged(reason);
        m_reflector->m_streamError = m_reflector->withSubject(
            {.code = ErrorCode::Protocol,
             .text = QT_TRANSLATE_NOOP("Error", "The answer to the watch is not a stream of events."),
             .remedy =
                 QT_TRANSLATE_NOOP("Error", "Look for a proxy or a login page between here and the server."),
             .detail = QString::fromUtf8(beginning.data(),
                                         qsizetype(std::min<std::size_t>(beginning.size(), 200)))});
        return false;
    }

private:
    ReflectorBase *m_reflector;
};

void ReflectorBase::headersArrived(int status, const HeaderList &headers)
{
    m_lastHeard = m_clock->monotonic();
    m_state.lastHeard = m_clock->now();
    m_httpStatus = status;
    m_headers = headers;
    m_silence = m_silenceLater;
    if (status != 200)
        return;
    if (m_step == Step::Watch)
        m_silence = std::min(m_silence, m_options.watchSilence);
    if (m_step == Step::List) {
        if (m_continue.isEmpty()) {
            m_listUids.clear();
            m_pagesItems = 0;
            m_listVersion.clear();
            m_damage.clear();
            m_damagedIdentity = false;
            m_state.objects = 0;
            m_state.expected.reset();
            sinkListStarted();
        }
    } else if (m_state.phase != WatchPhase::Watching || m_state.error) {
        m_state.error.reset();
        enterPhase(WatchPhase::Watching);
        publish();
    } else if (m_lastHeard - m_published >= kPublishEvery) {
        publish(); // it had been silent for long
    }
}

void ReflectorBase::dataArrived(std::string_view bytes)
{
    m_lastHeard = m_clock->monotonic();
    m_state.lastHeard = m_clock->now();
    if (m_httpStatus != 200) {
        m_errorBody.append(bytes.substr(0, kErrorBodyLimit - std::min(kErrorBodyLimit, m_errorBody.size())));
        return;
    }
    ReflectorReceiver receiver(this);
    if (m_step == Step::List && m_lane) {
        m_lane->add(bytes);
        if (m_lane->ahead() >= m_options.piecesAhead && !m_paused && m_stream->handle) {
            m_paused = true;
            m_stream->handle->pause();
        }
    } else if (m_step == Step::List) {
        const bool fine = m_cutter.feed(bytes, receiver);
        listProgress(m_cutter.itemCount(), m_cutter.header().remainingItemCount);
        if (!fine) {
            dropStream();
            listRead(ListEnd(m_cutter));
            return;
        }
    } else if (!m_framing.feed(bytes, receiver)) {
        dropStream();
        watchAnswered({});
        return;
    }
    if (m_lastHeard - m_published >= kPublishEvery)
        publish();
}

void ReflectorBase::listProgress(qint64 items, std::optional<qint64> remaining)
{
    m_state.objects = m_pagesItems + items;
    if (remaining)
        m_state.expected = std::max(m_state.expected.value_or(0), m_pagesItems + items + *remaining);
}

// The executor has read something of the list.
void ReflectorBase::piecesReady()
{
    while (auto piece = m_lane->take()) {
        applyItems(*piece->items);
        if (m_step != Step::List)
            return; // the sink has stopped us
        listProgress(piece->itemsSoFar, piece->remainingItemCount);
        const std::optional<ListEnd> end = std::move(piece->end);
        m_lane->giveBack(std::move(piece));
        if (end) {
            dropStream(); // of a body that is no list
            abandonList();
            listRead(*end);
            return;
        }
    }
    if (m_paused && m_stream && m_lane->ahead() * 2 <= m_options.piecesAhead) {
        m_paused = false;
        m_lastHeard = m_clock->monotonic(); // the silence was ours
        m_stream->handle->resume();
    }
    if (m_clock->monotonic() - m_published >= kPublishEvery)
        publish();
}

void ReflectorBase::abandonList()
{
    m_draining = false;
    if (!m_lane)
        return;
    m_lane->abandon();
    m_lane->release();
}

void ReflectorBase::streamFinished(const Status &status)
{
    const bool listing = m_step == Step::List;
    dropStream();
    if (listing && m_lane) {
        if (status && m_httpStatus == 200) {
            m_draining = true;
            m_lane->finish();
            armTimer();
            return;
        }
        abandonList();
    }
    if (!status && m_httpStatus == 0 && listing && status.error().code == ErrorCode::Timeout) {
        tryPages(status.error());
        return;
    }
    if (m_httpStatus != 0 && m_httpStatus != 200) {
        refused();
        return;
    }
    if (!status) {
        if (listing)
            listBroken(status.error());
        else
            watchAnswered(status);
        return;
    }
    if (listing) {
        listRead(ListEnd(m_cutter));
        return;
    }
    ReflectorReceiver receiver(this);
    m_framing.finish(receiver);
    watchAnswered({});
}

void ReflectorBase::listBroken(const Error &error)
{
    // A body that keeps breaking off may be too long for something on the way.
    if (m_httpStatus == 200 && ++m_brokenLists >= 2 && !m_pages) {
        m_brokenLists = 0;
        m_pages = true;
    }
    wait(Step::List, withSubject(error));
}

// A body arrived; whether it is a list, `end` says.
void ReflectorBase::listRead(const ListEnd &end)
{
    if (!end.status) {
        listBroken(end.status.error());
        return;
    }
    if (!end.statusJson.empty()) {
        const auto answer = parseApiStatus(end.statusJson);
        m_httpStatus = answer && answer->code >= 400 ? answer->code : 500;
        m_errorBody = end.statusJson;
        refused();
        return;
    }
    pageComplete(end);
}

void ReflectorBase::pageComplete(const ListEnd &end)
{
    if (const std::string damage = std::exchange(m_damage, {}); damage.empty()) {
        m_damagedLists = 0;
    } else if (++m_damagedLists < kDamagedLists || m_damagedIdentity) {
        wait(Step::List, damageError(damage.c_str()));
        return;
    }
    const Monotonic now = m_clock->monotonic();
    const ListHeader &header = end.header;
    m_pagesItems += end.items;
    if (m_listVersion.empty())
        m_listVersion = header.resourceVersion;
    const QByteArray next = QByteArray::fromStdString(header.continueToken);
    if (!next.isEmpty()) {
        if (next == m_continue) {
            wait(Step::List,
                 withSubject(
                     {.code = ErrorCode::Protocol,
                      .text = QT_TRANSLATE_NOOP("Error", "The server gives the same page again and again."),
                      .remedy = QT_TRANSLATE_NOOP("Error", "It is tried again by itself.")}));
            return;
        }
        m_continue = next;
        // A server that ignored resourceVersion=0 and pages by itself is followed in its way.
        m_pages = true;
        schedule(Step::List, now);
        return;
    }
    m_continue.clear();
    m_wholeOnce = false;
    m_brokenLists = 0;
    m_unsetVersion = false;
    m_version = m_listVersion;
    std::swap(m_uids, m_listUids);
    m_listUids.clear();
    sinkListFinished();
    if (m_state.complete)
        ++m_state.relists;
    m_state.complete = true;
    m_state.objects = qint64(m_uids.size());
    m_state.expected.reset();
    m_state.error.reset();
    enterPhase(WatchPhase::Watching);
    schedule(Step::Watch, now);
    publish();
}

void ReflectorBase::tryPages(Error error)
{
    if (m_pages || m_wholeOnce) {
        wait(Step::List, withSubject(std::move(error)));
        return;
    }
    m_pages = true;
    m_continue.clear();
    schedule(Step::List, m_clock->monotonic());
}

// Any status but 200. m_step says which request it was.
void ReflectorBase::refused()
{
    const bool listing = m_step == Step::List;
    const std::optional<ApiStatus> answer = parseApiStatus(m_errorBody);
    Error error = repeatedError(m_httpStatus, m_headers, m_errorBody, m_options.subject);
    if (m_httpStatus == 403) {
        halt(WatchPhase::Forbidden, m_step, std::move(error));
        return;
    }
    if (m_httpStatus == 404) {
        halt(WatchPhase::Missing, Step::List, std::move(error));
        return;
    }
    const bool expired = m_httpStatus == 410 || (answer && answer->isExpired());
    const bool tooLarge = answer && answer->versionTooLarge;
    if (!listing) {
        if (expired || tooLarge) {
            expire();
            return;
        }
        // The version or the watch itself is not understood: only a fresh list can help.
        const bool resume = m_httpStatus == 429 || m_httpStatus == 401 || m_httpStatus >= 500;
        wait(resume ? Step::Watch : Step::List, std::move(error));
        return;
    }
    if (expired && !m_continue.isEmpty()) {
        // The pages fell out of the server's memory. A token in the answer would go on in a newer version and
        // leave the earlier pages stale for good, so the list is asked for again, at once.
        m_continue.clear();
        m_wholeOnce = true;
        m_unsetVersion = true;
        schedule(Step::List, m_clock->monotonic());
        return;
    }
    if (expired || tooLarge)
        m_unsetVersion = true;
    const bool tooMuch =
        m_httpStatus == 413 || m_httpStatus == 504 ||
        (m_httpStatus == 500 && m_errorBody.find("etcdserver: request timed out") != std::string::npos);
    if (tooMuch && !tooLarge && !m_pages && !m_wholeOnce)
        tryPages(std::move(error));
    else
        wait(Step::List, std::move(error));
}

bool ReflectorBase::applyEvent(WatchEventType type, std::string_view object)
{
    switch (type) {
    case WatchEventType::Added:
    case WatchEventType::Modified: {
        const Upserted upserted = upsertObject(object);
        if (upserted.unreadable && upserted.unreadable->damaged)
            return eventDamaged(upserted.unreadable->reason.c_str());
        ++m_streamEvents;
        if (upserted.key) {
            m_uids.insert(*upserted.key);
            if (!upserted.resourceVersion->empty())
                m_version = *upserted.resourceVersion;
        } else {
            sinkUnreadable(*upserted.unreadable);
            if (const std::string version = findIdentity(object).resourceVersion; !version.empty())
                m_version = version;
        }
        break;
    }
    case WatchEventType::Deleted: {
        ++m_streamEvents;
        const ObjectIdentity identity = findIdentity(object);
        if (!identity.resourceVersion.empty())
            m_version = identity.resourceVersion;
        m_uids.remove(identity.key);
        sinkRemoved(identity.key);
        break;
    }
    case WatchEventType::Bookmark:
        ++m_streamEvents;
        if (const std::string version = findIdentity(object).resourceVersion; !version.empty())
            m_version = version;
        return true;
    case WatchEventType::Error:
        return applyWatchError(object);
    }
    m_brokenWatches = 0;
    m_state.objects = qint64(m_uids.size());
    return true;
}

void ReflectorBase::noteUnreadable(const UnreadableObject &object)
{
    if (object.damaged) {
        m_damage = object.reason;
        const auto isCertain = [](const std::string &text) {
            return !text.empty() && text.find("\uFFFD") == std::string::npos;
        };
        m_damagedIdentity = m_damagedIdentity || !isCertain(object.key.name) || !isCertain(object.key.uid);
    }
    sinkUnreadable(object);
}

Error ReflectorBase::damageError(const char *reason) const
{
    return withSubject(
        {.code = ErrorCode::Protocol,
         .text = QT_TRANSLATE_NOOP("Error", "Something in the answer was damaged on its way."),
         .remedy = QT_TRANSLATE_NOOP(
             "Error", "It is asked for again; if this stays, look for a proxy that changes answers."),
         .detail = QLatin1String(reason)});
}

// What was lost with it is not known, a deletion perhaps: the watch has to go on before it.
bool ReflectorBase::eventDamaged(const char *reason)
{
    m_streamError = damageError(reason);
    return false;
}

// An ERROR event ends the stream; its Status says how to go on.
bool ReflectorBase::applyWatchError(std::string_view object)
{
    const std::optional<ApiStatus> answer = parseApiStatus(object);
    m_expired = answer && (answer->isExpired() || answer->versionTooLarge);
    m_streamError =
        repeatedError(answer && answer->code >= 400 ? answer->code : 500, {}, object, m_options.subject);
    return false;
}

// A watch is over; m_streamError and m_expired say what was found in it.
void ReflectorBase::watchAnswered(const Status &status)
{
    const Monotonic now = m_clock->monotonic();
    if (m_expired) {
        expire();
        return;
    }
    std::optional<Error> error = m_streamError;
    if (!error && !status)
        error = withSubject(status.error());
    if (error) {
        // An error inside the stream again and again, without one event: the version may be what it is about.
        const bool stuck = m_streamError && m_streamEvents == 0 && ++m_brokenWatches >= 3;
        if (stuck)
            m_brokenWatches = 0;
        wait(stuck ? Step::List : Step::Watch, std::move(*error));
        return;
    }
    if (m_streamEvents == 0 && now - m_streamStarted < kShortWatch) {
        wait(Step::Watch,
             withSubject({.code = ErrorCode::Protocol,
                          .text = QT_TRANSLATE_NOOP("Error", "The server ended the watch at once."),
                          .remedy = QT_TRANSLATE_NOOP("Error", "It is tried again by itself.")}));
        return;
    }
    m_state.objects = qint64(m_uids.size());
    schedule(Step::Watch, now); // an orderly end is how every watch ends
}

} // namespace tongchi
