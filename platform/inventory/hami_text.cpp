#include "platform/inventory/hami_text.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>
#include <charconv>

namespace tongchi {
namespace {

constexpr std::size_t longestShownEntry = 256;
constexpr std::size_t mostEntries = 4096;

std::string_view withoutBlanks(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    text = withoutBlanks(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (parts.size() < mostEntries) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos)
            break;
        text.remove_prefix(at + 1);
    }
    return parts;
}

std::string shownEntry(std::string_view entry)
{
    return std::string(entry.substr(0, longestShownEntry));
}

/// UUID,count,devmem,devcore,type,numa,health[,index[,mode]]
std::optional<HamiDevice> textDevice(std::string_view entry, std::uint32_t position)
{
    const auto fields = splitAt(entry, ',');
    if (fields.size() < 7 || fields.size() > 9)
        return std::nullopt;
    const auto count = wholeNumber(fields[1]);
    const auto numa = wholeNumber(fields[5]);
    const std::string_view health = withoutBlanks(fields[6]);
    const std::optional<std::int64_t> index = fields.size() > 7 ? wholeNumber(fields[7]) : position;
    if (!count || withoutBlanks(fields[0]).empty() || (health != "true" && health != "false") || !index ||
        *index < 0 || *index > 65535) {
        return std::nullopt;
    }
    HamiDevice device{.id = std::string(withoutBlanks(fields[0])),
                      .type = std::string(withoutBlanks(fields[4]))};
    device.index = std::uint32_t(*index);
    device.count = *count;
    device.memoryMiB = wholeNumber(fields[2]);
    device.cores = wholeNumber(fields[3]);
    if (numa && *numa >= 0 && *numa < 128)
        device.numa = int(*numa);
    device.healthy = health == "true";
    if (fields.size() > 8)
        device.mode = withoutBlanks(fields[8]);
    return device;
}

std::string jsonString(const simdjson::dom::object &object, std::string_view key)
{
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::optional<std::int64_t> jsonNumber(const simdjson::dom::object &object, std::string_view key)
{
    simdjson::dom::element element;
    if (object[key].get(element))
        return std::nullopt;
    std::int64_t whole = 0;
    if (!element.get(whole))
        return whole;
    double real = 0;
    if (!element.get(real) && real > -9e18 && real < 9e18)
        return std::int64_t(real);
    return std::nullopt;
}

/// Every key is left out where it has Go's zero value: no "health" means unhealthy, no "index" the first
/// card.
std::optional<HamiDevice> jsonDevice(const simdjson::dom::object &object)
{
    HamiDevice device{.id = jsonString(object, "id"),
                      .type = jsonString(object, "type"),
                      .mode = jsonString(object, "mode")};
    if (device.id.empty()) { // MetaX' own register has other names for the same things
        device.id = jsonString(object, "uuid");
        device.type = jsonString(object, "model");
        device.count = jsonNumber(object, "totalDevCount").value_or(1);
        device.memoryMiB = jsonNumber(object, "totalVRam");
        device.cores = jsonNumber(object, "totalCompute");
        bool healthy = false;
        device.healthy = object["healthy"].get(healthy) == simdjson::SUCCESS && healthy;
        return device.id.empty() ? std::nullopt : std::optional(device);
    }
    const std::int64_t index = jsonNumber(object, "index").value_or(0);
    const std::int64_t numa = jsonNumber(object, "numa").value_or(0);
    if (index < 0 || index > 65535)
        return std::nullopt;
    device.index = std::uint32_t(index);
    device.count = jsonNumber(object, "count").value_or(0);
    device.memoryMiB = jsonNumber(object, "devmem");
    device.cores = jsonNumber(object, "devcore");
    if (numa >= 0 && numa < 128)
        device.numa = int(numa);
    bool healthy = false;
    device.healthy = object["health"].get(healthy) == simdjson::SUCCESS && healthy;
    simdjson::dom::object custom;
    if (!object["custominfo"].get(custom))
        device.networkId = jsonNumber(custom, "NetworkID");
    return device;
}

HamiRegister jsonRegister(std::string_view text)
{
    HamiRegister result;
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    if (parser.parse(text.data(), text.size()).get(array)) {
        result.unreadable.push_back(shownEntry(text));
        return result;
    }
    std::uint32_t withoutIndex = 0;
    for (const simdjson::dom::element element : array) {
        if (result.devices.size() + result.unreadable.size() >= mostEntries)
            break;
        simdjson::dom::object object;
        if (auto device = element.get(object) ? std::nullopt : jsonDevice(object)) {
            if (device->type.empty() && device->index == 0 && device->memoryMiB == std::nullopt)
                device->index = withoutIndex;
            result.devices.push_back(std::move(*device));
        } else {
            result.unreadable.push_back(shownEntry(simdjson::minify(element)));
        }
        ++withoutIndex;
    }
    return result;
}

} // namespace

HamiRegister parseHamiRegister(std::string_view text)
{
    text = withoutBlanks(text);
    HamiRegister result;
    if (text.starts_with('['))
        result = jsonRegister(text);
    else if (!text.empty()) {
        for (const std::string_view piece : splitAt(text, ':')) {
            const std::string_view entry = withoutBlanks(piece);
            if (entry.empty())
                continue;
            if (auto device = textDevice(entry, std::uint32_t(result.devices.size())))
                result.devices.push_back(std::move(*device));
            else
                result.unreadable.push_back(shownEntry(entry));
        }
    }
    // Two entries with one index would be one card; MetaX and broken plug-ins leave the number out: count
    // then.
    std::vector<std::uint32_t> indices;
    for (const HamiDevice &device : result.devices)
        indices.push_back(device.index);
    std::sort(indices.begin(), indices.end());
    if (std::adjacent_find(indices.begin(), indices.end()) != indices.end()) {
        for (std::size_t i = 0; i < result.devices.size(); ++i)
            result.devices[i].index = std::uint32_t(i);
    }
    return result;
}

std::vector<HamiAllocation> parseHamiAllocations(std::string_view text)
{
    std::vector<HamiAllocation> allocations;
    for (const std::string_view container : splitAt(text, ';')) {
        for (const std::string_view device : splitAt(container, ':')) {
            const auto fields = splitAt(device, ',');
            if (fields.size() < 4 || allocations.size() >= mostEntries)
                continue;
            const std::string_view id = withoutBlanks(fields[0].substr(0, fields[0].find('[')));
            if (id.empty())
                continue;
            allocations.push_back(
                {std::string(id), wholeNumber(fields[2]).value_or(0), wholeNumber(fields[3]).value_or(0)});
        }
    }
    return allocations;
}

std::vector<HamiTemplateUse> parseHamiTemplates(std::string_view json)
{
    std::vector<HamiTemplateUse> uses;
    json = withoutBlanks(json);
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    if (!json.starts_with('[') || parser.parse(json.data(), json.size()).get(array))
        return uses;
    for (const simdjson::dom::element element : array) {
        simdjson::dom::object object;
        if (element.get(object) || uses.size() >= mostEntries)
            continue;
        HamiTemplateUse use{jsonString(object, "UUID"), jsonString(object, "temp"),
                            jsonNumber(object, "memory").value_or(0)};
        if (!use.id.empty())
            uses.push_back(std::move(use));
    }
    return uses;
}

HamiHandshake parseHamiHandshake(std::string_view text)
{
    if (text.starts_with("Requesting"))
        return HamiHandshake::Requesting;
    if (text.starts_with("Deleted"))
        return HamiHandshake::Deleted;
    return text.starts_with("Reported") ? HamiHandshake::Reported : HamiHandshake::Missing;
}

} // namespace tongchi
