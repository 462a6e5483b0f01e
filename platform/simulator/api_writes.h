#pragma once

#include "platform/simulator/api_call.h"
#include "platform/simulator/json_value.h"

#include <chrono>
#include <functional>
#include <optional>

namespace tongchi::simulator {

class ClusterStore;

/// POST, PUT, PATCH and DELETE on objects that the store keeps.
class ApiWrites
{
public:
    explicit ApiWrites(ClusterStore &store) : m_store(store) {}

    [[nodiscard]] ApiResult<HttpAnswer> create(const ApiCall &call);
    [[nodiscard]] ApiResult<HttpAnswer> replace(const ApiCall &call);
    [[nodiscard]] ApiResult<HttpAnswer> patch(const ApiCall &call);
    [[nodiscard]] ApiResult<HttpAnswer> remove(const ApiCall &call);
    [[nodiscard]] ApiResult<HttpAnswer> removeAll(const ApiCall &call);
    [[nodiscard]] ApiResult<HttpAnswer> evict(const ApiCall &call);

    /// What has to happen a little later, such as the end of a pod that was told to stop.
    using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;
    void setLater(Later later) { m_later = std::move(later); }

private:
    struct Options;
    [[nodiscard]] ApiResult<Options> readOptions(const ApiCall &call, const char *optionsKind) const;
    [[nodiscard]] ApiResult<JsonValue> readBody(const ApiCall &call, Options &options) const;
    [[nodiscard]] ApiResult<JsonValue> patched(const ApiCall &call, const JsonValue &live,
                                               Options &options) const;
    [[nodiscard]] ApiResult<JsonValue> applied(const ApiCall &call, const JsonValue &live,
                                               Options &options) const;
    [[nodiscard]] std::optional<ApiError> checkIdentity(const ApiCall &call, const JsonValue &object,
                                                        const JsonValue &live) const;
    [[nodiscard]] ApiResult<HttpAnswer> storeChanged(const ApiCall &call, const JsonValue &live,
                                                     JsonValue object, const Options &options, bool booked);
    [[nodiscard]] ApiResult<HttpAnswer> storeNew(const ApiCall &call, JsonValue object,
                                                 const Options &options, bool isApply);
    HttpAnswer answer(const ApiCall &call, const JsonValue &object, qint64 version, int status,
                      const Options &options) const;
    /// What a DELETE asks for.
    struct Deletion
    {
        bool dryRun = false;
        std::optional<qint64> graceSeconds;
        QByteArray uid; ///< preconditions; empty: none
        QByteArray version;
    };
    [[nodiscard]] ApiResult<Deletion> readDeletion(const ApiCall &call) const;
    JsonValue marked(const ResourceType &type, const JsonValue &object, qint64 graceSeconds) const;
    JsonValue deleteObject(const ResourceType &type, const QByteArray &key, const JsonValue &object,
                           qint64 graceSeconds, bool dryRun);
    void emptyNamespace(const QByteArray &name);

    ClusterStore &m_store;
    Later m_later;
};

} // namespace tongchi::simulator
