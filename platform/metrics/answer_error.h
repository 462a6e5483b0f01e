#pragma once

#include "platform/core/error.h"

#include <QByteArray>
#include <string_view>

namespace tongchi {

/// The error for an answer with status "error". `message` is the server's, untrusted; long ones are cut.
Error prometheusError(std::string_view errorType, std::string_view message);

/// The error for a body that is no Prometheus answer at all: a page of a proxy, text, nothing, cut off. Says
/// which kind it was and quotes nothing of it. `why` is English and technical.
Error notPrometheusError(const QByteArray &body, const char *why);

/// For an HTTP status of 300 and up: the server's own words when the body is a Prometheus or Kubernetes
/// error, else what the status alone says.
Error prometheusHttpError(int status, const QByteArray &body);

} // namespace tongchi
