#include "platform/inventory/resolved_pod.h"

#include "platform/inventory/pod_holdings.h"

namespace tongchi {

CardUuid podUidOf(const ObjectKey &key, StringPool &pool)
{
    return CardUuid::fromText(key.uid.empty() ? key.nameSpace + '/' + key.name : key.uid, pool);
}

const ResourceMeaning &PodResolver::meaningOf(std::string_view resource)
{
    constexpr std::size_t most = 10'000; // names made anew for each pod are understood each time
    const auto found = m_meanings.find(resource);
    if (found != m_meanings.end())
        return found->second;
    if (m_meanings.size() >= most)
        m_meanings.clear();
    return m_meanings.emplace(resource, m_catalog.meaningOf(resource)).first->second;
}

void PodResolver::resolve(ResolvedPod &pod)
{
    pod.holdings.clear();
    if (pod.holdsCards()) {
        pod.holdings = readHoldings(pod, m_pool, [this](std::string_view name) -> const ResourceMeaning & {
            return meaningOf(name);
        });
    }
    pod.keeps = pod.holdsCards() && (!pod.holdings.empty() || !pod.claims.empty());
    if (!pod.keeps)
        return;
    pod.podUid = podUidOf(pod.key, m_pool);
    m_name.assign(pod.key.nameSpace).append(1, '/').append(pod.key.name);
    pod.nameId = m_pool.intern(m_name);
    pod.nodeId = m_pool.intern(pod.node);
    pod.workloadId = m_pool.intern(podWorkload(pod));
    pod.podLabel = podBusiness(pod);
}

} // namespace tongchi
