#pragma once

#include "platform/kubernetes/object_parser.h"

#include <memory>

namespace tongchi {

/// ConfigMap mindx-dl-deviceinfo-<node> of the Ascend device plugin, or cluster-info-device-<n> of ClusterD:
/// the health of NPUs as JSON text inside JSON text inside JSON text (source: mind-cluster
/// docs/en/scheduling/api). Any other ConfigMap reads as a record without nodes.
class AscendInfoParser final : public ObjectParser<AscendDeviceInfoRecord>
{
public:
    AscendInfoParser();
    ~AscendInfoParser() override;
    [[nodiscard]] bool parse(std::string_view json, AscendDeviceInfoRecord &record,
                             UnreadableObject &why) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
