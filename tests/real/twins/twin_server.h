#pragma once

#include "tests/real/twins/twin_answer.h"
#include "tests/real/twins/twin_call.h"

#include <memory>

namespace tongchi {
class EmbeddedPool;
}

namespace tongchi::twins {

/// One of the two that are asked.
struct TwinServer
{
    QByteArray name;                         ///< "real" or "embedded"
    QMap<QByteArray, RawEndpoint> endpoints; ///< by engine
    QMap<QByteArray, QByteArray> prefixes;   ///< of paths, by engine
    QMap<QByteArray, QByteArray> tokens;     ///< by the names that TwinStep::as knows
    QMap<QByteArray, QByteArray> variables;  ///< that every call has
};

/// Sends everything in order and returns the compared answers. `problem`: a setup step did not do its work.
Transcript run(const TwinCall &call, const TwinServer &server, QString *problem);

/// Runs the pool with a small fleet; answers() is a TwinServer for as long as it lives. Belongs to the main
/// thread.
class EmbeddedTwin
{
public:
    explicit EmbeddedTwin(int cards = 64);
    ~EmbeddedTwin();
    const TwinServer &server() const { return m_server; }
    QString problem() const { return m_problem; }

private:
    std::unique_ptr<EmbeddedPool> m_pool;
    TwinServer m_server;
    QString m_problem;
};

/// The real engines of the run whose folder is in TONGCHI_REAL_RUN.
TwinServer realTwin(QString *problem);

/// What both have to hold before the first call: the namespace of the calls.
void prepare(const TwinServer &server, const QByteArray &engine, QString *problem);

} // namespace tongchi::twins
