#include "platform/metrics/instant_query_parser.h"

namespace tongchi {

namespace {

class InstantCallbackSink final : public SeriesSink
{
public:
    explicit InstantCallbackSink(const InstantQueryParser::Callback &callback) : m_callback(callback) {}
    void series(LabelViews labels, std::span<const Sample> samples) override
    {
        for (const Sample &sample : samples)
            m_callback(labels, sample.value, sample.time);
    }

private:
    const InstantQueryParser::Callback &m_callback;
};

} // namespace

Result<PrometheusAnswer> InstantQueryParser::parse(QByteArray body, const Callback &callback)
{
    InstantCallbackSink sink(callback);
    return m_reader.read(std::move(body), sink);
}

} // namespace tongchi
