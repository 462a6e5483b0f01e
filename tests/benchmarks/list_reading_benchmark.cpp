// How fast a PodList and a NodeList as a real API server sends them are cut into elements and parsed into
// records, beside one pass over the same memory and beside QJsonDocument. All of it warm: the body is in
// memory and has been read once. Repeat with
//
//     cmake --preset bench && cmake --build --preset bench --target list_reading_benchmark
//     build/bench/tests/benchmarks/list_reading_benchmark
//
// The last lines give the ratios; --objects=100000 is the size of the goal (303 MB of pods).

#include "platform/kubernetes/item_cutter.h"
#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/pod_parser.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace tongchi;

namespace {

constexpr std::size_t kPiece = 256 * 1024; ///< what the stream client hands over at once

std::string number(int value, int width)
{
    std::string text = std::to_string(value);
    return std::string(text.size() < std::size_t(width) ? std::size_t(width) - text.size() : 0, '0') + text;
}

// 3.0 kB, the fields of a scheduled pod of a Deployment.
std::string podText(int i)
{
    const std::string n = number(i, 6);
    const std::string uid = "8f1c2d3e-4a5b-4c6d-8e7f-" + number(i, 12);
    const std::string stamp = R"("2026-11-30T21:13:51Z")";
    std::string text =
        R"({"metadata":{"name":"qwen-72b-)" + n +
        R"(","generateName":"qwen-72b-","namespace":"inference","uid":")" + uid + R"(","resourceVersion":")" +
        std::to_string(700000 + i) + R"(","generation":1,"creationTimestamp":)" + stamp +
        R"(,"labels":{"app":"qwen-72b","app.kubernetes.io/name":"qwen","pod-template-hash":"6c8d9f7b5","tongchi.io/business":"inference"},)"
        R"("annotations":{"hami.io/bind-phase":"success","hami.io/vgpu-devices-allocated":"GPU-)" +
        uid + R"(,NVIDIA,81920,100:;","hami.io/vgpu-node":"sz-a100-)" + n +
        R"(","hami.io/vgpu-time":"1796073231"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"qwen-72b-6c8d9f7b5","uid":")" +
        uid +
        R"(","controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":)" +
        stamp +
        R"(,"fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\")" +
        uid +
        R"(\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"server\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{},"f:nvidia.com/gpu":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{},"f:nvidia.com/gpu":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},)" +
        R"("spec":{"volumes":[{"name":"kube-api-access-x7k2p","projected":{"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],)"
        R"("containers":[{"name":"server","image":"registry.example/serving/vllm:0.9.2","args":["--model","/models/qwen-72b","--tensor-parallel-size","1"],"ports":[{"containerPort":8000,"protocol":"TCP"}],"resources":{"limits":{"cpu":"16","memory":"128Gi","nvidia.com/gpu":"1"},"requests":{"cpu":"16","memory":"128Gi","nvidia.com/gpu":"1"}},"volumeMounts":[{"name":"kube-api-access-x7k2p","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],)"
        R"("restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default","serviceAccount":"default","nodeName":"sz-a100-)" +
        n +
        R"(","securityContext":{},"schedulerName":"hami-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},)" +
        R"("status":{"phase":"Running","conditions":[)";
    for (const char *type : {"Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
        text += R"({"type":")" + std::string(type) +
                R"(","status":"True","lastProbeTime":null,"lastTransitionTime":)" + stamp +
                (std::strcmp(type, "PodScheduled") == 0 ? "}" : "},");
    }
    return text + R"(],"hostIP":"10.1.2.3","podIP":"10.2.3.4","podIPs":[{"ip":"10.2.3.4"}],"startTime":)" +
           stamp + R"(,"containerStatuses":[{"name":"server","state":{"running":{"startedAt":)" + stamp +
           R"(}},"lastState":{},"ready":true,"restartCount":0,"image":"registry.example/serving/vllm:0.9.2","imageID":"registry.example/serving/vllm@sha256:)" +
           number(i, 64) + R"(","containerID":"containerd://)" + number(i, 64) +
           R"(","started":true}],"qosClass":"Guaranteed"}})";
}

