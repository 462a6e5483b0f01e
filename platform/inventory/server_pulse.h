#pragma once

#include "platform/core/clock.h"
#include "platform/core/result.h"

#include <functional>
#include <optional>

namespace tongchi {

/// Tells a server that has nothing to say from one that has stopped answering. A watch is silent for a minute
/// where nothing happens, and a process that stands still keeps its connections open: when nothing was heard
/// for a while, the server is asked for a word. One thread.
class ServerPulse
{
public:
    struct Options
    {
        std::chrono::milliseconds quietFor{5'000};    ///< without a byte: it is asked
        std::chrono::milliseconds limit{5'000};       ///< for the answer
        std::chrono::milliseconds again{1'000};       ///< after one that did not come
        std::chrono::milliseconds refusedFor{60'000}; ///< it answers, but not us: it is asked no sooner
    };
    /// What became of a question. No error: any answer.
    enum class Answer { Word, Refused, None };
    /// Puts one question, and calls answered() later, in the same thread, with what came of it.
    using Ask = std::function<void()>;

    ServerPulse(const Clock &clock, Options options, Ask ask);

    /// Nothing was heard yet, and an answer under way will not come.
    void reset();
    /// Something has come from the server, `ago` before now.
    void heard(std::chrono::milliseconds ago = {});
    void answered(Answer answer, const Error &error = {});
    /// Asks when it is time. Call it often while a quiet server is worth a question.
    void check();

    /// Why it counts as silent; nothing while it answers.
    const std::optional<Error> &error() const { return m_error; }
    std::chrono::milliseconds silence() const { return m_clock.monotonic() - m_heard; }
    /// The last word by our wall clock; nothing before the first.
    std::optional<Instant> lastHeard() const { return m_lastHeard; }

private:
    const Clock &m_clock;
    Options m_options;
    Ask m_ask;
    Monotonic m_heard;
    Monotonic m_due;
    Monotonic m_asked{};
    bool m_asking = false;
    std::optional<Instant> m_lastHeard;
    std::optional<Error> m_error;
};

} // namespace tongchi
