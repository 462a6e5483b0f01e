#pragma once

#include "platform/simulator/embedded_pool.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <gtest/gtest.h>

namespace tongchi::test {

/// A fleet of plain nodes and pods, two clusters, that does what the test says.
class ScriptedFleet final : public FleetSource
{
public:
    explicit ScriptedFleet(int nodes = 5, int podsANode = 2) : m_nodes(nodes), m_podsANode(podsANode) {}

    QStringList clusters() const override { return {QStringLiteral("east"), QStringLiteral("west")}; }

    static SimulatedObject node(const QByteArray &name, const QByteArray &labels = {})
    {
        return {"v1",
                "nodes",
                {},
                name,
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name +
                    "\",\"uid\":\"uid-" + name +
                    "\",\"creationTimestamp\":\"2026-11-01T00:00:00Z\",\"labels\":{\"kubernetes.io/"
                    "hostname\":\"" +
                    name + '"' + labels +
                    "}},\"spec\":{},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}],"
                    "\"nodeInfo\":{\"kubeletVersion\":\"v1.36.3\"}}}"};
    }
    static SimulatedObject pod(const QByteArray &name, const QByteArray &node,
                               const QByteArray &phase = "Running")
    {
        return {"v1", "pods", "default", name,
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name +
                    "\",\"namespace\":\"default\",\"uid\":\"uid-" + name +
                    "\",\"creationTimestamp\":\"2026-11-01T00:00:00Z\",\"labels\":{\"app\":\"x\"}},\"spec\":{"
                    "\"nodeName\":\"" +
                    node +
                    "\",\"containers\":[{\"name\":\"c\",\"image\":\"i:1\"}]},\"status\":{\"phase\":\"" +
                    phase + "\"}}"};
    }
    static QByteArray number(int i) { return QByteArray::number(i).rightJustified(4, '0'); }

    void forEachObject(int cluster, const std::function<void(SimulatedObject &&)> &take) override
    {
        const QByteArray prefix = cluster == 0 ? "e" : "w";
        for (int i = 0; i < m_nodes; ++i)
            take(node(prefix + '-' + number(i)));
        for (int i = 0; i < m_nodes * m_podsANode; ++i)
            take(pod("p-" + number(i), prefix + '-' + number(i / m_podsANode)));
    }
    std::vector<ObjectChange> advance(int cluster, Instant) override
    {
        const QMutexLocker lock(&m_mutex);
        return cluster == 0 ? std::exchange(m_next, {}) : std::vector<ObjectChange>();
    }
    /// Happens in cluster east at the next tick.
    void happens(ObjectChange change)
    {
        const QMutexLocker lock(&m_mutex);
        m_next.push_back(std::move(change));
    }

private:
    int m_nodes;
    int m_podsANode;
    QMutex m_mutex;
    std::vector<ObjectChange> m_next;
};

/// Says what it was asked.
class EchoMetrics final : public MetricsSource
{
public:
    Answer handle(int cluster, const QByteArray &method, const QByteArray &path, const QByteArray &query,
                  const QByteArray &body) override
    {
        return {200, "text/plain",
                QByteArray::number(cluster) + ' ' + method + ' ' + path + ' ' + query + ' ' + body};
    }
};

struct ServerAnswer
{
    int status = 0;
    QByteArray body;
    QNetworkReply::NetworkError error = QNetworkReply::NoError;
    QList<QNetworkReply::RawHeaderPair> headers;
    QByteArray header(const char *name) const
    {
        for (const auto &pair : headers) {
            if (pair.first.compare(name, Qt::CaseInsensitive) == 0)
                return pair.second;
        }
        return {};
    }
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    std::string text() const { return body.trimmed().toStdString(); }
};

/// Lines of a stream as they come.
class StreamReader
{
public:
    explicit StreamReader(QNetworkReply *reply) : m_reply(reply)
    {
        QObject::connect(reply, &QNetworkReply::readyRead, reply, [this] { m_bytes += m_reply->readAll(); });
        QObject::connect(reply, &QNetworkReply::finished, reply, [this] { m_ended = true; });
    }
    ~StreamReader() { delete m_reply; }
    int count() const { return int(m_bytes.count('\n')); }
    bool waitForLines(int lines, std::chrono::milliseconds limit = std::chrono::seconds(10))
    {
        return waitUntil([&] { return count() >= lines; }, limit);
    }
    bool waitForEnd()
    {
        return waitUntil([this] { return m_ended; }, std::chrono::seconds(10));
    }
    QByteArray line(int index) const { return m_bytes.split('\n').value(index); }
    QJsonObject event(int index) const { return QJsonDocument::fromJson(line(index)).object(); }
    int status() const { return m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(); }

private:
    QNetworkReply *m_reply;
    QByteArray m_bytes;
    bool m_ended = false;
};

/// A running pool of two clusters and a client for it.
class PoolTest : public ::testing::Test
{
protected:
    void startPool(int nodes = 5, int podsANode = 2)
    {
        fleet = std::make_shared<ScriptedFleet>(nodes, podsANode);
        pool = std::make_unique<EmbeddedPool>(options, [this](const PoolOptions &, const SimulatedClock &) {
            return PoolSources{fleet, std::make_shared<EchoMetrics>()};
        });
        QObject::connect(pool.get(), &EmbeddedPool::failed, pool.get(),
                         [this](const Error &error) { failure = error; });
        pool->start();
        ASSERT_TRUE(waitUntil([this] { return pool->isRunning() || failure; }, std::chrono::seconds(20)));
    }
    void SetUp() override { startPool(); }
    void TearDown() override { pool.reset(); }

