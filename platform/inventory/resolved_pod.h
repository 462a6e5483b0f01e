#pragma once

#include "platform/inventory/assembled_nodes.h"
#include "platform/kubernetes/pod_parser.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tongchi {

/// A pod together with what the assembler keeps of it, so that the thread that parses it does this work too.
struct ResolvedPod : PodRecord
{
    bool keeps = false; ///< it holds cards, or claims that may; the rest is only filled then
    CardUuid podUid;
    StringId nameId = 0; ///< "namespace/name"
    StringId nodeId = 0, workloadId = 0;
    BusinessLabel podLabel = BusinessLabel::Unknown;
    std::vector<Holding> holdings;
};

/// Its identity among the assembler's pods.
CardUuid podUidOf(const ObjectKey &key, StringPool &pool);

/// Fills in a ResolvedPod from its PodRecord. Each instance belongs to one thread; pool and catalog are
/// shared and must outlive it.
class PodResolver
{
public:
    PodResolver(StringPool &pool, const DeviceCatalog &catalog) : m_pool(pool), m_catalog(catalog) {}
    void resolve(ResolvedPod &pod);

private:
    struct TextHash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    const ResourceMeaning &meaningOf(std::string_view resource);

    StringPool &m_pool;
    const DeviceCatalog &m_catalog;
    std::unordered_map<std::string, ResourceMeaning, TextHash, std::equal_to<>> m_meanings;
    std::string m_name; ///< its memory is kept
};

/// Parses and resolves.
class ResolvingPodParser final : public ObjectParser<ResolvedPod>
{
public:
    ResolvingPodParser(StringPool &pool, const DeviceCatalog &catalog) : m_resolver(pool, catalog) {}
    bool parse(std::string_view json, ResolvedPod &record, UnreadableObject &why) override
    {
        if (!m_parser.parse(json, record, why))
            return false;
        m_resolver.resolve(record);
        return true;
    }

private:
    PodParser m_parser;
    PodResolver m_resolver;
};

} // namespace tongchi
