#include "platform/simulator/fleet_card_model.h"

#include <array>

namespace tongchi {

namespace {

constexpr std::array<CardSpec, 7> cardSpecs{{
    {CardModel::H100, CardVendor::Nvidia, "h100", "NVIDIA H100 80GB HBM3", "NVIDIA-H100-80GB-HBM3", "hopper",
     81559, 72, 640, 31, 67, 1980, 2619, true},
    {CardModel::A100, CardVendor::Nvidia, "a100", "NVIDIA A100-SXM4-80GB", "NVIDIA-A100-SXM4-80GB", "ampere",
     81920, 58, 372, 31, 63, 1410, 1593, true},
    {CardModel::Rtx4090, CardVendor::Nvidia, "4090", "NVIDIA GeForce RTX 4090", "NVIDIA-GeForce-RTX-4090",
     "ada-lovelace", 24564, 24, 420, 33, 70, 2520, 10501, false},
    {CardModel::A10, CardVendor::Nvidia, "a10", "NVIDIA A10", "NVIDIA-A10", "ampere", 23028, 18, 144, 34, 68,
     1695, 6251, true},
    {CardModel::T4, CardVendor::Nvidia, "t4", "Tesla T4", "Tesla-T4", "turing", 15360, 10, 68, 35, 70, 1590,
     5001, true},
    {CardModel::Ascend910B, CardVendor::Ascend, "910b", "910B3-Ascend-V1", "910B3", "", 65536, 88, 292, 33,
     62, 1800, 1600, false},
    {CardModel::Mlu370X8, CardVendor::Cambricon, "mlu", "MLU370-X8", "MLU370-X8", "", 49152, 46, 226, 34, 65,
     1300, 3000, false},
}};

} // namespace

const CardSpec &cardSpec(CardModel model)
{
    return cardSpecs[std::size_t(model)];
}

const char *regionName(FleetRegion region)
{
    static constexpr std::array<const char *, 4> names{"beijing", "ulanqab", "guiyang", "shenzhen"};
    return names[std::size_t(region)];
}

const char *regionPrefix(FleetRegion region)
{
    static constexpr std::array<const char *, 4> names{"bj", "wlcb", "gy", "sz"};
    return names[std::size_t(region)];
}

const char *businessName(Business business)
{
    static constexpr std::array<const char *, 4> names{"inference", "training", "mixed", ""};
    return names[std::size_t(business)];
}

} // namespace tongchi
