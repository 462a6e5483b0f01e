#include "platform/simulator/watch_stream.h"

#include "platform/simulator/cluster_store.h"
#include "platform/simulator/object_text.h"

#include <QTimer>

namespace tongchi::simulator {

namespace {

// A client that is this far behind is cut off, as the API server does; it lists again.
constexpr qint64 slowClientLimit = 32LL * 1024 * 1024;
constexpr int initialBatch = 128;
constexpr std::chrono::seconds bookmarkInterval{60};

} // namespace

WatchStream::WatchStream(HttpExchangePointer exchange, ClusterStore &store, WatchOptions options,
                         QObject *parent)
    : QObject(parent), m_exchange(std::move(exchange)), m_store(store), m_options(std::move(options))
{
    if (!m_options.nameSpace.isEmpty())
        m_prefix = m_options.nameSpace + '/';
}

WatchStream::~WatchStream()
{
    if (m_subscription)
        m_store.collection(*m_options.type).unsubscribe(m_subscription);
    m_exchange->onClosed(nullptr);
}

void WatchStream::start()
{
    HttpAnswer head = jsonAnswer({});
    head.pieces.clear();
    m_exchange->startStream(std::move(head));
    m_exchange->onClosed([this] { end(); });
    ObjectCollection &collection = m_store.collection(*m_options.type);
    m_subscription = collection.subscribe([this](const ObjectEvent &event) { take(event); });
    armTimers();
    if (m_options.initialState) {
        sendInitialState();
        return;
    }
    // A version from the future waits for it, like the real server's cache.
    if (!collection.eventsAfter(m_options.from, [this](const ObjectEvent &event) { sendEvent(event); }))
        expire();
}

void WatchStream::armTimers()
{
    using namespace std::chrono;
    const auto timeout = m_options.timeout.count() > 0 ? m_options.timeout : seconds(1800);
    QTimer::singleShot(duration_cast<milliseconds>(timeout), this, [this] {
        if (m_ended)
            return;
        m_exchange->finish();
        end();
    });
    if (!m_options.bookmarks)
        return;
    auto *regular = new QTimer(this);
    connect(regular, &QTimer::timeout, this, [this] { sendBookmark(false); });
    regular->start(bookmarkInterval);
    for (int before : {2, 1}) {
        if (timeout > seconds(before))
            QTimer::singleShot(duration_cast<milliseconds>(timeout - seconds(before)), this,
                               [this] { sendBookmark(false); });
    }
}

void WatchStream::sendInitialState()
{
    m_inInitialState = true;
    m_initial = m_store.collection(*m_options.type).snapshot();
    m_initial.version = m_store.version();
    m_initialFrom = m_prefix;
    m_exchange->produce([this, guard = QPointer<WatchStream>(this)]() -> QByteArray {
        return guard ? nextInitialPiece() : QByteArray();
    });
}

QByteArray WatchStream::nextInitialPiece()
{
    QByteArray piece;
    bool more = false;
    while (piece.isEmpty() && m_inInitialState) {
        int seen = 0;
        more = false;
        m_initial.forEach(m_initialFrom, [&](const StoredObject &object, QByteArrayView text) {
            if (!object.key.startsWith(m_prefix))
                return false;
            if (++seen > initialBatch) {
                m_initialFrom = object.key;
                more = true;
                return false;
            }
            if (matches(object.key, text))
                appendObject(piece, "ADDED", text);
            return true;
        });
        if (!more)
            m_inInitialState = false;
    }
    if (m_inInitialState || !piece.isEmpty())
        return piece; // asked once more: then nothing is left
    m_initial = {};
    if (m_options.initialEnd)
        sendBookmark(true);
    for (const ObjectEvent &event : std::exchange(m_waiting, {}))
        sendEvent(event);
    return {};
}

bool WatchStream::matches(const QByteArray &key, QByteArrayView text) const
{
    if (!key.startsWith(m_prefix))
        return false;
    return m_options.fields.matches(text) && m_options.labels.matches(text);
}

void WatchStream::take(const ObjectEvent &event)
{
    if (m_ended)
        return;
    if (m_inInitialState || m_initial.version > 0)
        m_waiting.push_back(event);
    else
        sendEvent(event);
}

void WatchStream::sendEvent(const ObjectEvent &event)
{
    if (m_ended || (!m_options.initialState && event.version <= m_options.from))
        return;
    const bool before = !event.previous.isEmpty() && matches(event.key, event.previous);
    const bool after = event.type != ObjectEvent::Type::Deleted && matches(event.key, event.text);
    QByteArray out;
    if (after)
        appendObject(out, before ? "MODIFIED" : "ADDED", event.text);
    else if (before)
        appendObject(out, "DELETED",
                     event.type == ObjectEvent::Type::Deleted ? event.text
                                                              : withVersion(event.previous, event.version));
    if (out.isEmpty())
        return;
    m_exchange->write(out);
    if (m_exchange->pendingBytes() > slowClientLimit) {
        m_exchange->abort();
        end();
    }
}

void WatchStream::appendObject(QByteArray &out, const char *eventType, QByteArrayView text)
{
    out += "{\"type\":\"";
    out += eventType;
    out += "\",\"object\":";
    switch (m_options.representation) {
    case Representation::Json:
        out += completeText(text, m_options.type->kind, m_options.type->apiVersion());
        break;
    case Representation::Table: {
        const QByteArray version = rawString(rawMember(text, {"metadata", "resourceVersion"}));
        out += tableHead(*m_options.type, "{\"resourceVersion\":\"" + version + "\"}", !m_sentColumns);
        m_sentColumns = true;
        TableRows rows(*m_options.type, m_store.clock().now());
        rows.append(out, text, IncludeObject::Metadata);
        out += "]}";
        break;
    }
    case Representation::PartialMetadata:
    case Representation::PartialMetadataList:
        out += "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":";
        out.append(rawMember(text, "metadata"));
        out += '}';
        break;
    }
    out += "}\n";
}

void WatchStream::sendBookmark(bool endOfInitialState)
{
    if (m_ended || m_inInitialState || (m_initial.version > 0 && !endOfInitialState))
        return;
    const QByteArray version = QByteArray::number(m_store.version());
    QByteArray metadata = "{\"resourceVersion\":\"" + version + '"';
    if (endOfInitialState)
        metadata += ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}";
    metadata += '}';
    QByteArray out = "{\"type\":\"BOOKMARK\",\"object\":";
    switch (m_options.representation) {
    case Representation::Json:
        out += "{\"kind\":\"" + QByteArray(m_options.type->kind) + "\",\"apiVersion\":\"" +
               m_options.type->apiVersion() + "\",\"metadata\":" + metadata + m_options.type->emptyParts +
               '}';
        break;
    case Representation::Table: {
        // The server prints the object of a bookmark as if it were one of the others.
        out += tableHead(*m_options.type, "{\"resourceVersion\":\"" + version + "\"}", !m_sentColumns);
        m_sentColumns = true;
        TableRows rows(*m_options.type, m_store.clock().now());
        const QByteArray printed = "{\"metadata\":" + metadata + m_options.type->emptyParts + '}';
        rows.append(out, printed, IncludeObject::Metadata);
        out += "]}";
        break;
    }
    case Representation::PartialMetadata:
    case Representation::PartialMetadataList:
        out +=
            "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":" + metadata +
            '}';
        break;
    }
    m_exchange->write(out + "}\n");
}

void WatchStream::expire()
{
    if (m_ended)
        return;
    const qint64 oldest = m_store.collection(*m_options.type).oldestVersion();
    const ApiError error = tooOldVersion("too old resource version: " + QByteArray::number(m_options.from) +
                                         " (" + QByteArray::number(oldest) + ')');
    m_exchange->write("{\"type\":\"ERROR\",\"object\":" + statusBody(error).trimmed() + "}\n");
    m_exchange->finish();
    end();
}

void WatchStream::end()
{
    if (m_ended)
        return;
    m_ended = true;
    if (m_subscription)
        m_store.collection(*m_options.type).unsubscribe(m_subscription);
    m_subscription = 0;
    m_waiting.clear();
    deleteLater();
}

} // namespace tongchi::simulator
