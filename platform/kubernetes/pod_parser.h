#pragma once

#include "platform/kubernetes/object_parser.h"

#include <memory>

namespace tongchi {

/// core/v1 Pod: where it runs, what it asked for, and the annotations that say which cards it holds.
class PodParser final : public ObjectParser<PodRecord>
{
public:
    PodParser();
    ~PodParser() override;
    [[nodiscard]] bool parse(std::string_view json, PodRecord &record, UnreadableObject &why) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
