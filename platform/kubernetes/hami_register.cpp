#include "platform/kubernetes/hami_register.h"

#include "platform/kubernetes/json_access.h"

#include <algorithm>
#include <charconv>

namespace tongchi {

namespace {

using json::Shape;

constexpr std::size_t kHamiRawLimit = 4096;
constexpr std::string_view kHamiDomain = "hami.io/";

std::string_view hamiTrimmed(std::string_view text)
{
    while (!text.empty() && isJsonBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isJsonBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> hamiSplit(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(hamiTrimmed(text.substr(0, at)));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

std::optional<std::int64_t> hamiNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string hamiRaw(std::string_view text)
{
    return std::string(json::cutText(text, kHamiRawLimit));
}

// UUID,count,devmem,devcore,type,numa,health[,index[,mode]]
std::optional<HamiDevice> hamiTextDevice(std::string_view entry)
{
    const std::vector<std::string_view> fields = hamiSplit(entry, ',');
    if (fields.size() < 7 || fields.size() > 9 || fields[0].empty())
        return std::nullopt;
    const auto count = hamiNumber(fields[1]);
    const auto memory = hamiNumber(fields[2]);
    const auto cores = hamiNumber(fields[3]);
    const auto numa = hamiNumber(fields[5]);
    if (!count || !memory || !cores || !numa)
        return std::nullopt;
    HamiDevice device{.id = std::string(fields[0]), .count = *count, .devmemMiB = *memory, .devcore = *cores,
                      .type = std::string(fields[4]), .numa = *numa, .raw = hamiRaw(entry)};
    if (fields[6] == "true" || fields[6] == "false")
        device.health = fields[6] == "true";
    if (fields.size() > 7) {
        device.index = hamiNumber(fields[7]);
        if (!device.index)
            return std::nullopt;
    }
    if (fields.size() > 8)
        device.mode = fields[8];
    return device;
}

HamiRegister hamiTextRegister(std::string_view text)
{
    HamiRegister result;
    for (const std::string_view entry : hamiSplit(text, ':')) {
        if (entry.empty())
            continue;
        if (auto device = hamiTextDevice(entry))
            result.devices.push_back(std::move(*device));
        else
            result.unreadable.push_back(hamiRaw(entry));
    }
    return result;
}

// Every key is left out when its value is zero, false or empty.
Shape readHamiDevice(json::ondemand::object object, HamiDevice &device)
{
    device.index = 0;
    device.health = false;
    return json::eachField(object, [&](auto key, json::ondemand::value value) {
        if (key == "id")
            return json::readText(value, device.id);
        if (key == "type")
            return json::readText(value, device.type);
        if (key == "mode")
            return json::readText(value, device.mode);
        if (key == "index")
            device.index = json::integerOf(value).value_or(0);
        else if (key == "count")
            device.count = json::integerOf(value).value_or(0);
        else if (key == "devmem")
            device.devmemMiB = json::integerOf(value).value_or(0);
        else if (key == "devcore")
            device.devcore = json::integerOf(value).value_or(0);
        else if (key == "numa")
            device.numa = json::integerOf(value).value_or(0);
        else if (key == "health")
            device.health = json::boolOf(value).value_or(false);
        return Shape::Fine;
    });
}

bool startsWithMaker(std::string_view text)
{
    constexpr std::string_view maker = "NVIDIA";
    if (text.size() <= maker.size() || (text[maker.size()] != '-' && text[maker.size()] != ' '))
        return false;
    return std::equal(maker.begin(), maker.end(), text.begin(),
                      [](char a, char b) { return a == (b >= 'a' && b <= 'z' ? char(b - 'a' + 'A') : b); });
}

} // namespace

struct HamiRegisterParser::Private
{
    json::Document document;
    std::string wrapped;

    bool jsonRegister(std::string_view text, HamiRegister &result)
    {
        wrapped.assign("{\"devices\":").append(text).append("}");
        const std::size_t size = wrapped.size();
        wrapped.append(kJsonPadding, '\0');
        const char *reason = nullptr;
        return document.read({wrapped.data(), size}, reason, [&](auto key, json::ondemand::value value) {
            if (key != "devices")
                return Shape::WrongKind; // the text closed the array by itself and went on
            return json::eachElement(value, [&](json::ondemand::value element) {
                json::ondemand::object object;
                std::string_view raw;
                if (json::kindOf(element, json::ondemand::json_type::object) != Shape::Fine) {
                    result.unreadable.push_back(hamiRaw(json::scalarTextOf(element)));
                    return Shape::Fine;
                }
                if (element.get_object().get(object) || object.raw_json().get(raw) || object.reset().error())
                    return Shape::Broken;
                HamiDevice device;
                const Shape shape = readHamiDevice(object, device);
                if (shape == Shape::Broken)
                    return shape;
                device.raw = hamiRaw(hamiTrimmed(raw));
                if (device.id.empty())
                    result.unreadable.push_back(std::move(device.raw));
                else
                    result.devices.push_back(std::move(device));
                return Shape::Fine;
            });
        });
    }
};

HamiRegisterParser::HamiRegisterParser() : d(std::make_unique<Private>()) {}
HamiRegisterParser::~HamiRegisterParser() = default;

HamiRegister HamiRegisterParser::parse(std::string_view text)
{
    text = hamiTrimmed(text);
    if (text.empty())
        return {};
    if (text.front() != '[')
        return hamiTextRegister(text);
    HamiRegister result;
    result.json = true;
    // What was read before the text broke stays; the text as a whole is kept beside it.
    if (!d->jsonRegister(text, result))
        result.unreadable.push_back(hamiRaw(text));
    return result;
}

HamiRegister parseHamiRegister(std::string_view text)
{
    return HamiRegisterParser().parse(text);
}

std::optional<HamiRegisterKey> hamiRegisterKey(std::string_view annotation)
{
    if (!annotation.starts_with("hami.io/node-"))
        return std::nullopt;
    std::string_view rest = annotation.substr(std::string_view("hami.io/node-").size());
    constexpr std::string_view before = "register-", after = "-register";
    if (rest == "nvidia-register") // its handshake has no word
        return HamiRegisterKey{"nvidia", "hami.io/node-handshake"};
    if (rest.starts_with(before) && rest.size() > before.size())
        rest.remove_prefix(before.size());
    else if (rest.ends_with(after) && rest.size() > after.size())
        rest.remove_suffix(after.size());
    else
        return std::nullopt;
    return HamiRegisterKey{std::string(rest), "hami.io/node-handshake-" + std::string(rest)};
}

HamiHandshake parseHamiHandshake(std::string_view text)
{
    text = hamiTrimmed(text);
    const struct
    {
        std::string_view word;
        HamiHandshakeState state;
    } words[] = {{"Requesting", HamiHandshakeState::Requesting},
                 {"Reported", HamiHandshakeState::Reported},
                 {"Deleted", HamiHandshakeState::Deleted}};
    for (const auto &[word, state] : words) {
        if (!text.starts_with(word))
            continue;
        std::string_view stamp = text.substr(word.size());
        if (!stamp.empty() && (stamp.front() == '_' || stamp.front() == ' '))
            stamp.remove_prefix(1);
        else if (!stamp.empty())
            break;
        return {state, std::string(stamp)};
    }
    return {HamiHandshakeState::Unknown, std::string(json::cutText(text, kHamiRawLimit))};
}

HamiAllocations parseHamiAllocations(std::string_view text)
{
    HamiAllocations result;
    text = hamiTrimmed(text);
    if (text.empty())
        return result;
    if (text.back() == ';') // ends the last container, does not begin another
        text.remove_suffix(1);
    for (const std::string_view container : hamiSplit(text, ';')) {
        std::vector<HamiAllocation> &allocations = result.containers.emplace_back();
        for (const std::string_view entry : hamiSplit(container, ':')) {
            if (entry.empty())
                continue;
            const std::vector<std::string_view> fields = hamiSplit(entry, ',');
            const auto memory = fields.size() >= 4 ? hamiNumber(fields[2]) : std::nullopt;
            const auto cores = fields.size() >= 4 ? hamiNumber(fields[3]) : std::nullopt;
            if (!memory || !cores || fields[0].empty()) {
                result.unreadable.push_back(hamiRaw(entry));
                continue;
            }
            HamiAllocation allocation{.id = std::string(fields[0]), .type = std::string(fields[1]), .memoryMiB = *memory, .cores = *cores};
            if (const std::size_t bracket = allocation.id.find('['); bracket != std::string::npos) {
                allocation.migSlot = allocation.id.substr(bracket + 1);
                if (!allocation.migSlot.empty() && allocation.migSlot.back() == ']')
                    allocation.migSlot.pop_back();
                allocation.id.erase(bracket);
            }
            allocations.push_back(std::move(allocation));
        }
    }
    return result;
}

std::optional<std::string> hamiAllocationWord(std::string_view annotation)
{
    constexpr std::string_view ending = "-devices-allocated";
    if (!annotation.starts_with(kHamiDomain) || !annotation.ends_with(ending)
        || annotation.size() <= kHamiDomain.size() + ending.size())
        return std::nullopt;
    return std::string(annotation.substr(kHamiDomain.size(), annotation.size() - kHamiDomain.size() - ending.size()));
}

std::string modelName(std::string_view type)
{
    type = hamiTrimmed(type);
    while (startsWithMaker(type))
        type = hamiTrimmed(type.substr(7));
    return std::string(type);
}

std::string modelKey(std::string_view type)
{
    std::string key = modelName(type);
    std::string result;
    for (const char c : key) {
        if (c == '-' || c == '_' || c == ' ') {
            if (!result.empty() && result.back() != ' ')
                result += ' ';
        } else {
            result += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
        }
    }
    while (!result.empty() && result.back() == ' ')
        result.pop_back();
    return result;
}

} // namespace tongchi
