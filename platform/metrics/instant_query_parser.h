#pragma once

#include "platform/metrics/answer_reader.h"

#include <functional>

namespace tongchi {

/// Reads answers to /api/v1/query. See AnswerReader for buffers, threads and errors.
class InstantQueryParser
{
public:
    /// Labels are lent for the call. `time` is the instant of evaluation by the server's clock, not the age
    /// of the sample: ask timestamp() for that. A matrix calls once a point. Histograms are left out.
    using Callback = std::function<void(LabelViews labels, double value, Instant time)>;

    explicit InstantQueryParser(qsizetype window = 256 * 1024) : m_reader(window) {}

    [[nodiscard]] Result<PrometheusAnswer> parse(QByteArray body, const Callback &callback);

private:
    AnswerReader m_reader;
};

} // namespace tongchi
