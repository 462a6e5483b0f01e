#include "platform/inventory/server_pulse.h"

#include <algorithm>
#include <utility>

namespace tongchi {

ServerPulse::ServerPulse(const Clock &clock, Options options, Ask ask)
    : m_clock(clock), m_options(options), m_ask(std::move(ask))
{
    reset();
}

void ServerPulse::reset()
{
    m_heard = m_clock.monotonic();
    m_due = m_heard + m_options.quietFor;
    m_asking = false;
    m_lastHeard.reset();
    m_error.reset();
}

void ServerPulse::heard(std::chrono::milliseconds ago)
{
    m_heard = std::max(m_heard, m_clock.monotonic() - ago);
    m_due = std::max(m_due, m_heard + m_options.quietFor);
    m_lastHeard = m_clock.now() - ago;
    m_error.reset();
}

void ServerPulse::answered(Answer answer, const Error &error)
{
    m_asking = false;
    const Monotonic now = m_clock.monotonic();
    if (answer == Answer::None) {
        if (m_heard >= m_asked)
            return; // on another connection, meanwhile
        m_error = error;
        m_due = now + m_options.again;
        return;
    }
    heard();
    if (answer == Answer::Refused)
        m_due = now + m_options.refusedFor;
}

void ServerPulse::check()
{
    if (m_asking || m_clock.monotonic() < m_due)
        return;
    m_asking = true;
    m_asked = m_clock.monotonic();
    m_ask();
}

} // namespace tongchi
