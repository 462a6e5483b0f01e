#pragma once

#include "platform/kubernetes/object_parser.h"

#include <memory>

namespace tongchi {

/// resource.k8s.io ResourceClaim of every version: what it was given, and for which pods.
class ResourceClaimParser final : public ObjectParser<ResourceClaimRecord>
{
public:
    ResourceClaimParser();
    ~ResourceClaimParser() override;
    [[nodiscard]] bool parse(std::string_view json, ResourceClaimRecord &record,
                             UnreadableObject &why) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
