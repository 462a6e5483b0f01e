#pragma once

#include "platform/kubernetes/object_parser.h"
#include "platform/kubernetes/parsed_records.h"
#include "platform/kubernetes/reflector_base.h"

#include <memory>
#include <utility>

namespace tongchi {

/// Lists and watches one resource into a sink, which must outlive it:
///
///     Reflector<NodeRecord> nodes({.path = "/api/v1/nodes"}, streamClient, std::make_unique<NodeParser>(),
///     sink); nodes.start();
///
/// Use it, and the client, in one thread. The sink must not delete the reflector from within a call.
template <typename Record> class Reflector final : public ReflectorBase
{
public:
    Reflector(ReflectorOptions options, OpenStream openStream, std::unique_ptr<ObjectParser<Record>> parser,
              ResourceSink<Record> *sink, QObject *parent = nullptr)
        : ReflectorBase(std::move(options), std::move(openStream), parent), m_parser(std::move(parser)),
          m_sink(sink)
    {
    }
    /// `client` must outlive the reflector.
    Reflector(ReflectorOptions options, StreamClient *client, std::unique_ptr<ObjectParser<Record>> parser,
              ResourceSink<Record> *sink, QObject *parent = nullptr)
        : Reflector(
              std::move(options),
              [client](const HttpRequest &request, StreamSink *streamSink, std::chrono::milliseconds idle) {
                  return client->open(request, streamSink, idle);
              },
              std::move(parser), sink, parent)
    {
    }

private:
    Upserted upsertObject(std::string_view json) override
    {
        m_unreadable = {};
        if (!m_parser->parse(json, m_record, m_unreadable))
            return {.unreadable = &m_unreadable};
        m_sink->upsert(m_record);
        return {&m_record.key, &m_record.resourceVersion};
    }
    std::unique_ptr<ParsedItems> newItems() override
    {
        return std::make_unique<ParsedRecords<Record>>(m_parser);
    }
    void applyItems(const ParsedItems &items) override
    {
        static_cast<const ParsedRecords<Record> &>(items).each(
            [this](const Record &record, std::uint64_t uidHash) {
                m_sink->upsert(record);
                noteListed(uidHash);
            },
            [this](const UnreadableObject &object) { noteUnreadable(object); });
    }
    void sinkRemoved(const ObjectKey &key) override { m_sink->removed(key); }
    void sinkUnreadable(const UnreadableObject &object) override { m_sink->unreadable(object); }
    void sinkListStarted() override { m_sink->listStarted(); }
    void sinkListFinished() override { m_sink->listFinished(); }
    void sinkState(const WatchState &state) override { m_sink->stateChanged(state); }

    /// Used by the executor while it reads lists and here for events, which only come when no list is read: a
    /// watch starts after the last piece, and a list left behind is read before any of the next.
    std::shared_ptr<ObjectParser<Record>> m_parser;
    ResourceSink<Record> *m_sink;
    Record m_record; ///< reused from object to object
    UnreadableObject m_unreadable;
};

} // namespace tongchi
