#pragma once

#include "platform/core/result.h"
#include "platform/metrics/prometheus_answer.h"

#include <QByteArray>
#include <memory>

namespace tongchi {

/// Takes the series of an answer as they are read.
class SeriesSink
{
public:
    virtual ~SeriesSink() = default;
    /// The labels of the series that comes next as they stand in the answer, braces included. True: they are
    /// known, so they are not read, and knownSeries() is called in place of series(). Not called where the
    /// answer is laid out in another way than Prometheus does it.
    virtual bool recognise(std::string_view) { return false; }
    virtual void knownSeries(std::span<const Sample>) {}
    /// `samples` in the order of the answer, at least one. A scalar is a series without labels. Both are
    /// lent.
    virtual void series(LabelViews labels, std::span<const Sample> samples) = 0;
};

/// Reads the envelope of a Prometheus answer and hands its series over one by one; no tree is built. A long
/// result is read in windows of some hundred kilobytes, so that memory stays at that of the body and the
/// caches stay warm. Keeps its buffers: use one for many answers. Not thread-safe; any thread.
class AnswerReader
{
public:
    /// `window`: bytes read at a time; smaller only in tests.
    explicit AnswerReader(qsizetype window = 256 * 1024);
    ~AnswerReader();
    AnswerReader(const AnswerReader &) = delete;
    AnswerReader &operator=(const AnswerReader &) = delete;

    /// Fails with the server's own error (code by `errorType`), or with Protocol when the body is not a
    /// Prometheus answer or ends too early. On failure throw away what the sink got. Move the body in: it is
    /// worked on in place.
    [[nodiscard]] Result<PrometheusAnswer> read(QByteArray body, SeriesSink &sink);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
