#include "platform/simulator/fleet_dra_objects.h"

#include "platform/simulator/fleet_encoding.h"
#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_json.h"
#include "platform/simulator/quantity_text.h"

#include <array>

namespace tongchi {

namespace {

struct MigProfile
{
    const char *name;
    int profileId;
    int memoryMiB;
    int multiprocessors;
    int memorySlices;
    int copies;
    std::array<int, 7> starts;
    int startCount;
};

/// MIG profiles of an 80 GB card and where they may begin.
constexpr std::array<MigProfile, 4> migProfiles{{
    {"1g.10gb", 19, 9728, 16, 1, 1, {0, 1, 2, 3, 4, 5, 6}, 7},
    {"2g.20gb", 14, 19968, 32, 2, 2, {0, 2, 4}, 3},
    {"3g.40gb", 9, 40448, 60, 4, 3, {0, 4}, 2},
    {"7g.80gb", 0, 81152, 132, 8, 8, {0}, 1},
}};

void writeString(FleetJson &json, const char *name, const QByteArray &text)
{
    json.object(name).text("string", text).endObject();
}

void writeVersion(FleetJson &json, const char *name, const char *version)
{
    json.object(name).text("version", version).endObject();
}

void writeAmount(FleetJson &json, const QByteArray &name, const QByteArray &amount)
{
    json.key(name).object().text("value", simulator::canonicalQuantity(amount)).endObject();
}

void writeCommon(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node, int slot)
{
    const CardSpec &spec = cardSpec(node.model);
    const bool hopper = node.model == CardModel::H100;
    writeString(json, "productName", spec.reportedName);
    writeString(json, "brand", "Nvidia");
    writeString(json, "architecture", hopper ? "Hopper" : "Ampere");
    writeVersion(json, "cudaComputeCapability", hopper ? "9.0.0" : "8.0.0");
    writeVersion(json, "driverVersion", "570.86.15");
    writeVersion(json, "cudaDriverVersion", "12.8.0");
    writeString(json, "resource.kubernetes.io/pciBusID", plan.pciBus(node, slot).mid(4).toLower());
    writeString(json, "resource.kubernetes.io/pcieRoot", slot < 4 ? "pci0000:15" : "pci0000:85");
}

void writeCounters(FleetJson &json, const SimulatedNode &node, int slot, const MigProfile *profile, int start)
{
    json.array("consumesCounters")
        .object()
        .text("counterSet", "gpu-" + QByteArray::number(slot) + "-counter-set");
    json.object("counters");
    writeAmount(json, "memory", QByteArray::number(profile ? profile->memoryMiB : node.memoryMiB()) + "Mi");
    writeAmount(json, "multiprocessors", QByteArray::number(profile ? profile->multiprocessors : 132));
    writeAmount(json, "copy-engines", QByteArray::number(profile ? profile->copies : 8));
    for (int i = start; i < (profile ? start + profile->memorySlices : 8); ++i)
        writeAmount(json, "memory-slice-" + QByteArray::number(i), "1");
    json.endObject().endObject().endArray();
}

void writeTaint(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node, int slot)
{
    if (slot != node.faultySlot)
        return;
    json.array("taints")
        .object()
        .text("key", "gpu.nvidia.com/xid")
        .text("value", "79")
        .text("effect", "NoSchedule");
    json.text("timeAdded", fleetTime(plan.start() - std::chrono::hours(7))).endObject().endArray();
}

void writeCard(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node, int slot,
               bool partitionable)
{
    json.object().text("name", "gpu-" + QByteArray::number(slot)).object("attributes");
    writeString(json, "type", "gpu");
    writeString(json, "uuid", plan.cardUuid(node, slot));
    writeCommon(json, plan, node, slot);
    json.endObject().object("capacity");
    writeAmount(json, "memory", QByteArray::number(node.memoryMiB()) + "Mi");
    json.endObject();
    if (partitionable)
        writeCounters(json, node, slot, nullptr, 0);
    writeTaint(json, plan, node, slot);
    json.endObject();
}

void writeMigDevice(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node, int slot,
                    const MigProfile &profile, int start)
{
    json.object();
    json.text("name", "gpu-" + QByteArray::number(slot) + "-mig-" +
                          QByteArray(profile.name).replace('.', "") + '-' +
                          QByteArray::number(profile.profileId) + '-' + QByteArray::number(start));
    json.object("attributes");
    writeString(json, "type", "mig");
    writeString(json, "uuid", plan.migUuid(node, slot, profile.profileId * 8 + start));
    writeString(json, "parentUUID", plan.cardUuid(node, slot));
    writeString(json, "profile", profile.name);
    writeCommon(json, plan, node, slot);
    json.endObject().object("capacity");
    writeAmount(json, "memory", QByteArray::number(profile.memoryMiB) + "Mi");
    writeAmount(json, "multiprocessors", QByteArray::number(profile.multiprocessors));
    writeAmount(json, "copyEngines", QByteArray::number(profile.copies));
    for (int i = start; i < start + profile.memorySlices; ++i)
        writeAmount(json, "memorySlice" + QByteArray::number(i), "1");
    json.endObject();
    writeCounters(json, node, slot, &profile, start);
    json.endObject();
}

template <typename WriteContent>
SimulatedObject sliceObject(const FleetPlan &plan, const SimulatedNode &node, int index, int count,
                            WriteContent writeContent)
{
    const quint64 hash = fleetHash(plan.seed(), 1600 + quint64(index), node.firstCard);
    const QByteArray name = node.name + "-gpu.nvidia.com-" + fleetSuffix(hash, 5);
    FleetJson json(16 * 1024);
    json.object()
        .text("kind", "ResourceSlice")
        .text("apiVersion", "resource.k8s.io/v1")
        .object("metadata")
        .text("name", name);
    json.text("generateName", node.name + "-gpu.nvidia.com-")
        .text("uid", fleetUuid(hash))
        .number("generation", 1);
    json.text("creationTimestamp", fleetTime(plan.start() - std::chrono::hours(24 * 20)))
        .array("ownerReferences")
        .object();
    json.text("apiVersion", "v1").text("kind", "Node").text("name", node.name);
    json.text("uid", fleetUuid(fleetHash(plan.seed(), 900, node.firstCard)))
        .boolean("controller", true)
        .endObject()
        .endArray()
        .endObject();
    json.object("spec")
        .text("driver", "gpu.nvidia.com")
        .text("nodeName", node.name)
        .object("pool")
        .text("name", node.name);
    json.number("generation", 4).number("resourceSliceCount", count).endObject();
    writeContent(json);
    json.endObject().endObject();
    return {"resource.k8s.io/v1", "resourceslices", {}, name, json.take()};
}

} // namespace

std::vector<SimulatedObject> sliceObjects(const FleetPlan &plan, const SimulatedNode &node)
{
    std::vector<SimulatedObject> result;
    if (node.encoding == CardEncoding::Dra) {
        result.push_back(sliceObject(plan, node, 0, 1, [&](FleetJson &json) {
            json.array("devices");
            for (int slot = 0; slot < node.cards; ++slot)
                writeCard(json, plan, node, slot, false);
            json.endArray();
        }));
        return result;
    }
    // At most 64 devices a slice once counters are used, and a slice holds devices or counters, not both.
    result.push_back(sliceObject(plan, node, 0, 3, [&](FleetJson &json) {
        json.array("sharedCounters");
        for (int slot = 0; slot < node.cards; ++slot) {
            json.object().text("name", "gpu-" + QByteArray::number(slot) + "-counter-set").object("counters");
            writeAmount(json, "memory", QByteArray::number(node.memoryMiB()) + "Mi");
            writeAmount(json, "multiprocessors", "132");
            writeAmount(json, "copy-engines", "8");
            for (int i = 0; i < 8; ++i)
                writeAmount(json, "memory-slice-" + QByteArray::number(i), "1");
            json.endObject().endObject();
        }
        json.endArray();
    }));
    for (int half = 0; half < 2; ++half) {
        result.push_back(sliceObject(plan, node, 1 + half, 3, [&](FleetJson &json) {
            json.array("devices");
            for (int slot = half * 4; slot < std::min<int>(half * 4 + 4, node.cards); ++slot) {
                writeCard(json, plan, node, slot, true);
                for (const MigProfile &profile : migProfiles) {
                    for (int i = 0; i < profile.startCount; ++i)
                        writeMigDevice(json, plan, node, slot, profile, profile.starts[std::size_t(i)]);
                }
            }
            json.endArray();
        }));
    }
    return result;
}

std::vector<SimulatedObject> deviceClassObjects(const FleetPlan &plan, int cluster)
{
    std::vector<SimulatedObject> result;
    for (const char *type : {"gpu", "mig"}) {
        const QByteArray name = QByteArray(type) + ".nvidia.com";
        FleetJson json(600);
        json.object()
            .text("kind", "DeviceClass")
            .text("apiVersion", "resource.k8s.io/v1")
            .object("metadata")
            .text("name", name);
        json.text("uid", fleetUuid(fleetHash(plan.seed(), 1700 + quint64(type[0]), quint64(cluster))))
            .number("generation", 1);
        json.text("creationTimestamp", fleetTime(plan.start() - std::chrono::hours(24 * 90))).endObject();
        json.object("spec").array("selectors").object().object("cel");
        json.text("expression",
                  "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == '" +
                      QByteArray(type) + "'");
        json.endObject().endObject().endArray();
        if (type[0] == 'g')
            json.text("extendedResourceName", "nvidia.com/gpu");
        json.endObject().endObject();
        result.push_back({"resource.k8s.io/v1", "deviceclasses", {}, name, json.take()});
    }
    return result;
}

} // namespace tongchi
