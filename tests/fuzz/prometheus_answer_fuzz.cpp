// Answers of Prometheus: nothing may crash, and reading through small windows must say what reading in one
// piece says.

#include "platform/metrics/answer_error.h"
#include "platform/metrics/answer_reader.h"

#include <bit>
#include <cstdlib>

using namespace tongchi;

namespace {

class AnswerDigest final : public SeriesSink
{
public:
    void series(LabelViews labels, std::span<const Sample> samples) override
    {
        for (const LabelView &label : labels) {
            add(label.name);
            add(label.value);
        }
        for (const Sample &sample : samples) {
            mix(static_cast<std::uint64_t>(sample.time.time_since_epoch().count()));
            mix(std::bit_cast<std::uint64_t>(sample.value));
        }
        mix(0x5E);
    }
    std::uint64_t value = 0;

private:
    void add(std::string_view text)
    {
        for (const char c : text)
            mix(static_cast<unsigned char>(c));
        mix(0x100);
    }
    void mix(std::uint64_t part) { value = (value ^ part) * 0x100000001b3ull; }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const QByteArray body(reinterpret_cast<const char *>(data), qsizetype(size));
    static AnswerReader whole(1 << 30);
    static AnswerReader small(48);
    AnswerDigest wholeDigest, smallDigest;
    const auto first = whole.read(body, wholeDigest);
    const auto second = small.read(body, smallDigest);
    // Broken JSON may be found in the one way and overlooked in the other (simdjson does not look into what
    // is skipped), but two readings that both succeed are the same reading.
    if (first && second &&
        (wholeDigest.value != smallDigest.value || first->series != second->series ||
         first->warnings != second->warnings)) {
        std::abort();
    }
    prometheusHttpError(500, body);
    return 0;
}
