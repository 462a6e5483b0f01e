// After any sequence of changes the store holds what assembling the final objects from scratch would give.

#include "tests/inventory/assembler_fixture.h"

#include <random>
#include <set>

namespace tongchi {
namespace {

using test::AssemblerHarness;

class AssemblerChurn : public ::testing::TestWithParam<unsigned>
{
protected:
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); }

    QByteArray randomNode(int number)
    {
        std::map<QString, QString> labels{
            {u"topology.kubernetes.io/region"_qs, below(2) ? u"beijing"_qs : u"guiyang"_qs}};
        std::map<QString, QString> annotations;
        std::map<QString, std::pair<QString, QString>> amounts;
        const int cards = 1 + below(4);
        const auto amount = [&](const QString &name, int units) {
            amounts[name] = {QString::number(units),
                             QString::number(std::max(0, units - (below(4) ? 0 : 1)))};
        };
        switch (below(6)) {
        case 0:
            amount(u"nvidia.com/gpu"_qs, cards);
            if (below(2))
                labels[u"nvidia.com/gpu.product"_qs] = u"NVIDIA-A10"_qs;
            break;
        case 1: {
            QString text;
            for (int i = 0; i < cards; ++i) {
                text +=
                    u"GPU-0000000%1-0000-4000-8000-00000000000%2,10,15360,100,NVIDIA-Tesla T4,%3,%4,%2,hami-core:"_qs
                        .arg(number)
                        .arg(i)
                        .arg(below(2))
                        .arg(below(4) ? u"true"_qs : u"false"_qs);
            }
            annotations[u"hami.io/node-nvidia-register"_qs] = text;
            annotations[u"hami.io/node-handshake"_qs] = u"Requesting_%1"_qs.arg(below(1000));
            amount(u"nvidia.com/gpu"_qs, cards * 10);
            break;
        }
        case 2:
            amount(u"huawei.com/Ascend910"_qs, cards);
            labels[u"node.kubernetes.io/npu.chip.name"_qs] = below(2) ? u"910B3"_qs : u"910B4"_qs;
            break;
        case 3:
            amount(u"cambricon.com/mlu"_qs, cards);
            break;
        case 4:
            amount(u"example.com/npu"_qs, cards);
            break;
        default:
            break;
        }
        QByteArray json = test::nodeJson(qPrintable(u"n%1"_qs.arg(number)), labels, annotations, amounts);
        if (below(6) == 0)
            json.replace("\"uid-n", "\"uid-again-n");
        return json;
    }

    QByteArray randomPod(int number)
    {
        static const QString resources[]{u"nvidia.com/gpu"_qs, u"huawei.com/Ascend910"_qs,
                                         u"cambricon.com/mlu"_qs, u"example.com/npu"_qs};
        test::PodSpec spec{.name = u"p%1"_qs.arg(number), .node = u"n%1"_qs.arg(below(6))};
        if (below(5))
            spec.requests[resources[below(4)]] = 1 + below(3);
        if (below(3) == 0)
            spec.annotations[u"huawei.com/AscendReal"_qs] = u"Ascend910-%1"_qs.arg(below(4));
        if (below(3) == 0) {
            spec.annotations[u"hami.io/vgpu-devices-allocated"_qs] =
                u"GPU-0000000%1-0000-4000-8000-00000000000%2,NVIDIA,5000,30:;"_qs.arg(spec.node.mid(1))
                    .arg(below(4));
        }
        spec.business = below(2) ? u"inference"_qs : below(2) ? u"training"_qs : QString();
        spec.phase = below(5) ? u"Running"_qs : u"Succeeded"_qs;
        return test::podJson(spec);
    }

    QByteArray randomSlice(int number)
    {
        const QByteArray n = QByteArray::number(number);
        QByteArray devices;
        for (int i = 1 + below(3); i > 0; --i) {
            devices += (devices.isEmpty() ? "" : ",") + QByteArray("{\"name\":\"gpu-") +
                       QByteArray::number(i) +
                       "\",\"attributes\":{\"type\":{\"string\":\"gpu\"},\"uuid\":{\"string\":\"GPU-0000000" +
                       n + "-0000-4000-8000-00000000000" + QByteArray::number(i) +
                       "\"},\"productName\":{\"string\":\"Tesla T4\"}}}";
        }
        return "{\"metadata\":{\"name\":\"s" + n + "\",\"uid\":\"slice-" + n +
               "\"},\"spec\":{\"driver\":\"gpu.nvidia.com\",\"nodeName\":\"n" + n +
               "\",\"pool\":{\"name\":\"n" + n +
               "\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[" + devices + "]}}";
    }

    QByteArray randomClaim(int number)
    {
        const QByteArray n = QByteArray::number(number);
        return "{\"metadata\":{\"name\":\"c" + n + "\",\"namespace\":\"ns\",\"uid\":\"claim-" + n +
               "\"},\"status\":{\"allocation\":{\"devices\":{\"results\":[{\"request\":\"r\",\"driver\":"
               "\"gpu.nvidia.com\",\"pool\":\"n" +
               QByteArray::number(below(6)) + "\",\"device\":\"gpu-" + QByteArray::number(1 + below(3)) +
               "\"}]}},\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p" + QByteArray::number(below(10)) +
               "\",\"uid\":\"x\"}]}}";
    }

