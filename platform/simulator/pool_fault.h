#pragma once

#include <QtGlobal>
#include <chrono>

namespace tongchi {

/// Things that go wrong on purpose, from a test or a fault plan. Those from HalfOpen on happen to the way
/// between an API server and its clients, so that a proxy in front of a real one can do them too.
enum class PoolFault {
    Restart,         ///< all connections drop; the history is lost, as with a new process
    Compact,         ///< open watches end with 410, old versions are gone
    TooManyRequests, ///< 429 with Retry-After
    ExpiredToken, ///< 401 for the tokens in use; after `duration` they are good again, without one new ones
                  ///< are made
    HalfOpen, ///< open watches get no further byte and no end; with a `duration` so does every connection,
              ///< and whoever connects in that time is not answered either
    Delay,    ///< every byte of an answer arrives later
    Drip,     ///< answers come few bytes at a time
    Cut,      ///< connections end in the middle of whatever is being sent
    Reset,    ///< the same with a reset
    CorruptChunk, ///< bytes of the next piece of a body are damaged; with a `duration` of all in that time
    Dead,         ///< nothing listens any more, connections drop
    Alive,        ///< ends Dead and everything of the network that still lasts
};

/// One of them with its measures; those that it has no use for are ignored.
struct InjectedFault
{
    PoolFault fault = PoolFault::Restart;
    /// How long 429, 401, death and what the network does last. Zero: 429 two seconds, Delay, Drip and Dead
    /// until further notice, Cut and Reset what is open now.
    std::chrono::milliseconds duration{0};
    std::chrono::milliseconds delay{1'000}; ///< Delay: so much later
    qint64 bytesPerSecond = 1'000;          ///< Drip: of each connection
    qint64 afterBytes = 0;                  ///< Cut, Reset: so much a connection still sends before
};

} // namespace tongchi
