#include "platform/simulator/fleet_pod_devices.h"

#include "platform/simulator/fleet_encoding.h"

namespace tongchi {

namespace {

/// Memory and cores that HAMi's grammar names for one device of this seat.
struct HamiGrant
{
    int memoryMiB;
    int cores;
};

HamiGrant hamiGrant(const SimulatedNode &node, const PodSeat &seat, bool shared)
{
    const int memory = hamiMemoryMiB(node);
    if (isHamiAscend(node.encoding)) {
        if (node.encoding == CardEncoding::HamiAscendTemplates)
            return {memory / 2, 0};
        return {memory, 0};
    }
    if (!shared)
        return {memory, 100};
    return seat.share == 0 ? HamiGrant{memory * 6 / 10, 60} : HamiGrant{memory * 4 / 10, 40};
}

/// Whether another seat may stand on the same card; an only pod of a HAMi card asks for all of it.
bool sharesItsCard(const FleetPlan &plan, const SimulatedNode &node, const PodSeat &seat)
{
    for (quint32 i = node.firstSeat; i < node.firstSeat + node.seats; ++i) {
        const PodSeat &other = plan.seats()[i];
        if (&other != &seat && other.firstSlot == seat.firstSlot)
            return true;
    }
    return false;
}

} // namespace

void writeDeviceAnnotations(FleetJson &json, const FleetPlan &plan, const SimulatedNode &node,
                            const PodSeat &seat, const SeatPod &pod)
{
    const QByteArray seconds = QByteArray::number(pod.startMs / 1000);
    const bool hami = isHamiNvidia(node.encoding) || isHamiAscend(node.encoding);
    if (hami) {
        const HamiGrant grant = hamiGrant(node, seat, sharesItsCard(plan, node, seat));
        QByteArray devices;
        for (int i = 0; i < seat.cards; ++i) {
            devices += plan.cardUuid(node, seat.firstSlot + i) + ',' +
                       (isHamiAscend(node.encoding) ? ascendWord(node) : QByteArray("NVIDIA")) + ',' +
                       QByteArray::number(grant.memoryMiB) + ',' + QByteArray::number(grant.cores) + ':';
        }
        devices += ';';
        const QByteArray word = isHamiAscend(node.encoding) ? ascendWord(node) : QByteArray("vgpu");
        json.text("hami.io/bind-phase", "success").text("hami.io/bind-time", seconds);
        json.text("hami.io/vgpu-node", node.name).text("hami.io/vgpu-time", seconds);
        json.text("hami.io/" + word + "-devices-allocated", devices);
        json.text("hami.io/" + word + "-devices-to-allocate", ";");
        if (isHamiAscend(node.encoding)) {
            FleetJson list(300);
            list.array();
            for (int i = 0; i < seat.cards; ++i) {
                list.object().text("UUID", plan.cardUuid(node, seat.firstSlot + i));
                if (node.encoding == CardEncoding::HamiAscendTemplates)
                    list.text("temp", ascendTemplate(node));
                list.number("memory", grant.memoryMiB).endObject();
            }
            list.endArray();
            json.text("huawei.com/" + word, list.bytes());
        }
        return;
    }
    switch (node.encoding) {
    case CardEncoding::AscendPlugin: {
        QByteArray cards;
        for (int i = 0; i < seat.cards; ++i)
            cards += (i > 0 ? ",Ascend910-" : "Ascend910-") + QByteArray::number(seat.firstSlot + i);
        json.text("huawei.com/Ascend910", cards)
            .text("huawei.com/AscendReal", cards)
            .text("huawei.com/kltDev", cards);
        json.text("predicate-time", QByteArray::number(pod.startMs * 1'000'000));
        break;
    }
    case CardEncoding::AscendStaticVnpu: {
        const QByteArray device = "Ascend910-" + ascendStaticTemplate(node) + '-' +
                                  QByteArray::number(100 + seat.firstSlot * 2 + seat.share) + '-' +
                                  QByteArray::number(seat.firstSlot);
        json.text("huawei.com/AscendReal", device).text("huawei.com/kltDev", device);
        break;
    }
    case CardEncoding::MluDynamic:
        json.text("CAMBRICON_DSMLU_ASSIGHED", "true");
        json.text("CAMBRICON_DSMLU_PROFILE", QByteArray::number(seat.firstSlot) + "_40_48");
        json.text("CAMBRICON_DSMLU_PROFILE_INSTANCE",
                  QByteArray::number(seat.firstSlot) + "_256_" + QByteArray::number(seat.share + 1));
        break;
    default:
        break;
    }
}

void writeDeviceRequests(FleetJson &json, const SimulatedNode &node, const PodSeat &seat)
{
    const QByteArray resource = countedResource(node, seat.share);
    if (resource.isEmpty())
        return;
    json.text(resource, QByteArray::number(countedRequest(node, seat.cards)));
    if (isHamiNvidia(node.encoding) && seat.cards == 1) {
        json.text("nvidia.com/gpucores", seat.share == 0 ? "60" : "40");
        json.text("nvidia.com/gpumem-percentage", seat.share == 0 ? "60" : "40");
    } else if (node.encoding == CardEncoding::HamiAscendTemplates) {
        json.text(resource + "-memory", QByteArray::number(node.memoryMiB() / 2));
    } else if (node.encoding == CardEncoding::MluDynamic) {
        json.text("cambricon.com/mlu.smlu.vmemory", "48");
    }
}

QByteArray draDeviceName(const SimulatedNode &node, int slot, int share)
{
    const QByteArray gpu = "gpu-" + QByteArray::number(slot);
    if (node.encoding != CardEncoding::DraMig)
        return gpu;
    const MigInstance &instance = migInstance(node.encoding, share);
    return gpu + "-mig-" + QByteArray(instance.profile).replace('.', "") + '-' +
           QByteArray::number(instance.profileId) + '-' + QByteArray::number(instance.start);
}

} // namespace tongchi