    QNetworkRequest request(const QByteArray &path, const QByteArray &token, int cluster = 0)
    {
        QNetworkRequest made(QUrl::fromEncoded(pool->info().clusters.at(cluster).server.toUtf8() + path));
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setCaCertificates(QSslCertificate::fromData(pool->info().authorityPem));
        made.setSslConfiguration(tls);
        made.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
        if (!token.isEmpty())
            made.setRawHeader("Authorization", "Bearer " + token);
        return made;
    }
    QByteArray administrator() const { return pool->info().clusters.first().administratorToken; }

    ServerAnswer send(const QByteArray &method, const QByteArray &path, const QByteArray &body = {},
                      const QByteArray &contentType = "application/json", const QByteArray &token = "admin",
                      const QByteArray &accept = "application/json")
    {
        QNetworkRequest made = request(path, token == "admin" ? administrator() : token);
        if (!accept.isEmpty())
            made.setRawHeader("Accept", accept);
        if (!body.isEmpty())
            made.setRawHeader("Content-Type", contentType);
        QNetworkReply *reply = manager.sendCustomRequest(made, method, body);
        if (!waitUntil([reply] { return reply->isFinished(); }, std::chrono::seconds(20)))
            ADD_FAILURE() << "no answer to " << method.constData() << ' ' << path.constData();
        ServerAnswer answer{reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(),
                            reply->readAll(), reply->error(), reply->rawHeaderPairs()};
        delete reply;
        return answer;
    }
    ServerAnswer get(const QByteArray &path, const QByteArray &accept = "application/json")
    {
        return send("GET", path, {}, {}, "admin", accept);
    }
    ServerAnswer mergePatch(const QByteArray &path, const QByteArray &body)
    {
        return send("PATCH", path, body, "application/merge-patch+json");
    }
    ServerAnswer apply(const QByteArray &path, const QByteArray &body)
    {
        return send("PATCH", path, body, "application/apply-patch+yaml");
    }
    std::unique_ptr<StreamReader> stream(const QByteArray &path,
                                         const QByteArray &accept = "application/json")
    {
        QNetworkRequest made = request(path, administrator());
        made.setRawHeader("Accept", accept);
        return std::make_unique<StreamReader>(manager.get(made));
    }

    PoolOptions options;
    std::shared_ptr<ScriptedFleet> fleet;
    std::unique_ptr<EmbeddedPool> pool;
    std::optional<Error> failure;
    QNetworkAccessManager manager;
};

} // namespace tongchi::test
