#include "platform/kubernetes/reflector_base.h"

#include "platform/kubernetes/reflector_stream.h"

#include <QRandomGenerator>
#include <QUrl>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kBetweenForced{1'000};
constexpr milliseconds kBetweenExpiries{30'000}; ///< a second one sooner waits like an error

QByteArray withQuery(const QByteArray &path, const QByteArray &query)
{
    return path + (path.contains('?') ? '&' : '?') + query;
}

} // namespace

ReflectorBase::ReflectorBase(ReflectorOptions options, OpenStream openStream, QObject *parent)
    : QObject(parent), m_options(std::move(options)),
      m_clock(m_options.clock ? m_options.clock : &m_systemClock), m_openStream(std::move(openStream)),
      m_backoff(
          *m_clock, [this] { return 0.5 + 0.5 * m_options.random(); }, m_options.backoff),
      m_burst(std::max<std::size_t>(1, m_options.burst), m_options.burstWindow), m_pages(m_options.pages)
{
    if (!m_options.random)
        m_options.random = [] { return QRandomGenerator::global()->generateDouble(); };
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ReflectorBase::checkTime);
}

ReflectorBase::~ReflectorBase()
{
    if (m_stream)
        m_stream->detach();
    if (m_lane)
        m_lane->detach();
}

void ReflectorBase::start()
{
    if (m_step != Step::None || m_stream)
        return;
    m_state.error.reset();
    enterPhase(WatchPhase::Listing);
    schedule(Step::List, m_clock->monotonic());
    publish();
}

void ReflectorBase::stop()
{
    dropStream();
    abandonList();
    m_step = Step::None;
    m_version.clear();
    m_continue.clear();
    m_notBefore.reset();
    m_tickMonotonic.reset();
    m_state.error.reset();
    enterPhase(WatchPhase::Idle);
    publish();
    armTimer();
}

void ReflectorBase::refreshNow()
{
    const Monotonic now = m_clock->monotonic();
    if (m_step == Step::None && !m_stream && m_state.phase == WatchPhase::Idle)
        return;
    if (m_draining)
        return; // as good as read
    if (m_lastForced && now - *m_lastForced < kBetweenForced)
        return;
    if (m_stream) {
        if (m_state.phase != WatchPhase::Watching)
            return; // a list is under way: its answer is the newest there can be
        dropStream();
    }
    m_lastForced = now;
    schedule(m_step == Step::Watch ? Step::Watch : Step::List,
             m_notBefore ? std::max(now, *m_notBefore) : now);
}

// ---- when ----

void ReflectorBase::schedule(Step step, Monotonic due)
{
    m_step = step;
    m_due = m_burst.earliest(due);
    armTimer();
}

void ReflectorBase::armTimer()
{
    if (m_state.phase == WatchPhase::Idle && m_retired.empty()) {
        m_timer.stop();
        return;
    }
    const Monotonic now = m_clock->monotonic();
    milliseconds rest = m_options.heartbeat;
    if (!m_retired.empty())
        rest = milliseconds(0);
    else if (m_draining)
        ; // piecesReady() goes on
    else if (m_stream)
        rest = std::min(rest, (m_lastHeard + m_silence) - now);
    else if (m_step != Step::None)
        rest = std::min(rest, m_due - now);
    m_timer.start(std::max(rest, milliseconds(0)));
}

void ReflectorBase::checkTime()
{
    m_retired.clear();
    if (m_state.phase == WatchPhase::Idle)
        return;
    const Monotonic now = m_clock->monotonic();
    noticeSleep(now);
    if (m_stream && m_step == Step::Watch && m_httpStatus == 200 && now - m_lastHeard >= m_silence &&
        m_silence < m_silenceLater) {
        dropStream(); // quiet, or dead: the next one will show
        schedule(Step::Watch, now);
    } else if (m_stream && !m_paused && now - m_lastHeard >= m_silence) {
        const bool listing = m_step == Step::List;
        const bool nothingCame = m_httpStatus == 0;
        dropStream();
        abandonList();
        Error error{
            .code = ErrorCode::Timeout,
            .text = QT_TRANSLATE_NOOP("Error", "The server was silent for too long; the link is renewed."),
            .remedy = QT_TRANSLATE_NOOP("Error", "It is tried again by itself."),
            .subject = m_options.subject};
        if (listing && nothingCame)
            tryPages(std::move(error));
        else
            wait(m_step, std::move(error));
    }
    if (!m_stream && !m_draining && m_step != Step::None && now >= m_due)
        startStep();
    if (m_state.lastHeard != m_publishedHeard)
        publish();
    armTimer();
}

// A heartbeat that is late by much, or a wall clock that ran on while the other stood still: the machine
// slept, and the far end of the connection may be gone without a word.
void ReflectorBase::noticeSleep(Monotonic now)
{
    const Instant wall = m_clock->now();
    bool slept = false;
    if (m_tickMonotonic && m_tickWall) {
        const auto ran = now - *m_tickMonotonic;
        const auto wallRan = wall - *m_tickWall;
        slept = ran > m_options.heartbeat + m_options.sleepSign || wallRan - ran > m_options.sleepSign;
    }
    m_tickMonotonic = now;
    m_tickWall = wall;
    if (!slept)
        return;
    m_backoff.reset();
    if (m_stream && m_step == Step::Watch) {
        dropStream();
        schedule(Step::Watch, now);
    } else if (!m_stream && m_state.phase == WatchPhase::Waiting) {
        schedule(m_step, m_notBefore ? std::max(now, *m_notBefore) : now);
    }
}

void ReflectorBase::dropStream()
{
    if (!m_stream)
        return;
    m_stream->detach();
    m_retired.push_back(std::move(m_stream));
    m_paused = false;
    // Freed from the event loop: this may run inside one of the stream's own callbacks.
    m_timer.start(0);
}

