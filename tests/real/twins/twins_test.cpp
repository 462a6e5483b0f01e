// Every call of the tables, sent to the real engines of TONGCHI_REAL_RUN and to the embedded pool. With
// TONGCHI_TWINS_RECORD=FOLDER what the real ones say is written there, for recorded_test.cpp.

#include "tests/real/support/real_test.h"
#include "tests/real/twins/recording.h"
#include "tests/real/twins/twin_tests.h"

#include <gtest/gtest.h>

namespace tongchi::twins {
namespace {

class Recorder : public ::testing::Environment
{
public:
    void add(const TwinCall &call, const Transcript &transcript) { m_new.insert(call, transcript); }
    void TearDown() override
    {
        const QString folder = qEnvironmentVariable("TONGCHI_TWINS_RECORD");
        if (folder.isEmpty())
            return;
        // What was not asked this time stays; what is in no table any more goes.
        const Recording before = Recording::read(folder);
        Recording all;
        for (const TwinCall &call : twinCalls()) {
            Transcript transcript;
            if (!call.live && (m_new.find(call, &transcript) || before.find(call, &transcript)))
                all.insert(call, transcript);
        }
        EXPECT_TRUE(all.write(folder)) << "cannot write to " << folder.toStdString();
    }

private:
    Recording m_new;
};

const bool registered = [] {
    auto *recorder = new Recorder; // GoogleTest's
    ::testing::AddGlobalTestEnvironment(recorder);
    for (const TwinCall &call : twinCalls())
        real::ProvedPoint("Twins", call.id.constData(), call.point.constData());
    real::ProvedPoint("Twins", "TablesAreRight",
                      "6: every call and every reviewed difference is well-formed");
    registerTwinTests("Twins", [recorder](const TwinCall &call, QString *problem) {
        static QList<QByteArray> prepared;
        const TwinServer server = realTwin(problem);
        if (problem->isEmpty() && !prepared.contains(call.engine)) {
            prepared.append(call.engine);
            prepare(server, call.engine, problem);
        }
        if (!problem->isEmpty())
            return Transcript();
        Transcript transcript = run(call, server, problem);
        recorder->add(call, transcript);
        return transcript;
    });
    return true;
}();

} // namespace
} // namespace tongchi::twins
