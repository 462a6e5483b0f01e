#include "tests/ui/sample_pool.h"

#include "tests/support/wait.h"

#include <QApplication>
#include <cmath>

namespace tongchi::test {

namespace {

struct FleetModel
{
    Vendor vendor;
    const char *model;
    const char *code;
    std::int64_t gigabytes;
    float watts;
};
constexpr FleetModel fleetModels[] = {
    {Vendor::Ascend, "Ascend 910B", "910b", 64, 300}, {Vendor::Nvidia, "RTX 4090", "4090", 24, 420},
    {Vendor::Nvidia, "H100", "h100", 80, 650},        {Vendor::Nvidia, "A100", "a100", 80, 380},
    {Vendor::Cambricon, "MLU370-X8", "mlu", 48, 250}, {Vendor::Nvidia, "T4", "t4", 16, 70},
};
struct FleetRegion
{
    const char *region;
    const char *code;
    quint32 cluster;
};
constexpr FleetRegion fleetRegions[] = {
    {"beijing", "bj", 1}, {"ulanqab", "wlcb", 2}, {"guiyang", "gy", 3}, {"shenzhen", "sz", 3}};
const char *const fleetWork[] = {"deepseek-r1-32b", "qwen2.5-72b-chat", "pretrain-7b-cn",
                                 "glm-4-9b-chat",   "bge-reranker-v2",  "sft-kefu-13b"};

} // namespace

SampleWindow::~SampleWindow()
{
    window.reset();
    for (const FakeSource *cluster : clusters)
        inventory.removeSource(cluster->clusterId());
}

void SampleWindow::open()
{
    theme.install(*static_cast<QApplication *>(QCoreApplication::instance()));
    window = std::make_unique<MainWindow>(
        MainWindow::Services{theme, inventory, actions, connections, files, settings,
                             [this](const QString &code) { language = code; },
                             [](std::uint8_t, const char *quantity) {
                                 return QStringLiteral("DCGM_FI_DEV_%1").arg(QLatin1String(quantity));
                             },
                             QTimeZone(8 * 3600)});
}

FakeSource *SampleWindow::addCluster(quint32 id, const QString &name)
{
    auto source = std::make_unique<FakeSource>(id, name);
    FakeSource *made = source.get();
    clusters.push_back(made);
    builders.push_back(std::make_unique<PoolBuilder>(strings, id, name));
    inventory.addSource(std::move(source));
    return made;
}

void SampleWindow::fillFleet(int nodes, int samples)
{
    addCluster(1, QStringLiteral("bj-prod"));
    addCluster(2, QStringLiteral("wlcb-train"));
    addCluster(3, QStringLiteral("south-prod"));
    std::vector<std::vector<PoolBuilder::Node>> lists(3);
    std::vector<std::vector<float>> watts(3);
    for (int i = 0; i < nodes; ++i) {
        const FleetRegion &region = fleetRegions[(i * 7) % 4];
        const FleetModel &model = fleetModels[(i * 5 + i / 11) % 6];
        PoolBuilder::Node node;
        char name[64];
        std::snprintf(name, sizeof name, "%s-%s-%03d", region.code, model.code, i);
        node.name = name;
        node.region = region.region;
        node.vendor = model.vendor;
        node.model = model.model;
        node.variant = "";
        node.memoryBytes = model.gigabytes << 30;
        node.label = BusinessLabel(1 + (i * 3 + i / 7) % 4);
        if (node.label != BusinessLabel::Idle) {
            node.workload = fleetWork[i % 6];
            node.pod = std::string("serving/") + fleetWork[i % 6] + "-0";
        }
        if (i % 41 == 40) {
            node.unschedulable = true;
            node.usability = NodeUsability::Cordoned;
        } else if (i % 53 == 52) {
            node.usability = NodeUsability::NotReady;
        }
        lists[region.cluster - 1].push_back(node);
        watts[region.cluster - 1].push_back(model.watts);
    }
    for (std::size_t c = 0; c < 3; ++c) {
        InventoryDelta delta = builders[c]->delta(lists[c]);
        auto status = std::make_shared<ClusterStatus>(*delta.status);
        status->server = QStringLiteral("https://10.%1.0.11:6443").arg(20 + int(c));
        status->kubernetesVersion = QStringLiteral("v1.31.4");
        for (SourceStatus *source : {&status->kubernetes, &status->pods, &status->metrics}) {
            source->state = SourceState::Live;
            source->latency = std::chrono::milliseconds(18);
            source->lastHeard = clock.now();
        }
        delta.status = status;
        clusters[c]->send(std::move(delta));
        // An hour of samples, so that sparklines and the drawer have something to show.
        for (int step = 60 - samples; step < 60; ++step) {
            InventoryDelta values;
            values.clusterId = quint32(c + 1);
            for (std::size_t n = 0; n < lists[c].size(); ++n) {
                const bool idle = lists[c][n].label == BusinessLabel::Idle;
                const bool silent = lists[c][n].usability == NodeUsability::NotReady;
                for (std::uint32_t slot = 0; slot < 8 && !silent; ++slot) {
                    const std::uint32_t ordinal = builders[c]->firstOrdinalOf(lists[c][n].name) + slot;
                    const double wave =
                        70 + 25 * std::sin(double(ordinal % 97)) + 4 * std::sin(step / 3.0 + ordinal);
                    const float utilization =
                        idle ? float(ordinal % 5) : float(std::min(100.0, std::max(0.0, wave)));
                    const bool stale = ordinal % 173 == 172;
                    const Instant at = clock.now() - std::chrono::minutes(59 - step) -
                                       (stale ? std::chrono::seconds(125) : std::chrono::seconds(2));
                    TelemetryRecord record =
                        builders[c]->telemetry(ordinal, utilization, at, 30 + utilization * 0.45F,
                                               40 + utilization / 100 * watts[c][n]);
                    record.memoryUsedBytes = float(lists[c][n].memoryBytes) * (0.05F + utilization / 115);
                    values.telemetry.push_back(record);
                }
            }
            clusters[c]->send(std::move(values));
        }
    }
    waitUntil([this] { return inventory.isComplete() && inventory.summary().utilizationReported > 0; },
              std::chrono::seconds(20));
}

} // namespace tongchi::test
