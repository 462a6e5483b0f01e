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

    /// A callback, and where answers repeat poll after poll a shorter way for the series that it knows: see
    /// SeriesSink::recognise().
    struct Collector
    {
        template <typename F>
        requires std::is_convertible_v<F, Callback> Collector(F callback) : series(std::move(callback)) {}
        Collector(Callback callback, std::function<bool(std::string_view)> recognise_,
                  std::function<void(double value, Instant time)> known_)
            : series(std::move(callback)), recognise(std::move(recognise_)), known(std::move(known_))
        {
        }
        Callback series;
        std::function<bool(std::string_view rawLabels)> recognise;
        std::function<void(double value, Instant time)> known;
    };

    explicit InstantQueryParser(qsizetype window = 256 * 1024) : m_reader(window) {}

    [[nodiscard]] Result<PrometheusAnswer> parse(QByteArray body, const Collector &collector);

private:
    AnswerReader m_reader;
};

} // namespace tongchi
