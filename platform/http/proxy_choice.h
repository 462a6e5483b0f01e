#pragma once

#include "platform/core/result.h"
#include "platform/http/connection_settings.h"

class QProcessEnvironment;

namespace tongchi {

/// Which proxy leads to `target`, and why; a pure function.
///
/// The cluster's own proxy-url beats the variables and NO_PROXY, as it does for kubectl. Otherwise
/// https_proxy or HTTPS_PROXY for https, http_proxy or HTTP_PROXY for http (lower case wins), unless NO_PROXY
/// names the target; this machine itself is never reached through the variables' proxy. A value without
/// scheme is taken as http. `source` of the answer also says why there is none: "NO_PROXY", "loopback", or
/// nothing. An unusable value is an Invalid error that names the setting, never the value: it may hold a
/// password.
[[nodiscard]] Result<ProxySettings> chooseProxy(const QUrl &target, const QString &kubeconfigProxyUrl,
                                                const QProcessEnvironment &environment);

/// NO_PROXY: names with or without a leading point (without: the name itself too), "*", addresses, networks
/// in CIDR form, each perhaps with a port; separated by commas or blanks.
bool isExcludedFromProxy(const QUrl &target, const QString &noProxy);

} // namespace tongchi
