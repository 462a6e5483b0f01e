#include "platform/simulator/simulated_prometheus_form.h"

#include "platform/simulator/promql_lexer.h"

#include <QDateTime>
#include <cmath>

namespace tongchi {

namespace {

QByteArray formDecoded(QByteArray text)
{
    return QByteArray::fromPercentEncoding(text.replace('+', ' '));
}

std::optional<double> wholeNumber(const QByteArray &text)
{
    bool ok = false;
    const double number = text.toDouble(&ok);
    if (!ok || !std::isfinite(number) || std::abs(number) > 9.2e15)
        return std::nullopt;
    return number;
}

} // namespace

PrometheusForm::PrometheusForm(const QByteArray &queryString, const QByteArray &body)
{
    add(body);
    add(queryString);
}

void PrometheusForm::add(const QByteArray &text)
{
    if (text.isEmpty())
        return;
    for (const QByteArray &pair : text.split('&')) {
        const qsizetype equals = pair.indexOf('=');
        if (!pair.isEmpty())
            m_pairs.emplace_back(formDecoded(equals < 0 ? pair : pair.left(equals)),
                                 equals < 0 ? QByteArray() : formDecoded(pair.mid(equals + 1)));
    }
}

QByteArray PrometheusForm::value(const char *name) const
{
    for (const auto &[key, content] : m_pairs) {
        if (key == name)
            return content;
    }
    return {};
}

std::vector<QByteArray> PrometheusForm::values(const char *name) const
{
    std::vector<QByteArray> found;
    for (const auto &[key, content] : m_pairs) {
        if (key == name)
            found.push_back(content);
    }
    return found;
}

std::optional<qint64> parsePrometheusTime(const QByteArray &text)
{
    if (const auto seconds = wholeNumber(text))
        return qint64(std::llround(*seconds * 1000));
    if (text.size() < 20 || text.at(10) != 'T')
        return std::nullopt;
    const QDateTime time = QDateTime::fromString(QString::fromUtf8(text), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    return time.toMSecsSinceEpoch();
}

std::optional<qint64> parsePrometheusDuration(const QByteArray &text)
{
    if (const auto seconds = wholeNumber(text))
        return qint64(std::llround(*seconds * 1000));
    qint64 milliseconds = 0;
    if (!parsePromDuration({text.constData(), std::size_t(text.size())}, milliseconds))
        return std::nullopt;
    return milliseconds;
}

} // namespace tongchi
