// What the store and the assembler cost at 100,000 cards, one pod each.
//
//   build/bench/tests/benchmarks/card_store_benchmark
//
// The load runs once, cold; the other figures are means of many runs, warm. QString rows are the ordinary way
// to hold the same table: fourteen texts a row.

#include "platform/inventory/card_assembler.h"
#include "platform/inventory/card_store.h"

#include <QString>
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <random>
#include <sys/resource.h>
#include <time.h>

using namespace tongchi;

namespace {

constexpr std::uint32_t benchCards = 100'000;
constexpr std::uint32_t benchCardsPerNode = 8;
constexpr Instant benchNoon{std::chrono::milliseconds{1'798'612'928'000}};

double elapsedMs(std::chrono::steady_clock::time_point since)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

double peakMemoryMiB()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) / 1024;
}

std::string uuidOf(std::uint32_t number, const char *prefix)
{
    char text[64];
    std::snprintf(text, sizeof text, "%s%08x-1111-4222-8333-%012x", prefix, number * 2654435761u, number);
    return text;
}

NodeRecord benchNode(std::uint32_t number)
{
    NodeRecord record;
    record.key = {.name = "bj-4090-" + std::to_string(number), .uid = uuidOf(number, "")};
    record.resourceVersion = std::to_string(81'000'000 + number);
    record.ready = ConditionStatus::True;
    record.labels = {{"topology.kubernetes.io/region", "beijing"},
                     {"kubernetes.io/hostname", record.key.name},
                     {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"},
                     {"nvidia.com/gpu.memory", "81920"},
                     {"nvidia.com/gpu.count", "8"}};
    std::string text;
    for (std::uint32_t slot = 0; slot < benchCardsPerNode; ++slot) {
        text += uuidOf(number * benchCardsPerNode + slot, "GPU-") +
                ",10,81920,100,NVIDIA-NVIDIA A100-SXM4-80GB," + std::to_string(slot / 4) + ",true," +
                std::to_string(slot) + ",hami-core:";
    }
    record.annotations = {{"hami.io/node-nvidia-register", text},
                          {"hami.io/node-handshake", "Requesting_2026-03-02 09:00:00"}};
    record.resources = {{"nvidia.com/gpu", Quantity::fromUnits(80), Quantity::fromUnits(80), "80", "80"}};
    record.addresses = {"10.1." + std::to_string(number / 250) + '.' + std::to_string(number % 250),
                        record.key.name};
    record.kubeletVersion = "v1.36.3";
    return record;
}

PodRecord benchPod(std::uint32_t number)
{
    PodRecord record;
    char suffix[32];
    std::snprintf(suffix, sizeof suffix, "%08x-%05x", number % 977 * 2654435761u, number);
    record.ownerKind = "ReplicaSet";
    record.ownerName = "qwen2-72b-" + std::to_string(number % 400) + "-7d9f8c6b5d";
    record.key = {.nameSpace = "inference",
                  .name = "qwen2-72b-" + std::to_string(number % 400) + '-' + suffix,
                  .uid = uuidOf(number, "")};
    record.node = "bj-4090-" + std::to_string(number / benchCardsPerNode);
    record.phase = PodPhase::Running;
    record.cardAnnotations = {
        {"hami.io/vgpu-devices-allocated", uuidOf(number, "GPU-") + ",NVIDIA,81920,100:;"}};
    record.requests = {{"nvidia.com/gpu", 1}};
    return record;
}

struct Bench
{
    StringPool pool;
    SystemClock clock;
    DeviceCatalog catalog = DeviceCatalog::builtIn();
    CardAssembler assembler{pool, catalog, clock};
    CardStore store{pool};
    std::vector<std::vector<TelemetryRecord>> rounds;
};

Bench &bench()
{
    static Bench it;
    return it;
}

void load()
{
    Bench &it = bench();
    const double before = peakMemoryMiB();
    auto begun = std::chrono::steady_clock::now();
    it.assembler.nodes().listStarted();
    for (std::uint32_t n = 0; n < benchCards / benchCardsPerNode; ++n)
        it.assembler.nodes().upsert(benchNode(n));
    it.assembler.nodes().listFinished();
    it.assembler.pods().listStarted();
    for (std::uint32_t p = 0; p < benchCards; ++p)
        it.assembler.pods().upsert(benchPod(p));
    it.assembler.pods().listFinished();
    const double reading = elapsedMs(begun);

    double assembling = 0, applying = 0, longest = 0;
    int deltas = 0;
    for (;; ++deltas) {
        begun = std::chrono::steady_clock::now();
        auto delta = it.assembler.takeDelta(250);
        assembling += elapsedMs(begun);
        if (!delta)
            break;
        delta->clusterId = 1;
        begun = std::chrono::steady_clock::now();
        const StoreChange change = it.store.apply(*delta, benchNoon);
        const double took = elapsedMs(begun);
        benchmark::DoNotOptimize(change.added.data());
        applying += took;
        longest = std::max(longest, took);
    }
    std::printf("load, cold: %u cards, %u pods; making and reading objects %.0f ms, assembling %.0f ms, "
                "applying %.0f ms in %d deltas, "
                "longest %.2f ms; peak memory %.0f MiB more\n",
                it.store.cardCount(), benchCards, reading, assembling, applying, deltas, longest,
                peakMemoryMiB() - before);
    const double own = double(it.store.bytes()) / benchCards;
    const double strings = double(it.pool.bytes()) / benchCards;
    const double rows = 14.0 * sizeof(QString) + 14 * (16 + 2 * 14 + 2);
    std::printf("bytes a card: store %.1f + strings %.1f = %.1f; fourteen QStrings a row %.0f, ratio %.1f; "
                "assembler %.1f; history 256 apart\n",
                own, strings, own + strings, rows, rows / (own + strings),
                double(it.assembler.bytes()) / benchCards);

    std::mt19937 random(1);
    for (int round = 0; round < 10; ++round) {
        std::vector<TelemetryRecord> &records = it.rounds.emplace_back();
        for (std::uint32_t i = 0; i < 10'000; ++i) {
            TelemetryRecord record;
            record.ordinal = std::uint32_t(round) * 10'000 + i;
            record.utilizationPercent = float(random() % 101);
            record.memoryUsedBytes = float(random() % 80) * 1e9f;
            record.memoryTotalBytes = 85899345920.0f;
            record.temperatureCelsius = float(30 + random() % 50);
            record.powerWatts = float(random() % 400);
            record.health = CardHealth::Healthy;
            records.push_back(record);
        }
    }
}

/// Ten thousand cards' new values, as one delta; the next thousand milliseconds other cards.
void applyTelemetry(benchmark::State &state)
{
    Bench &it = bench();
    Instant now = benchNoon;
    for (int warm = 0; warm < 10; ++warm) { // the first sample of a card allocates its history
        InventoryDelta delta{.clusterId = 1, .telemetry = it.rounds[std::size_t(warm)]};
        for (TelemetryRecord &record : delta.telemetry)
            record.sampledAt = now;
        it.store.apply(delta, now);
    }
    std::size_t round = 0;
    for (auto _ : state) {
        state.PauseTiming();
        now += std::chrono::seconds(3);
        InventoryDelta delta{.clusterId = 1, .telemetry = it.rounds[round++ % it.rounds.size()]};
        for (TelemetryRecord &record : delta.telemetry) {
            record.sampledAt = now;
            record.utilizationPercent = float(random() % 101);
        }
        state.ResumeTiming();
        benchmark::DoNotOptimize(it.store.apply(delta, now).measured.size());
    }
}
BENCHMARK(applyTelemetry)->Unit(benchmark::kMillisecond);

/// One pod moves: what one event costs from record to store.
void applyOneNode(benchmark::State &state)
{
    Bench &it = bench();
    std::uint32_t number = 0;
    for (auto _ : state) {
        PodRecord pod = benchPod(number);
        pod.businessLabel = pod.businessLabel.empty() && state.iterations() % 2 ? "training" : "mixed";
        it.assembler.pods().upsert(pod);
        auto delta = it.assembler.takeDelta(100);
        if (delta) {
            delta->clusterId = 1;
            benchmark::DoNotOptimize(it.store.apply(*delta, benchNoon).valuesChanged);
        }
        number = (number + 7919) % benchCards;
    }
}
BENCHMARK(applyOneNode)->Unit(benchmark::kMicrosecond);

/// HAMi's handshake: an event with nothing in it.
void readHandshake(benchmark::State &state)
{
    Bench &it = bench();
    NodeRecord node = benchNode(17);
    int turn = 0;
    for (auto _ : state) {
        node.annotations[1].second =
            turn++ % 2 ? "Requesting_2026-03-02 09:00:00" : "Reported 2026-03-02 09:00:05";
        it.assembler.nodes().upsert(node);
        if (it.assembler.hasChanges())
            state.SkipWithError("a handshake changed something");
    }
}
BENCHMARK(readHandshake)->Unit(benchmark::kMicrosecond);

/// Free text looks into UUIDs too.
void findUuid(benchmark::State &state, const char *needle)
{
    std::size_t found = 0;
    for (auto _ : state)
        bench().store.forEachUuidContaining(needle, [&](CardIndex) { ++found; });
    benchmark::DoNotOptimize(found);
}
BENCHMARK_CAPTURE(findUuid, hexadecimal, "a1b2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(findUuid, word, "qwen")->Unit(benchmark::kMillisecond);

/// Joining telemetry: the index is made anew after cards changed.
void findByUuid(benchmark::State &state)
{
    Bench &it = bench();
    std::uint32_t number = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(it.assembler.byUuid(uuidOf(number, "GPU-")).size());
        number = (number + 7919) % benchCards;
    }
}
BENCHMARK(findByUuid);

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    load();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
