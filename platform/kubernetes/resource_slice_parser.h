#pragma once

#include "platform/kubernetes/object_parser.h"

#include <memory>

namespace tongchi {

/// resource.k8s.io ResourceSlice of v1, v1beta2 and v1beta1 (where a device's content sits one level down, in
/// `basic`).
class ResourceSliceParser final : public ObjectParser<ResourceSliceRecord>
{
public:
    ResourceSliceParser();
    ~ResourceSliceParser() override;
    [[nodiscard]] bool parse(std::string_view json, ResourceSliceRecord &record,
                             UnreadableObject &why) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
