#pragma once

#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/reflector.h"

#include <QCoreApplication>
#include <QUrl>
#include <QUrlQuery>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tongchi::test {

/// Stands in for the stream client: every request waits here until the test answers it.
class FakeServer
{
public:
    struct Request
    {
        QByteArray path;
        std::chrono::milliseconds timeout{}, idle{};
        Monotonic at{};
        StreamSink *sink = nullptr;
        bool open = true; ///< the client still listens
        int pauses = 0, resumes = 0;
        bool isWatch() const { return value("watch") == QLatin1String("1"); }
        QString value(const char *name) const
        {
            return QUrlQuery(QUrl(QString::fromUtf8(path)))
                .queryItemValue(QString::fromLatin1(name), QUrl::FullyDecoded);
        }
        bool has(const char *name) const
        {
            return QUrlQuery(QUrl(QString::fromUtf8(path))).hasQueryItem(QString::fromLatin1(name));
        }
    };

    explicit FakeServer(const Clock *clock) : m_clock(clock) {}

    OpenStream opener()
    {
        return [this](const HttpRequest &request, StreamSink *sink, std::chrono::milliseconds idle) {
            auto entry = std::make_shared<Request>(
                Request{request.path, request.timeout, idle, m_clock->monotonic(), sink});
            requests.push_back(entry);
            return std::make_unique<Handle>(entry);
        };
    }

    Request &last() { return *requests.back(); }
    std::size_t count(bool watches) const
    {
        return std::size_t(std::count_if(requests.begin(), requests.end(),
                                         [&](const auto &r) { return r->isWatch() == watches; }));
    }

    void headers(int status = 200, HeaderList headers = {})
    {
        if (last().open)
            last().sink->onHeaders(status, headers);
    }
    void data(std::string_view bytes)
    {
        // From memory of exactly this size, so that a sanitizer sees a read beyond it.
        const std::unique_ptr<char[]> copy(new char[bytes.size()]);
        std::copy(bytes.begin(), bytes.end(), copy.get());
        if (last().open)
            last().sink->onData({copy.get(), bytes.size()}, m_clock->monotonic());
    }
    void end(Status status = {})
    {
        if (last().open)
            last().sink->onFinished(status);
    }
    void fail(ErrorCode code) { end(failure({.code = code, .detail = QStringLiteral("made up")})); }
    void answer(std::string_view body, int status = 200, HeaderList list = {})
    {
        headers(status, std::move(list));
        data(body);
        end();
    }

    std::vector<std::shared_ptr<Request>> requests;

private:
    class Handle final : public StreamHandle
    {
    public:
        explicit Handle(std::shared_ptr<Request> request) : m_request(std::move(request)) {}
        ~Handle() override { m_request->open = false; }
        void pause() override { ++m_request->pauses; }
        void resume() override { ++m_request->resumes; }
        Monotonic lastByteAt() const override { return {}; }

    private:
        std::shared_ptr<Request> m_request;
    };

    const Clock *m_clock;
};

/// What a store does with a resource, as simply as possible.
class NodeTable final : public ResourceSink<NodeRecord>
{
public:
    void listStarted() override
    {
        ++listsStarted;
        m_seen.clear();
    }
    void upsert(const NodeRecord &record) override
    {
        // A newer object of the name takes the place of the older one.
        for (auto it = nodes.begin(); it != nodes.end();)
            it = it->second.key.name == record.key.name && it->first != record.key.uid ? nodes.erase(it)
                                                                                       : std::next(it);
        nodes[record.key.uid] = record;
        m_seen.insert(record.key.uid);
        sizes.push_back(nodes.size());
    }
    void removed(const ObjectKey &key) override
    {
        nodes.erase(key.uid);
        sizes.push_back(nodes.size());
    }
    void unreadable(const UnreadableObject &object) override
    {
        unreadables.push_back(object.key.name + ": " + object.reason);
    }
    void listFinished() override
    {
        ++listsFinished;
        std::erase_if(nodes, [this](const auto &entry) { return !m_seen.count(entry.first); });
        sizes.push_back(nodes.size());
    }
    void stateChanged(const WatchState &state) override { states.push_back(state); }

    std::string names() const
    {
        std::set<std::string> sorted;
        for (const auto &[uid, node] : nodes)
            sorted.insert(node.key.name);
        std::string text;
        for (const std::string &name : sorted)
            text += (text.empty() ? "" : " ") + name;
        return text;
    }
    const NodeRecord *named(std::string_view name) const
    {
        for (const auto &[uid, node] : nodes) {
            if (node.key.name == name)
                return &node;
        }
        return nullptr;
    }

    std::map<std::string, NodeRecord> nodes;
    std::vector<std::size_t> sizes; ///< number of rows after each change
    std::vector<std::string> unreadables;
    std::vector<WatchState> states;
    int listsStarted = 0, listsFinished = 0;

private:
    std::set<std::string> m_seen;
};

inline std::string nodeJson(const std::string &name, const std::string &uid, const std::string &version,
                            const std::string &labels = "{}")
{
    return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":")" + name + R"(","uid":")" + uid +
           R"(","resourceVersion":")" + version + R"(","labels":)" + labels +
           R"(},"spec":{},"status":{"capacity":{"nvidia.com/gpu":"8"}}})";
}

inline std::string nodeList(const std::string &version, const std::vector<std::string> &items,
                            const std::string &more = "")
{
    std::string text = R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
                       "\"" + more + R"(},"items":[)";
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i ? "," : "") + items[i];
    return text + "]}";
}

inline std::string watchEvent(const std::string &type, const std::string &object)
{
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

inline std::string expiredStatus(const std::string &reason = "Expired")
{
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"version is gone","reason":")" +
           reason + R"(","code":410})";
}

/// A reflector of nodes on a fake server and a clock that the test moves.
struct ReflectorBench
{
    explicit ReflectorBench(ReflectorOptions options = {})
    {
        options.path = "/api/v1/nodes";
        options.subject = QStringLiteral("nodes");
        options.clock = &clock;
        if (!options.random)
            options.random = [this] { return random; };
        reflector = std::make_unique<Reflector<NodeRecord>>(options, server.opener(),
                                                            std::make_unique<NodeParser>(), &table);
    }

    /// Does everything that is due at this moment.
    void settle() { reflector->checkTime(); }
    /// Lets time pass in small steps, as an event loop would.
    void pass(std::chrono::milliseconds time, std::chrono::milliseconds step = std::chrono::milliseconds(100))
    {
        for (std::chrono::milliseconds done{}; done < time; done += step) {
            clock.advance(std::min(step, time - done));
            settle();
        }
    }
    /// Brings it to a running watch from version 6000 with one node.
    void startWatching()
    {
        reflector->start();
        settle();
        server.answer(nodeList("6000", {nodeJson("gpu-01", "uid-01", "5990")}));
        settle();
        server.headers();
    }
    const WatchState &state() const { return reflector->state(); }

    ManualClock clock;
    double random = 0.0;
    FakeServer server{&clock};
    NodeTable table;
    std::unique_ptr<Reflector<NodeRecord>> reflector;
};

} // namespace tongchi::test