std::string nodeText(int i)
{
    const std::string n = number(i, 6);
    std::string text =
        R"({"metadata":{"name":"sz-a100-)" + n + R"(","uid":"f037c864-96d8-4b45-90c9-)" + number(i, 12) +
        R"(","resourceVersion":")" + std::to_string(i + 1) +
        R"(","creationTimestamp":"2026-11-30T21:13:51Z","labels":{"kubernetes.io/hostname":"sz-a100-)" + n +
        R"(","kubernetes.io/arch":"amd64","kubernetes.io/os":"linux","nvidia.com/gpu.count":"8","nvidia.com/gpu.memory":"81920","nvidia.com/gpu.product":"NVIDIA-A100-SXM4-80GB","topology.kubernetes.io/region":"shenzhen"},"annotations":{"hami.io/node-nvidia-register":"[)";
    for (int card = 0; card < 8; ++card) {
        text +=
            std::string(card ? "," : "") + R"({\"id\":\"GPU-)" + n + "-" + number(card, 2) +
            R"(\",\"index\":)" + std::to_string(card) +
            R"(,\"count\":10,\"devmem\":81920,\"devcore\":100,\"type\":\"NVIDIA A100-SXM4-80GB\",\"mode\":\"hami-core\",\"health\":true})";
    }
    text +=
        R"(]","node.alpha.kubernetes.io/ttl":"0"}},"spec":{"podCIDR":"10.2.0.0/24"},"status":{"capacity":{"cpu":"128","memory":"1056270028Ki","nvidia.com/gpu":"80","pods":"110"},"allocatable":{"cpu":"127","memory":"1055200000Ki","nvidia.com/gpu":"80","pods":"110"},"conditions":[)";
    for (const char *type : {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"}) {
        const bool ready = std::strcmp(type, "Ready") == 0;
        text +=
            R"({"type":")" + std::string(type) + R"(","status":")" + (ready ? "True" : "False") +
            R"(","lastHeartbeatTime":"2026-11-30T21:13:51Z","lastTransitionTime":"2026-11-30T21:13:51Z","reason":"KubeletReady","message":"kubelet is posting ready status"})" +
            (ready ? "" : ",");
    }
    text +=
        R"(],"addresses":[{"type":"InternalIP","address":"10.1.2.3"},{"type":"Hostname","address":"sz-a100-)" +
        n +
        R"("}],"nodeInfo":{"machineID":"m","systemUUID":"s","bootID":"b","kernelVersion":"5.15.0","osImage":"Debian","containerRuntimeVersion":"containerd://1.7","kubeletVersion":"v1.34.1","operatingSystem":"linux","architecture":"amd64"},"images":[)";
    for (int image = 0; image < 10; ++image) {
        text += std::string(image ? "," : "") + R"({"names":["registry.example/serving/image-)" +
                std::to_string(image) + "@sha256:" + number(image, 64) + R"("],"sizeBytes":10485760})";
    }
    return text + "]}}";
}

std::string makeList(bool pods, int count)
{
    std::string text =
        pods ? R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"748"},"items":[)"
             : R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"748"},"items":[)";
    text.reserve(std::size_t(count) * 3300);
    for (int i = 0; i < count; ++i)
        text.append(i ? "," : "").append(pods ? podText(i) : nodeText(i));
    return text + "]}\n";
}

int objectCount = 20'000;

const std::string &listOf(bool pods)
{
    static const std::string podList = makeList(true, objectCount);
    static const std::string nodeList = makeList(false, objectCount);
    return pods ? podList : nodeList;
}

template <typename Record, typename Parser> class ParsingReceiver final : public ItemReceiver
{
public:
    void item(std::string_view json) override
    {
        UnreadableObject why;
        if (!m_parser.parse(json, m_record, why))
            std::abort();
        m_bytes += m_record.key.name.size();
    }
    void skippedItem(std::string_view, const char *) override { std::abort(); }
    std::size_t bytes() const { return m_bytes; }

private:
    Parser m_parser;
    Record m_record;
    std::size_t m_bytes = 0;
};

class CountingReceiver final : public ItemReceiver
{
public:
    void item(std::string_view json) override { m_bytes += json.size(); }
    void skippedItem(std::string_view, const char *) override { std::abort(); }
    std::size_t bytes() const { return m_bytes; }

private:
    std::size_t m_bytes = 0;
};

