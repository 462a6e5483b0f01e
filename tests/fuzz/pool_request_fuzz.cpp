// Bodies that anybody may send to the simulated API server: JSON, YAML and protocol buffers.

#include "platform/simulator/json_value.h"
#include "platform/simulator/object_patch.h"
#include "platform/simulator/request_body.h"
#include "platform/simulator/yaml_body.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace tongchi::simulator;
    const QByteArray body(reinterpret_cast<const char *>(data), qsizetype(size));
    JsonProblem problem;
    const JsonValue json = JsonValue::parse(body, &problem);
    if (problem.message.isEmpty()) {
        // What it wrote, it reads as the same.
        JsonProblem again;
        if (!(JsonValue::parse(json.toJson(), &again) == json) || !again.message.isEmpty())
            std::abort();
        JsonValue patched = json;
        applyMergePatch(patched, json);
        (void)applyStrategicPatch(patched, json, nullptr);
        if (json.isArray()) {
            JsonValue object = JsonValue::object();
            (void)applyJsonPatch(object, json);
        }
    }
    for (const char *type : {"application/json", "application/yaml", "application/vnd.kubernetes.protobuf"}) {
        JsonProblem other;
        (void)readRequestBody(body, type, &other);
    }
    QByteArray yamlProblem;
    (void)readYamlBody(body, &yamlProblem);
    return 0;
}
