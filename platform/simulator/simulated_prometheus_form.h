#pragma once

#include <QByteArray>
#include <QList>
#include <optional>
#include <utility>
#include <vector>

namespace tongchi {

/// Parameters of a request, from the query string and, for POST, from its form body, which goes first.
class PrometheusForm
{
public:
    PrometheusForm(const QByteArray &queryString, const QByteArray &body);

    QByteArray value(const char *name) const; ///< the first; empty: not given
    std::vector<QByteArray> values(const char *name) const;

private:
    void add(const QByteArray &text);
    std::vector<std::pair<QByteArray, QByteArray>> m_pairs;
};

/// Unix milliseconds of "1796068345.5" or an RFC 3339 time.
std::optional<qint64> parsePrometheusTime(const QByteArray &text);
/// Milliseconds of "15", "0.5" or "1m30s".
std::optional<qint64> parsePrometheusDuration(const QByteArray &text);

} // namespace tongchi
