// Every call of the tables, sent to the embedded pool, against what the real engines said when they were
// asked last: keeps the pool honest where no engine runs.

#include "tests/real/twins/recording.h"
#include "tests/real/twins/twin_tests.h"

namespace tongchi::twins {
namespace {

const bool registered = [] {
    const Recording recording = Recording::read(twinsFolder() + QStringLiteral("/recorded"));
    const auto recorded = [recording](const TwinCall &call, QString *problem) {
        Transcript transcript;
        if (!recording.find(call, &transcript))
            *problem = QStringLiteral("not recorded yet: tests/real/twins/record does it");
        return transcript;
    };
    registerTwinTests("TwinsRecorded", recorded, true);
    return true;
}();

} // namespace
} // namespace tongchi::twins
