#pragma once

#include "platform/metrics/answer_reader.h"

#include <functional>

namespace tongchi {

/// Reads answers to /api/v1/query_range. See AnswerReader for buffers, threads and errors.
class RangeQueryParser
{
public:
    /// Points in the order of the answer; NaN is a gap ("no requests"), +Inf above the highest bound: never
    /// 0.
    using Callback = std::function<void(LabelViews labels, std::span<const Sample> points)>;

    explicit RangeQueryParser(qsizetype window = 256 * 1024) : m_reader(window) {}

    [[nodiscard]] Result<PrometheusAnswer> parse(QByteArray body, const Callback &callback);

private:
    AnswerReader m_reader;
};

} // namespace tongchi
