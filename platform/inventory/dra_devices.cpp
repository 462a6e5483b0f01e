#include "platform/inventory/dra_devices.h"

#include <algorithm>

namespace tongchi {
namespace {

constexpr std::string_view accelTypes[]{"gpu", "npu", "mlu",         "xpu", "dcu",
                                        "gcu", "tpu", "accelerator", "card"};

std::size_t hashedText(std::size_t hash, std::string_view text)
{
    return (hash ^ std::hash<std::string_view>{}(text)) * 0x9E3779B97F4A7C15u;
}

std::size_t contentHash(const ResourceSliceRecord &record)
{
    std::size_t hash = hashedText(0, record.node);
    for (const DeviceRecord &device : record.devices) {
        hash = hashedText(hashedText(hash, device.name), device.node);
        for (const auto &[key, value] : device.attributes)
            hash = hashedText(hashedText(hash, key), value);
        for (const auto &[key, amount] : device.capacity)
            hash = (hashedText(hash, key) ^ std::size_t(amount.units())) * 31;
        for (const DeviceTaint &taint : device.taints)
            hash = hashedText(hashedText(hashedText(hash, taint.key), taint.value), taint.effect);
        hash = hashedText(hash, device.counterSets.empty() ? "" : "counters");
    }
    return hash;
}

/// "gpu-3", "gpu-3-mig-1g10gb-19-0" -> 3
std::uint16_t numberOfDevice(std::string_view name)
{
    const std::size_t from = name.find_first_of("0123456789");
    if (from == std::string_view::npos)
        return 0xFFFF;
    const std::size_t end = std::min(name.find_first_not_of("0123456789", from), name.size());
    const auto number = wholeNumberOf(name.substr(from, end - from));
    return number && *number < 0xFFFF ? std::uint16_t(*number) : 0xFFFF;
}

std::optional<DraDevice> draDevice(const DeviceRecord &record, StringPool &pool)
{
    const std::string_view type = record.attribute("type");
    const std::string_view parent = record.attribute("parentUUID");
    const bool cardType =
        std::find(std::begin(accelTypes), std::end(accelTypes), type) != std::end(accelTypes);
    // vfio is the same card under another driver; channels and daemons are none.
    if (!type.empty() && !cardType && parent.empty())
        return std::nullopt;
    DraDevice device;
    device.name = pool.intern(record.name);
    device.node = pool.intern(record.node);
    device.card = parent.empty();
    device.possible = !device.card && !record.counterSets.empty();
    device.uuid = CardUuid::fromText(record.attribute("uuid"), pool);
    device.parent = CardUuid::fromText(parent, pool);
    std::string_view product = record.attribute("productName");
    for (const char *key : {"product", "model", "modelName", "deviceName"})
        product = product.empty() ? record.attribute(key) : product;
    device.product = pool.intern(product);
    device.driverVersion = pool.intern(record.attribute("driverVersion"));
    device.profile = pool.intern(record.attribute("profile"));
    device.number = numberOfDevice(record.name);
    const auto numa = wholeNumberOf(record.attribute("resource.kubernetes.io/numaNode"));
    if (numa && *numa >= 0 && *numa < 128)
        device.numa = std::int16_t(*numa);
    for (const auto &[key, amount] : record.capacity) {
        if ((key == "memory" || key.ends_with("/memory")) && !amount.isNegative())
            device.memoryBytes = amount.units();
    }
    for (const DeviceTaint &taint : record.taints) {
        const bool blocks = taint.effect == "NoSchedule" || taint.effect == "NoExecute";
        device.tainted = true;
        const bool fault =
            blocks &&
            (taint.key.find("xid") != std::string::npos || taint.key.find("lost") != std::string::npos ||
             taint.key.find("health") != std::string::npos || taint.key.find("fault") != std::string::npos);
        if (device.taint == 0 || (fault && !device.faulty))
            device.taint = pool.intern(taint.value.empty() ? taint.key : taint.key + '=' + taint.value);
        device.faulty = device.faulty || fault;
    }
    return device;
}

void addNode(std::vector<StringId> &nodes, StringId node)
{
    if (node && std::find(nodes.begin(), nodes.end(), node) == nodes.end())
        nodes.push_back(node);
}

} // namespace

std::vector<StringId> DraDevices::upsertSlice(const ResourceSliceRecord &record)
{
    std::vector<StringId> changed;
    const StringId uid = m_pool.intern(record.key.uid.empty() ? record.key.name : record.key.uid);
    const auto owner = m_catalog.driverOwner(record.driver);
    if (!owner)
        return removeSlice(uid);
    const StringId driver = m_pool.intern(record.driver);
    const StringId poolName = m_pool.intern(record.pool);
    const std::uint64_t key = keyOf(driver, poolName);
    const std::size_t content = contentHash(record);
    auto found = m_slices.find(uid);
    if (found != m_slices.end()) {
        Slice &slice = found->second;
        if (slice.pool == key && slice.generation == record.poolGeneration &&
            slice.count == record.poolSliceCount && slice.content == content) {
            return changed;
        }
        if (slice.pool != key) {
            const std::uint64_t old = slice.pool;
            unlink(uid, slice);
            refresh(old, changed);
        }
    }
    Slice &slice = m_slices[uid];
    slice.pool = key;
    slice.generation = record.poolGeneration;
    slice.count = record.poolSliceCount;
    slice.content = content;
    slice.devices.clear();
    for (const DeviceRecord &each : record.devices) {
        if (auto device = draDevice(each, m_pool)) {
            if (device->node == 0)
                device->node = m_pool.intern(record.node);
            slice.devices.push_back(std::move(*device));
        }
    }
    slice.devices.shrink_to_fit();
    Pool &pool = m_pools[key];
    pool.driver = driver;
    pool.name = poolName;
    pool.owner = *owner;
    if (std::find(pool.slices.begin(), pool.slices.end(), uid) == pool.slices.end())
        pool.slices.push_back(uid);
    refresh(key, changed);
    return changed;
}

std::vector<StringId> DraDevices::removeSlice(StringId uid)
{
    std::vector<StringId> changed;
    const auto found = m_slices.find(uid);
    if (found == m_slices.end())
        return changed;
    const std::uint64_t key = found->second.pool;
    unlink(uid, found->second);
    m_slices.erase(found);
    refresh(key, changed);
    return changed;
}

void DraDevices::unlink(StringId uid, const Slice &slice)
{
    if (const auto pool = m_pools.find(slice.pool); pool != m_pools.end())
        std::erase(pool->second.slices, uid);
}

void DraDevices::refresh(std::uint64_t key, std::vector<StringId> &changed)
{
    const auto found = m_pools.find(key);
    if (found == m_pools.end())
        return;
    Pool &pool = found->second;
    std::int64_t newest = -1;
    for (const StringId uid : pool.slices)
        newest = std::max(newest, m_slices[uid].generation);
    std::vector<DraDevice> devices;
    std::int64_t slices = 0;
    std::int64_t wanted = 1;
    std::vector<StringId> ordered =
        pool.slices; // by uid: the same devices in the same order, however they arrived
    std::sort(ordered.begin(), ordered.end(),
              [this](StringId a, StringId b) { return m_pool.utf8(a) < m_pool.utf8(b); });
    for (const StringId uid : ordered) {
        const Slice &slice = m_slices[uid];
        if (slice.generation != newest)
            continue;
        ++slices;
        wanted = std::max(wanted, slice.count);
        devices.insert(devices.end(), slice.devices.begin(), slice.devices.end());
    }
    const bool complete = slices >= wanted;
    if (!pool.slices.empty() && !complete && pool.complete)
        return; // being replaced: what was complete stays until its successor is
    for (const StringId node : pool.nodes) {
        addNode(changed, node);
        std::erase(m_poolsOfNode[node], key);
        if (m_poolsOfNode[node].empty())
            m_poolsOfNode.erase(node);
    }
    if (pool.slices.empty()) {
        m_pools.erase(found);
        return;
    }
    pool.devices = std::move(devices);
    pool.generation = newest;
    pool.complete = complete;
    pool.nodes.clear();
    for (const DraDevice &device : pool.devices)
        addNode(pool.nodes, device.node);
    for (const StringId node : pool.nodes) {
        addNode(changed, node);
        m_poolsOfNode[node].push_back(key);
    }
}

std::vector<StringId> DraDevices::upsertClaim(const ResourceClaimRecord &record)
{
    std::vector<StringId> changed;
    const StringId uid =
        m_pool.intern(record.key.uid.empty() ? record.key.nameSpace + '/' + record.key.name : record.key.uid);
    Claim claim;
    for (const ClaimResult &result : record.results) {
        if (!result.adminAccess) // watching a card is not holding it
            claim.devices.emplace_back(keyOf(m_pool.intern(result.driver), m_pool.intern(result.pool)),
                                       m_pool.intern(result.device));
    }
    for (const std::string &pod : record.reservedForPods)
        claim.pods.push_back(m_pool.intern(record.key.nameSpace + '/' + pod));
    if (const auto found = m_claims.find(uid); found != m_claims.end() && found->second == claim)
        return changed;
    forgetClaim(uid, changed);
    if (claim.devices.empty())
        return changed;
    std::vector<std::uint64_t> pools;
    for (const auto &[pool, device] : claim.devices) {
        if (std::find(pools.begin(), pools.end(), pool) == pools.end())
            pools.push_back(pool);
    }
    m_claims.emplace(uid, std::move(claim));
    for (const std::uint64_t pool : pools) {
        m_claimsOfPool[pool].push_back(uid);
        if (const auto found = m_pools.find(pool); found != m_pools.end()) {
            for (const StringId node : found->second.nodes)
                addNode(changed, node);
        }
    }
    return changed;
}

std::vector<StringId> DraDevices::removeClaim(StringId uid)
{
    std::vector<StringId> changed;
    forgetClaim(uid, changed);
    return changed;
}

void DraDevices::forgetClaim(StringId uid, std::vector<StringId> &changed)
{
    const auto found = m_claims.find(uid);
    if (found == m_claims.end())
        return;
    for (const auto &[key, device] : found->second.devices) {
        if (const auto claims = m_claimsOfPool.find(key); claims != m_claimsOfPool.end()) {
            std::erase(claims->second, uid);
            if (claims->second.empty())
                m_claimsOfPool.erase(claims);
        }
        if (const auto pool = m_pools.find(key); pool != m_pools.end()) {
            for (const StringId node : pool->second.nodes)
                addNode(changed, node);
        }
    }
    m_claims.erase(found);
}

std::vector<const DraDevices::Pool *> DraDevices::poolsOf(StringId node) const
{
    std::vector<const Pool *> pools;
    if (const auto found = m_poolsOfNode.find(node); found != m_poolsOfNode.end()) {
        for (const std::uint64_t key : found->second) {
            if (const auto pool = m_pools.find(key); pool != m_pools.end())
                pools.push_back(&pool->second);
        }
    }
    std::sort(pools.begin(), pools.end(), [this](const Pool *a, const Pool *b) {
        return a->driver != b->driver ? m_pool.utf8(a->driver) < m_pool.utf8(b->driver)
                                      : m_pool.utf8(a->name) < m_pool.utf8(b->name);
    });
    return pools;
}

std::vector<DraUse> DraDevices::usesOf(const Pool &pool) const
{
    std::vector<DraUse> uses;
    const auto found = m_claimsOfPool.find(keyOf(pool.driver, pool.name));
    if (found == m_claimsOfPool.end())
        return uses;
    for (const StringId uid : found->second) {
        const auto claim = m_claims.find(uid);
        if (claim == m_claims.end())
            continue;
        for (const auto &[key, device] : claim->second.devices) {
            if (key == keyOf(pool.driver, pool.name))
                uses.push_back({device, claim->second.pods});
        }
    }
    return uses;
}

std::vector<StringId> DraDevices::sliceUids() const
{
    std::vector<StringId> uids;
    for (const auto &[uid, slice] : m_slices)
        uids.push_back(uid);
    return uids;
}

std::vector<StringId> DraDevices::claimUids() const
{
    std::vector<StringId> uids;
    for (const auto &[uid, claim] : m_claims)
        uids.push_back(uid);
    return uids;
}

std::size_t DraDevices::bytes() const
{
    std::size_t bytes = 0;
    for (const auto &[uid, slice] : m_slices)
        bytes += sizeof(slice) + 32 + slice.devices.capacity() * sizeof(DraDevice);
    for (const auto &[key, pool] : m_pools)
        bytes += sizeof(pool) + 32 + pool.devices.capacity() * sizeof(DraDevice);
    for (const auto &[uid, claim] : m_claims)
        bytes +=
            sizeof(claim) + 96 + claim.devices.capacity() * 16 + claim.pods.capacity() * sizeof(StringId);
    return bytes;
}

} // namespace tongchi
