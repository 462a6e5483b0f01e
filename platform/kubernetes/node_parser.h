#pragma once

#include "platform/kubernetes/object_parser.h"

#include <memory>

namespace tongchi {

/// core/v1 Node. Fields of the node that nobody needs (images, managedFields, ...) are skipped unread.
class NodeParser final : public ObjectParser<NodeRecord>
{
public:
    NodeParser();
    ~NodeParser() override;
    [[nodiscard]] bool parse(std::string_view json, NodeRecord &record, UnreadableObject &why) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