    static std::string describe(const AssemblerHarness &it)
    {
        std::map<std::string, std::string> nodes;
        for (std::uint32_t i = 0; i < it.store.nodeSlots(); ++i) {
            const StoredNode &node = it.store.node(i);
            if (node.facts.uid == 0)
                continue;
            std::string text = it.text(node.facts.uid) + " " + it.text(node.facts.region) + " cards " +
                               std::to_string(node.facts.cards) + " withdrawn " +
                               std::to_string(node.facts.withdrawn) + " held " +
                               std::to_string(node.facts.held) + " free " + std::to_string(node.facts.free) +
                               " note " + it.text(node.facts.note) + "\n";
            for (const CardIndex index : node.cards) {
                const CardRecord card = it.store.details(index);
                text += "  " + std::string(vendorKey(card.vendor)) + ' ' + std::to_string(card.slot) + ' ' +
                        it.text(card.model) + ' ' + it.text(card.variant) + ' ' + it.uuid(card) + ' ' +
                        healthKey(card.health) + ' ' + labelKey(card.label) + ' ' +
                        std::to_string(card.flags.toInt()) + ' ' + std::to_string(card.sources.toInt()) +
                        ' ' + std::to_string(card.shares);
                for (const StringId pod : card.pods)
                    text += ' ' + it.text(pod);
                for (const StringId workload : card.workloads)
                    text += " w:" + it.text(workload);
                for (const CardSlice &slice : card.slices)
                    text += " s:" + it.text(slice.name) + '/' + it.text(slice.profile) + '/' +
                            it.text(slice.workload);
                text += '\n';
            }
            nodes[it.text(node.facts.name)] = text;
        }
        std::string all;
        for (const auto &[name, text] : nodes)
            all += name + ": " + text;
        return all;
    }

    std::string fromScratch()
    {
        AssemblerHarness fresh(pool);
        fresh.podsRead();
        for (const auto &[number, json] : claims)
            fresh.claim(json);
        for (const auto &[number, json] : pods)
            fresh.pod(json);
        for (const auto &[number, json] : slices)
            fresh.slice(json);
        for (const auto &[number, json] : nodes)
            fresh.node(json);
        fresh.settle();
        return describe(fresh);
    }

    StringPool pool;
    std::mt19937 random{GetParam()};
    std::map<int, QByteArray> nodes, pods, slices, claims;
};

TEST_P(AssemblerChurn, EndsWhereAFreshStartWould)
{
    AssemblerHarness it(pool);
    it.podsRead();
    for (int step = 0; step < 300; ++step) {
        const int what = below(10);
        const int n = below(6);
        const int p = below(10);
        if (what < 3) {
            nodes[n] = randomNode(n);
            it.node(nodes[n]);
        } else if (what < 6) {
            pods[p] = randomPod(p);
            it.pod(pods[p]);
        } else if (what == 6) {
            slices[n] = randomSlice(n);
            it.slice(slices[n]);
        } else if (what == 7) {
            claims[p] = randomClaim(p);
            it.claim(claims[p]);
        } else if (below(4) == 0) { // a whole list, with some gone
            std::erase_if(nodes, [&](const auto &) { return below(4) == 0; });
            it.assembler.nodes().listStarted();
            for (const auto &[number, json] : nodes)
                it.node(json);
            it.assembler.nodes().listFinished();
            std::erase_if(slices, [&](const auto &) { return below(3) == 0; });
            it.assembler.slices().listStarted();
            for (const auto &[number, json] : slices)
                it.slice(json);
            it.assembler.slices().listFinished();
            std::erase_if(claims, [&](const auto &) { return below(3) == 0; });
            it.assembler.claims().listStarted();
            for (const auto &[number, json] : claims)
                it.claim(json);
            it.assembler.claims().listFinished();
        } else {
            if (nodes.contains(n)) {
                it.assembler.nodes().removed(AssemblerHarness::nodeRecord(nodes[n]).key);
                nodes.erase(n);
            }
            if (pods.contains(p)) {
                it.assembler.pods().removed(AssemblerHarness::podRecord(pods[p]).key);
                pods.erase(p);
            }
        }
        if (below(3))
            it.settle(std::size_t(1 + below(3)));
        if (step % 10 == 9) {
            it.settle();
            const std::string wanted = fromScratch();
            ASSERT_EQ(describe(it), wanted) << "step " << step;
            // Every card is found by what other sources call it.
            ASSERT_EQ(it.assembler.cardCount(), it.store.cardCount());
            std::set<std::uint32_t> ordinals;
            for (CardIndex card = 0; card < it.store.cardSlots(); ++card) {
                if (!it.store.isUsed(card))
                    continue;
                const CardRecord record = it.store.details(card);
                ASSERT_TRUE(ordinals.insert(record.ordinal).second);
                const std::uint32_t node =
                    it.assembler.nodeByName(pool.utf8(it.store.node(it.store.nodeIndexOf(card)).facts.name));
                ASSERT_EQ(it.assembler.bySlot(node, record.vendor, record.slot).ordinal, record.ordinal);
                const auto matches = it.assembler.byUuid(it.uuid(record));
                ASSERT_EQ(std::count_if(matches.begin(), matches.end(),
                                        [&](const auto &each) { return each.ordinal == record.ordinal; }),
                          record.uuid.isEmpty() ? 0 : 1);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AssemblerChurn, ::testing::Range(1u, 9u));

} // namespace
} // namespace tongchi
