#include "platform/metrics/instant_query_parser.h"

namespace tongchi {

namespace {

class InstantCallbackSink final : public SeriesSink
{
public:
    explicit InstantCallbackSink(const InstantQueryParser::Collector &collector) : m_collector(collector) {}
    bool recognise(std::string_view rawLabels) override
    {
        return m_collector.recognise && m_collector.recognise(rawLabels);
    }
    void knownSeries(std::span<const Sample> samples) override
    {
        for (const Sample &sample : samples)
            m_collector.known(sample.value, sample.time);
    }
    void series(LabelViews labels, std::span<const Sample> samples) override
    {
        for (const Sample &sample : samples)
            m_collector.series(labels, sample.value, sample.time);
    }

private:
    const InstantQueryParser::Collector &m_collector;
};

} // namespace

Result<PrometheusAnswer> InstantQueryParser::parse(QByteArray body, const Collector &collector)
{
    InstantCallbackSink sink(collector);
    return m_reader.read(std::move(body), sink);
}

} // namespace tongchi
