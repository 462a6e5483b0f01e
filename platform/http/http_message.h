#pragma once

#include "platform/core/clock.h"

#include <QByteArray>
#include <QList>
#include <QUrl>
#include <chrono>
#include <optional>
#include <utility>

namespace tongchi {

using HeaderList = QList<std::pair<QByteArray, QByteArray>>;

/// First value of a header, names compared without case; empty when absent.
QByteArray headerValue(const HeaderList &headers, QByteArrayView name);

struct HttpRequest
{
    QByteArray method = "GET";
    QByteArray path; ///< below the server's prefix, percent-encoded, with its query
    HeaderList headers;
    QByteArray body;
    std::chrono::milliseconds timeout{
        30'000};            ///< whole request for HttpClient; until the first byte for StreamClient
    bool repeatable = true; ///< may be sent again after a lost connection
    qint64 bodyLimit = 64 * 1024 * 1024; ///< a larger answer is an error, not a memory problem (HttpClient)
};

struct HttpResponse
{
    int status = 0;
    HeaderList headers;
    QByteArray body; ///< content encoding undone
    std::chrono::microseconds elapsed{};
    std::optional<Instant> serverTime; ///< the Date header
};

} // namespace tongchi