void ReflectorBase::startStep()
{
    m_notBefore.reset();
    m_state.nextTry.reset();
    m_streamError.reset();
    m_expired = false;
    m_streamEvents = 0;
    m_httpStatus = 0;
    m_headers.clear();
    m_errorBody.clear();
    if (m_step == Step::List) {
        if (m_options.executor && !m_lane) {
            m_lane = std::make_shared<ListLane>(
                m_options.executor, m_options.pieceBytes, [this] { return newItems(); },
                [this] {
                    QMetaObject::invokeMethod(this, &ReflectorBase::piecesReady, Qt::QueuedConnection);
                });
        }
        if (m_lane)
            m_lane->begin();
        m_cutter.reset();
        enterPhase(WatchPhase::Listing);
        m_silenceLater = m_options.listSilence;
        open(listRequest());
    } else {
        m_framing.reset();
        open(watchRequest());
    }
}

void ReflectorBase::open(const HttpRequest &request)
{
    const Monotonic now = m_clock->monotonic();
    m_silence = request.timeout + milliseconds(1'000); // until the first byte; the client is a little earlier
    m_lastHeard = now;
    m_streamStarted = now;
    m_burst.started(now);
    m_stream = std::make_unique<Stream>(this);
    Stream *const stream = m_stream.get();
    std::unique_ptr<StreamHandle> handle = m_openStream(request, stream, std::max(m_silence, m_silenceLater));
    stream->handle = std::move(handle); // the stream lives on among the retired ones if it has ended already
}

HttpRequest ReflectorBase::listRequest() const
{
    const bool pages = (m_pages && !m_wholeOnce) || !m_continue.isEmpty();
    QByteArray query;
    if (pages) {
        query = "limit=" + QByteArray::number(m_options.pageSize);
        if (!m_continue.isEmpty())
            query += "&continue=" + QUrl::toPercentEncoding(QString::fromUtf8(m_continue));
    } else if (!m_unsetVersion) {
        query = "resourceVersion=0";
    }
    HttpRequest request;
    request.path = query.isEmpty() ? m_options.path : withQuery(m_options.path, query);
    request.headers = {{"Accept", "application/json"}};
    request.timeout = pages || m_wholeOnce ? m_options.pageFirstByte : m_options.listFirstByte;
    return request;
}

HttpRequest ReflectorBase::watchRequest()
{
    const double span = double((m_options.watchLongest - m_options.watchShortest).count());
    const std::chrono::seconds length =
        m_options.watchShortest + std::chrono::seconds(qint64(span * m_options.random()));
    m_silenceLater = length + m_options.watchMargin;
    QByteArray query =
        "watch=1&allowWatchBookmarks=true&timeoutSeconds=" + QByteArray::number(qint64(length.count()));
    if (!m_version.empty())
        query += "&resourceVersion=" + QUrl::toPercentEncoding(QString::fromStdString(m_version));
    HttpRequest request;
    request.path = withQuery(m_options.path, query);
    request.headers = {{"Accept", "application/json"}};
    request.timeout = m_options.watchFirstByte;
    return request;
}

// ---- states ----

void ReflectorBase::enterPhase(WatchPhase phase)
{
    const bool changed = m_state.phase != phase;
    m_state.phase = phase;
    if (phase == WatchPhase::Watching || phase == WatchPhase::Listing)
        m_state.nextTry.reset();
    if (changed && phase == WatchPhase::Listing)
        publish();
}

void ReflectorBase::publish()
{
    m_published = m_clock->monotonic();
    m_publishedHeard = m_state.lastHeard;
    sinkState(m_state);
}

void ReflectorBase::wait(Step step, Error error)
{
    const Monotonic now = m_clock->monotonic();
    // Whatever it was, it is tried again: an operator mends certificates and rights while we wait.
    const milliseconds pause = m_backoff.next({.code = ErrorCode::Server, .retryAfter = error.retryAfter})
                                   .value_or(m_options.backoff.most);
    if (error.retryAfter)
        m_notBefore = now + std::min(*error.retryAfter, m_options.backoff.mostRetryAfter);
    if (step == Step::List) {
        m_continue.clear();
        m_wholeOnce = false;
        m_state.expected.reset();
    }
    m_state.objects = qint64(m_uids.size());
    enterPhase(WatchPhase::Waiting);
    m_state.error = std::move(error);
    schedule(step, now + pause);
    m_state.nextTry = m_clock->now() + (m_due - now);
    publish();
}

void ReflectorBase::halt(WatchPhase phase, Step step, Error error)
{
    m_step = step;
    m_due = Monotonic::max(); // until asked
    m_continue.clear();
    m_wholeOnce = false;
    m_state.objects = qint64(m_uids.size());
    m_state.expected.reset();
    m_state.nextTry.reset();
    m_state.error = std::move(error);
    enterPhase(phase);
    publish();
    armTimer();
}

void ReflectorBase::expire()
{
    const Monotonic now = m_clock->monotonic();
    m_version.clear();
    m_unsetVersion = true;
    const bool again = m_lastExpired && now - *m_lastExpired < kBetweenExpiries;
    m_lastExpired = now;
    if (again) {
        wait(Step::List,
             withSubject({.code = ErrorCode::Gone,
                          .text = QT_TRANSLATE_NOOP(
                              "Error", "The server keeps forgetting the version that it just gave."),
                          .remedy = QT_TRANSLATE_NOOP("Error", "It is tried again by itself.")}));
        return;
    }
    enterPhase(WatchPhase::Listing);
    schedule(Step::List, now);
}

Error ReflectorBase::withSubject(Error error) const
{
    if (error.subject.isEmpty())
        error.subject = m_options.subject;
    return error;
}

} // namespace tongchi
