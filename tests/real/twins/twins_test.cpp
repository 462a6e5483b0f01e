// Every call of the tables, sent to the real engines of TONGCHI_REAL_RUN and to the embedded pool. With
// TONGCHI_TWINS_RECORD=FOLDER what the real ones say is written there, for recorded_twins_test.cpp.

#include "tests/real/twins/recording.h"
#include "tests/real/twins/twin_tests.h"

#include <gtest/gtest.h>

namespace tongchi::twins {
namespace {

class Recorder : public ::testing::Environment
{
public:
    void add(const TwinCall &call, const Transcript &transcript) { m_recording.insert(call, transcript); }
    void TearDown() override
    {
        const QString folder = qEnvironmentVariable("TONGCHI_TWINS_RECORD");
        if (!folder.isEmpty()) {
            EXPECT_TRUE(m_recording.write(folder)) << "cannot write to " << folder.toStdString();
        }
    }

private:
    Recording m_recording;
};

const bool registered = [] {
    auto *recorder = new Recorder; // GoogleTest's
    ::testing::AddGlobalTestEnvironment(recorder);
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
