#include "platform/kubernetes/resource_slice_parser.h"

#include "platform/kubernetes/json_access.h"

namespace tongchi {

namespace {

using json::Shape;

// One of int, bool, string, version, or a list of one of them; lists are joined with commas.
Shape readAttributeValue(json::ondemand::value value, std::string &text)
{
    return json::eachField(value, [&](auto, json::ondemand::value content) {
        json::ondemand::json_type type;
        if (content.type().get(type))
            return Shape::Broken;
        if (type == json::ondemand::json_type::string) {
            text.assign(json::textOf(content));
        } else if (type == json::ondemand::json_type::array) {
            return json::eachElement(content, [&](json::ondemand::value element) {
                text.append(text.empty() ? "" : ",").append(json::scalarTextOf(element));
                return Shape::Fine;
            });
        } else if (type != json::ondemand::json_type::object) {
            text.assign(json::scalarTextOf(content));
        }
        return Shape::Fine;
    });
}

Shape readDeviceAttributes(json::ondemand::value value, DeviceRecord &device)
{
    json::Refill<std::pair<std::string, std::string>> attributes(device.attributes);
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value content) {
        std::string &text = json::valueFor(attributes, key);
        text.clear();
        return readAttributeValue(content, text);
    });
}

// Newer versions wrap the amount: {"memory": {"value": "80Gi"}}; the first one did not.
Shape readDeviceCapacity(json::ondemand::value value, DeviceRecord &device)
{
    return json::eachEntry(value, [&](std::string_view key, json::ondemand::value content) {
        json::ondemand::json_type type;
        if (content.type().get(type))
            return Shape::Broken;
        std::optional<Quantity> amount;
        Shape shape = Shape::Fine;
        if (type == json::ondemand::json_type::object) {
            shape = json::eachField(content, [&](auto name, json::ondemand::value text) {
                if (name == "value")
                    amount = Quantity::parse(json::amountTextOf(text));
                return Shape::Fine;
            });
        } else {
            amount = Quantity::parse(json::amountTextOf(content));
        }
        if (amount && !amount->isNegative())
            device.capacity.emplace_back(std::string(key), *amount);
        return shape;
    });
}

Shape readDeviceTaints(json::ondemand::value value, DeviceRecord &device)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        DeviceTaint taint;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (key == "key")
                return json::readText(text, taint.key);
            if (key == "value")
                return json::readText(text, taint.value);
            return key == "effect" ? json::readText(text, taint.effect) : Shape::Fine;
        });
        if (shape == Shape::Fine)
            device.taints.push_back(std::move(taint));
        return shape;
    });
}

Shape readDeviceCounters(json::ondemand::value value, DeviceRecord &device)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        return json::eachField(element, [&](auto key, json::ondemand::value text) {
            if (key == "counterSet")
                device.counterSets.emplace_back(json::textOf(text));
            return Shape::Fine;
        });
    });
}

template <typename Key> Shape readDeviceField(Key key, json::ondemand::value value, DeviceRecord &device)
{
    if (key == "attributes")
        return readDeviceAttributes(value, device);
    if (key == "capacity")
        return readDeviceCapacity(value, device);
    if (key == "taints")
        return readDeviceTaints(value, device);
    if (key == "consumesCounters")
        return readDeviceCounters(value, device);
    return key == "nodeName" ? json::readText(value, device.node) : Shape::Fine;
}

Shape readDevice(json::ondemand::value value, DeviceRecord &device)
{
    return json::eachField(value, [&](auto key, json::ondemand::value field) {
        if (key == "name")
            return json::readText(field, device.name);
        if (key == "basic") {
            return json::eachField(field, [&](auto inner, json::ondemand::value content) {
                return readDeviceField(inner, content, device);
            });
        }
        return readDeviceField(key, field, device);
    });
}

} // namespace

struct ResourceSliceParser::Private
{
    json::Document document;

    static Shape spec(json::ondemand::value value, ResourceSliceRecord &record)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "driver")
                return json::readText(field, record.driver);
            if (key == "nodeName")
                return json::readText(field, record.node);
            if (key == "pool") {
                return json::eachField(field, [&](auto name, json::ondemand::value content) {
                    if (name == "name")
                        return json::readText(content, record.pool);
                    if (name == "generation")
                        record.poolGeneration = json::integerOf(content).value_or(0);
                    else if (name == "resourceSliceCount")
                        record.poolSliceCount = json::integerOf(content).value_or(1);
                    return Shape::Fine;
                });
            }
            if (key != "devices")
                return Shape::Fine;
            return json::eachElement(field, [&](json::ondemand::value element) {
                DeviceRecord &device = record.devices.emplace_back();
                const Shape shape = readDevice(element, device);
                if (shape == Shape::Null)
                    record.devices.pop_back();
                return shape;
            });
        });
    }

    // The order of fields is free, so what depends on the driver and the slice's node is done at the end.
    static void complete(ResourceSliceRecord &record)
    {
        const std::string ownDomain = record.driver + '/';
        for (DeviceRecord &device : record.devices) {
            if (device.node.empty())
                device.node = record.node;
            for (auto &[name, text] : device.attributes) {
                if (!record.driver.empty() && name.starts_with(ownDomain))
                    name.erase(0, ownDomain.size());
            }
            for (auto &[name, amount] : device.capacity) {
                if (!record.driver.empty() && name.starts_with(ownDomain))
                    name.erase(0, ownDomain.size());
            }
        }
    }
};

ResourceSliceParser::ResourceSliceParser() : d(std::make_unique<Private>()) {}
ResourceSliceParser::~ResourceSliceParser() = default;

bool ResourceSliceParser::parse(std::string_view json, ResourceSliceRecord &record, UnreadableObject &why)
{
    record = {};
    const char *reason = nullptr;
    const bool read = d->document.read(json, reason, [&](auto key, json::ondemand::value value) {
        if (key == "metadata") {
            return json::eachField(value, [&](auto name, json::ondemand::value field) {
                json::readCommonMetadata(name, field, record.key, record.resourceVersion);
                return Shape::Fine;
            });
        }
        return key == "spec" ? Private::spec(value, record) : Shape::Fine;
    });
    if (read && record.key.name.empty())
        reason = "the object has no name";
    if (reason)
        return json::unreadable(json, reason, why);
    Private::complete(record);
    return true;
}

} // namespace tongchi
