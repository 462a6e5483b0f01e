#include "platform/kubernetes/resource_claim_parser.h"

#include "platform/kubernetes/json_access.h"

namespace tongchi {

namespace {

using json::Shape;

Shape readClaimResults(json::ondemand::value value, ResourceClaimRecord &record)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        ClaimResult result;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value field) {
            if (key == "driver")
                return json::readText(field, result.driver);
            if (key == "pool")
                return json::readText(field, result.pool);
            if (key == "device")
                return json::readText(field, result.device);
            if (key == "request")
                return json::readText(field, result.request);
            if (key == "adminAccess")
                result.adminAccess = json::boolOf(field).value_or(false);
            return Shape::Fine;
        });
        if (shape == Shape::Fine)
            record.results.push_back(std::move(result));
        return shape;
    });
}

Shape readClaimAllocation(json::ondemand::value value, ResourceClaimRecord &record)
{
    return json::eachField(value, [&](auto key, json::ondemand::value field) {
        if (key != "devices")
            return Shape::Fine;
        return json::eachField(field, [&](auto inner, json::ondemand::value results) {
            return inner == "results" ? readClaimResults(results, record) : Shape::Fine;
        });
    });
}

// Only core pods: other groups have things called pods too.
Shape readClaimHolders(json::ondemand::value value, ResourceClaimRecord &record)
{
    return json::eachElement(value, [&](json::ondemand::value element) {
        std::string_view resource, group, name;
        const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value field) {
            if (key == "resource")
                resource = json::textOf(field);
            else if (key == "apiGroup")
                group = json::textOf(field);
            else if (key == "name")
                name = json::textOf(field);
            return Shape::Fine;
        });
        if (resource == "pods" && group.empty() && !name.empty())
            record.reservedForPods.emplace_back(name);
        return shape;
    });
}

} // namespace

struct ResourceClaimParser::Private
{
    json::Document document;
};

ResourceClaimParser::ResourceClaimParser() : d(std::make_unique<Private>()) {}
ResourceClaimParser::~ResourceClaimParser() = default;

bool ResourceClaimParser::parse(std::string_view json, ResourceClaimRecord &record, UnreadableObject &why)
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
        if (key != "status")
            return Shape::Fine;
        return json::eachField(value, [&](auto name, json::ondemand::value field) {
            if (name == "allocation")
                return readClaimAllocation(field, record);
            return name == "reservedFor" ? readClaimHolders(field, record) : Shape::Fine;
        });
    });
    if (read && record.key.name.empty())
        reason = "the object has no name";
    return reason ? json::unreadable(json, reason, why) : true;
}

} // namespace tongchi
