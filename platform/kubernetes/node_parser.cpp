#include "platform/kubernetes/node_parser.h"

#include "platform/kubernetes/json_access.h"

namespace tongchi {

namespace {

using json::Shape;
using PairRefill = json::Refill<std::pair<std::string, std::string>>;

constexpr std::size_t kNodeLabelBytes = 64 * 1024;
constexpr std::size_t kNodeAnnotationBytes = 256 * 1024;
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// A map of the node that was sent by anybody: only text counts, and not more than so much of it.
Shape readNodeLabels(json::ondemand::value value, PairRefill &labels)
{
    std::size_t total = 0;
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        const std::string_view label = json::textOf(text);
        total += key.size() + label.size();
        if (total <= kNodeLabelBytes)
            json::valueFor(labels, key).assign(label);
        return Shape::Fine;
    });
}

Shape readNodeAnnotations(json::ondemand::value value, PairRefill &annotations)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        if (key == kLastApplied)
            return Shape::Fine;
        json::valueFor(annotations, key).assign(json::cutText(json::textOf(text), kNodeAnnotationBytes));
        return Shape::Fine;
    });
}

Shape readNodeTaints(json::ondemand::value value, json::Refill<TaintRecord> &taints)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        TaintRecord &taint = taints.next();
        taint.key.clear();
        taint.value.clear();
        taint.effect.clear();
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (key == "key")
                return json::readText(text, taint.key);
            if (key == "value")
                return json::readText(text, taint.value);
            if (key == "effect")
                return json::readText(text, taint.effect);
            return Shape::Fine;
        });
        if (shape == Shape::Null)
            taints.takeBack();
        return shape;
    });
}

ConditionStatus nodeConditionStatus(std::string_view text)
{
    return text == "True"    ? ConditionStatus::True
           : text == "False" ? ConditionStatus::False
                             : ConditionStatus::Unknown;
}

Shape readNodeConditions(json::ondemand::value value, NodeRecord &record)
{
    json::Refill<std::string> pressures(record.pressures);
    return json::eachElement(value, [&](json::ondemand::value element) {
        std::string_view type, status, reason;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (key == "type")
                type = json::textOf(text);
            else if (key == "status")
                status = json::textOf(text);
            else if (key == "reason")
                reason = json::textOf(text);
            return Shape::Fine;
        });
        if (type == "Ready") {
            record.ready = nodeConditionStatus(status);
            record.readyReason.assign(reason);
        } else if (status == "True" && !type.empty()) {
            pressures.next().assign(type);
        }
        return shape;
    });
}

bool mayBeCard(std::string_view resource)
{
    return resource.find('/') != std::string_view::npos && !resource.starts_with("hugepages-") &&
           !resource.starts_with("attachable-volumes-");
}

Shape readNodeAmounts(json::ondemand::value value, json::Refill<ResourceAmount> &amounts, bool capacity)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
        if (!mayBeCard(key))
            return Shape::Fine;
        ResourceAmount *amount = nullptr;
        for (std::size_t i = 0; i < amounts.size() && !amount; ++i) {
            if (amounts.at(i).name == key)
                amount = &amounts.at(i);
        }
        if (!amount) {
            amount = &amounts.next();
            amount->name.assign(key);
            amount->capacity.reset();
            amount->allocatable.reset();
            amount->rawCapacity.clear();
            amount->rawAllocatable.clear();
        }
        std::string &raw = capacity ? amount->rawCapacity : amount->rawAllocatable;
        std::optional<Quantity> &quantity = capacity ? amount->capacity : amount->allocatable;
        raw.assign(json::cutText(json::amountTextOf(text), 256));
        quantity = Quantity::parse(raw);
        if (quantity && quantity->isNegative())
            quantity.reset();
        return Shape::Fine;
    });
}

Shape readNodeAddresses(json::ondemand::value value, json::Refill<std::string> &addresses)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        std::string_view type, address;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (key == "type")
                type = json::textOf(text);
            else if (key == "address")
                address = json::textOf(text);
            return Shape::Fine;
        });
        if (!address.empty() && (type == "InternalIP" || type == "Hostname"))
            addresses.next().assign(address);
        return shape;
    });
}

Shape readNodeInfo(json::ondemand::value value, NodeRecord &record)
{
    return json::eachField(value, [&](auto key, json::ondemand::value text) {
        if (key == "kubeletVersion")
            return json::readText(text, record.kubeletVersion);
        if (key == "operatingSystem")
            return json::readText(text, record.operatingSystem);
        if (key == "architecture")
            return json::readText(text, record.architecture);
        return Shape::Fine;
    });
}

} // namespace

struct NodeParser::Private
{
    json::Document document;

    static Shape metadata(json::ondemand::value value, NodeRecord &record, PairRefill &labels,
                          PairRefill &annotations)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "labels")
                return readNodeLabels(field, labels);
            if (key == "annotations")
                return readNodeAnnotations(field, annotations);
            if (key == "creationTimestamp") {
                record.created = json::parseTimestamp(json::textOf(field));
                return Shape::Fine;
            }
            json::readCommonMetadata(key, field, record.key, record.resourceVersion);
            return Shape::Fine;
        });
    }

    static Shape spec(json::ondemand::value value, NodeRecord &record, json::Refill<TaintRecord> &taints)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "unschedulable") {
                record.unschedulable = json::boolOf(field).value_or(false);
                return Shape::Fine;
            }
            return key == "taints" ? readNodeTaints(field, taints) : Shape::Fine;
        });
    }

    static Shape status(json::ondemand::value value, NodeRecord &record,
                        json::Refill<ResourceAmount> &amounts, json::Refill<std::string> &addresses)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "capacity")
                return readNodeAmounts(field, amounts, true);
            if (key == "allocatable")
                return readNodeAmounts(field, amounts, false);
            if (key == "conditions")
                return readNodeConditions(field, record);
            if (key == "addresses")
                return readNodeAddresses(field, addresses);
            return key == "nodeInfo" ? readNodeInfo(field, record) : Shape::Fine;
        });
    }
};

NodeParser::NodeParser() : d(std::make_unique<Private>()) {}
NodeParser::~NodeParser() = default;

bool NodeParser::parse(std::string_view json, NodeRecord &record, UnreadableObject &why)
{
    record.key.nameSpace.clear();
    record.key.name.clear();
    record.key.uid.clear();
    record.resourceVersion.clear();
    record.created.reset();
    record.unschedulable = false;
    record.ready = ConditionStatus::Missing;
    record.readyReason.clear();
    record.pressures.clear();
    record.kubeletVersion.clear();
    record.operatingSystem.clear();
    record.architecture.clear();
    PairRefill labels(record.labels);
    PairRefill annotations(record.annotations);
    json::Refill<TaintRecord> taints(record.taints);
    json::Refill<ResourceAmount> amounts(record.resources);
    json::Refill<std::string> addresses(record.addresses);

    const char *reason = nullptr;
    const bool read = d->document.read(json, reason, [&](auto key, json::ondemand::value value) {
        if (key == "metadata")
            return Private::metadata(value, record, labels, annotations);
        if (key == "spec")
            return Private::spec(value, record, taints);
        return key == "status" ? Private::status(value, record, amounts, addresses) : Shape::Fine;
    });
    if (read && record.key.name.empty())
        reason = "the object has no name";
    return reason ? json::unreadable(json, reason, why) : true;
}

} // namespace tongchi
