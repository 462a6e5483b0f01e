#pragma once

#include "platform/simulator/api_call.h"

#include <optional>

namespace tongchi::simulator {

/// The aggregated list of /api or /apis (apidiscovery.k8s.io/v2).
QByteArray aggregatedDiscovery(bool coreGroup);
/// The APIGroupList of /apis.
QByteArray groupList();
/// One APIGroup; empty when there is no such group.
QByteArray groupDocument(const QByteArray &group);
/// The APIResourceList of a group and version; empty when there is none.
QByteArray resourceList(const QByteArray &group, const QByteArray &version);

/// /version.
QByteArray versionDocument();

/// Answers /api, /apis, /version and everything below that is no object; nothing when the path is none of
/// these.
std::optional<HttpAnswer> discoveryAnswer(const ApiCall &call);

} // namespace tongchi::simulator
