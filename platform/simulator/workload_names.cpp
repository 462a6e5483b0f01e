#include "platform/simulator/workload_names.h"

#include <array>

namespace tongchi {

namespace {

using Owner = WorkloadKind::Owner;

constexpr const char *vllmImage = "registry.tongchi.local/serving/vllm-openai:v0.11.2";
constexpr const char *tritonImage = "registry.tongchi.local/serving/tritonserver:25.09-py3";
constexpr const char *trainImage = "registry.tongchi.local/train/megatron:25.10";

constexpr std::array<WorkloadKind, 17> workloadKinds{{
    {"deepseek-r1-32b", "inference", vllmImage, "platform", Business::Inference, Owner::Deployment, 40, 1},
    {"qwen2.5-72b-chat", "inference", vllmImage, "assistant", Business::Inference, Owner::StatefulSet, 44, 2},
    {"qwen2.5-7b-instruct", "inference", vllmImage, "assistant", Business::Inference, Owner::Deployment, 14,
     1},
    {"glm-4-9b-chat", "inference", vllmImage, "assistant", Business::Inference, Owner::Deployment, 20, 1},
    {"internvl2-8b", "inference", vllmImage, "vision", Business::Inference, Owner::Deployment, 18, 1},
    {"bge-reranker-v2", "search", tritonImage, "search", Business::Inference, Owner::Deployment, 6, 1},
    {"bge-m3-embed", "search", tritonImage, "search", Business::Inference, Owner::Deployment, 5, 1},
    {"sdxl-turbo", "inference", tritonImage, "vision", Business::Inference, Owner::Deployment, 10, 1},
    {"whisper-large-v3", "speech", tritonImage, "speech", Business::Inference, Owner::Deployment, 8, 1},
    {"yi-1.5-34b-chat", "inference", vllmImage, "platform", Business::Inference, Owner::StatefulSet, 42, 2},
    {"ocr-layout-v4", "search", tritonImage, "vision", Business::Inference, Owner::Deployment, 4, 1},
    {"pretrain-7b-cn", "training", trainImage, "foundation", Business::Training, Owner::Job, 44, 8},
    {"pretrain-vl-2b", "training", trainImage, "foundation", Business::Training, Owner::Job, 20, 8},
    {"sft-kefu-13b", "training", trainImage, "kefu", Business::Training, Owner::Job, 20, 8},
    {"lora-legal-7b", "training", trainImage, "legal", Business::Training, Owner::Job, 14, 4},
    {"dpo-chat-14b", "training", trainImage, "assistant", Business::Training, Owner::Job, 24, 8},
    {"distill-asr-small", "training", trainImage, "speech", Business::Training, Owner::Job, 4, 2},
}};

} // namespace

int workloadCount()
{
    return int(workloadKinds.size());
}

const WorkloadKind &workloadKind(int index)
{
    return workloadKinds[std::size_t(index)];
}

int pickWorkload(Business business, int memoryGiB, bool sharedCard, std::uint64_t hash)
{
    std::array<int, workloadKinds.size()> fitting{};
    int count = 0;
    for (int i = 0; i < workloadCount(); ++i) {
        const WorkloadKind &kind = workloadKinds[std::size_t(i)];
        if (kind.business != business || kind.memoryGiB > memoryGiB)
            continue;
        // A replica of a stateful set spans cards, so it is not placed on shares of one.
        if (sharedCard && kind.owner == Owner::StatefulSet)
            continue;
        fitting[std::size_t(count++)] = i;
    }
    if (count == 0)
        return business == Business::Training ? workloadCount() - 1 : 10;
    return fitting[hash % std::uint64_t(count)];
}

} // namespace tongchi
