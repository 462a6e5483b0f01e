#pragma once

#include "platform/inventory/inventory_source.h"

#include <QPromise>
#include <QTimer>
#include <functional>

namespace tongchi::test {

/// A cluster that says what the test tells it to.
class FakeSource : public InventorySource
{
public:
    explicit FakeSource(quint32 id, QString name = QStringLiteral("bj-prod"))
        : m_id(id), m_name(std::move(name))
    {
    }
    quint32 clusterId() const override { return m_id; }
    QString clusterName() const override { return m_name; }
    void start() override { started = true; }
    void stop() override { started = false; }
    void refresh() override { ++refreshes; }
    void acknowledge() override { ++acknowledged; }
    QString userName() const override { return QStringLiteral("ops-lead"); }

    QFuture<Result<NodeChangeResult>> changeNode(const QString &node, const QString &uid,
                                                 const NodeChange &change, bool dryRun,
                                                 const std::optional<NodeChange> &guard) override
    {
        calls.push_back({node, change, dryRun, guard});
        return later(answer ? answer(calls.back(), uid)
                            : Result<NodeChangeResult>(NodeChangeResult{node, uid, {}, change, {}}));
    }
    QFuture<Result<Permission>> mayChangeNodes() override { return later(Result<Permission>(permission)); }

    QFuture<Result<std::vector<TelemetryRecord>>> lastHour(std::uint32_t ordinal) override
    {
        hoursAsked.push_back(ordinal);
        return later(hour);
    }

    void send(InventoryDelta delta)
    {
        Q_EMIT deltaReady(std::make_shared<const InventoryDelta>(std::move(delta)));
    }

    struct Call
    {
        QString node;
        NodeChange change;
        bool dryRun;
        std::optional<NodeChange> guard;
    };
    std::vector<Call> calls;
    std::function<Result<NodeChangeResult>(const Call &, const QString &uid)> answer;
    Permission permission{true, {}};
    Result<std::vector<TelemetryRecord>> hour{std::vector<TelemetryRecord>()};
    std::vector<std::uint32_t> hoursAsked;
    bool started = false;
    int refreshes = 0, acknowledged = 0;

private:
    template <typename T> QFuture<Result<T>> later(Result<T> value)
    {
        auto promise = std::make_shared<QPromise<Result<T>>>();
        promise->start();
        QTimer::singleShot(0, this, [promise, value = std::move(value)]() mutable {
            promise->addResult(std::move(value));
            promise->finish();
        });
        return promise->future();
    }
    quint32 m_id;
    QString m_name;
};

} // namespace tongchi::test
