#include "platform/metrics/range_query_parser.h"

namespace tongchi {

namespace {

class RangeCallbackSink final : public SeriesSink
{
public:
    explicit RangeCallbackSink(const RangeQueryParser::Callback &callback) : m_callback(callback) {}
    void series(LabelViews labels, std::span<const Sample> samples) override { m_callback(labels, samples); }

private:
    const RangeQueryParser::Callback &m_callback;
};

} // namespace

Result<PrometheusAnswer> RangeQueryParser::parse(QByteArray body, const Callback &callback)
{
    RangeCallbackSink sink(callback);
    return m_reader.read(std::move(body), sink);
}

} // namespace tongchi
