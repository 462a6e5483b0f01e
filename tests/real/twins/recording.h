#pragma once

#include "tests/real/twins/twin_answer.h"
#include "tests/real/twins/twin_call.h"

namespace tongchi::twins {

/// Answers of real engines in a file an engine, one line a call.
class Recording
{
public:
    void insert(const TwinCall &call, const Transcript &transcript);
    /// False when there is none of that call.
    bool find(const TwinCall &call, Transcript *transcript) const;

    bool write(const QString &folder) const;
    static Recording read(const QString &folder);

private:
    QMap<QByteArray, QMap<QByteArray, Transcript>> m_engines;
};

} // namespace tongchi::twins