void cutList(const std::string &body, ItemReceiver &receiver)
{
    ItemCutter cutter;
    for (std::size_t at = 0; at < body.size(); at += kPiece)
        cutter.feed(std::string_view(body).substr(at, kPiece), receiver);
    if (!cutter.finish() || cutter.itemCount() != objectCount)
        std::abort();
}

// One pass over all of the bytes, the least that any reader has to do.
void passOver(bool pods)
{
    static std::string copy(kPiece, '\0');
    const std::string &body = listOf(pods);
    for (std::size_t at = 0; at < body.size(); at += kPiece) {
        std::memcpy(copy.data(), body.data() + at, std::min(kPiece, body.size() - at));
        benchmark::DoNotOptimize(copy.data());
    }
}

void cutOnly(bool pods)
{
    CountingReceiver receiver;
    cutList(listOf(pods), receiver);
    benchmark::DoNotOptimize(receiver.bytes());
}

void cutAndParse(bool pods)
{
    if (pods) {
        ParsingReceiver<PodRecord, PodParser> receiver;
        cutList(listOf(true), receiver);
        benchmark::DoNotOptimize(receiver.bytes());
    } else {
        ParsingReceiver<NodeRecord, NodeParser> receiver;
        cutList(listOf(false), receiver);
        benchmark::DoNotOptimize(receiver.bytes());
    }
}

void qtDocument(bool pods)
{
    const std::string &body = listOf(pods);
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(body.data(), qsizetype(body.size())));
    qsizetype length = 0;
    for (const QJsonValue &item : document.object().value(QLatin1String("items")).toArray())
        length += item.toObject()
                      .value(QLatin1String("metadata"))
                      .toObject()
                      .value(QLatin1String("name"))
                      .toString()
                      .size();
    if (length == 0)
        std::abort();
    benchmark::DoNotOptimize(length);
}

struct Way
{
    const char *name;
    void (*run)(bool);
};
constexpr Way kWays[] = {
    {"memcpy", passOver}, {"cut", cutOnly}, {"cut+parse", cutAndParse}, {"QJsonDocument", qtDocument}};

std::map<std::string, double> bestSeconds;

} // namespace

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--objects=", 10) == 0) {
            objectCount = std::atoi(argv[i] + 10);
            for (int j = i; j + 1 < argc; ++j)
                argv[j] = argv[j + 1];
            --argc;
            --i;
        }
    }
    benchmark::Initialize(&argc, argv);
    for (const bool pods : {true, false}) {
        for (const Way &way : kWays) {
            const std::string name = std::string(pods ? "pods/" : "nodes/") + way.name;
            benchmark::RegisterBenchmark(
                name.c_str(),
                [=](benchmark::State &state) {
                    const std::size_t size = listOf(pods).size();
                    for (auto round : state) {
                        const auto begin = std::chrono::steady_clock::now();
                        way.run(pods);
                        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
                        double &best = bestSeconds[name];
                        best = best == 0 ? took.count() : std::min(best, took.count());
                    }
                    state.SetBytesProcessed(std::int64_t(size) * std::int64_t(state.iterations()));
                })
                ->Unit(benchmark::kMillisecond)
                ->MinTime(0.5);
        }
    }
    benchmark::RunSpecifiedBenchmarks();
    for (const bool pods : {true, false}) {
        const std::string kind = pods ? "pods/" : "nodes/";
        if (!bestSeconds.count(kind + "cut+parse") || !bestSeconds.count(kind + "QJsonDocument"))
            continue;
        const double gigabytes = double(listOf(pods).size()) / 1e9;
        const auto speed = [&](const char *way) { return gigabytes / bestSeconds[kind + way]; };
        std::printf("%-6s %d objects, %.1f MB, warm, best of each: memcpy %.1f GB/s, cut %.1f GB/s, "
                    "cut+parse %.2f GB/s "
                    "(%.3f s), QJsonDocument %.3f GB/s; cut+parse is %.0fx QJsonDocument\n",
                    pods ? "pods" : "nodes", objectCount, gigabytes * 1e3, speed("memcpy"), speed("cut"),
                    speed("cut+parse"), bestSeconds[kind + "cut+parse"], speed("QJsonDocument"),
                    speed("cut+parse") / speed("QJsonDocument"));
    }
    return 0;
}
