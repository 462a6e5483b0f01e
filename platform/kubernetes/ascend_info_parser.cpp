#include "platform/kubernetes/ascend_info_parser.h"

#include "platform/kubernetes/json_access.h"

#include <algorithm>

namespace tongchi {

namespace {

using json::Shape;

constexpr std::string_view kAscendNodePrefix = "mindx-dl-deviceinfo-";

// Text taken out of JSON, with the padding that parsing it again needs.
class AscendText
{
public:
    void assign(std::string_view text)
    {
        m_size = text.size();
        m_text.assign(text);
        m_text.append(kJsonPadding, '\0');
    }
    std::string_view view() const { return std::string_view(m_text).substr(0, m_size); }
    bool empty() const { return m_size == 0; }

private:
    std::string m_text;
    std::size_t m_size = 0;
};

void appendNames(std::string_view list, std::vector<std::string> &names)
{
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::string_view name = list.substr(0, comma);
        while (!name.empty() && name.front() == ' ')
            name.remove_prefix(1);
        while (!name.empty() && name.back() == ' ')
            name.remove_suffix(1);
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.emplace_back(name);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

} // namespace

struct AscendInfoParser::Private
{
    json::Document outer, middle, inner; ///< one a level: reading one does not end the other

    // The third level: an array of faults of one kind of card.
    bool faults(const AscendText &text, AscendDeviceInfo &info)
    {
        // An array cannot be read as a document of its own by Document; wrapped, it is one field of an
        // object.
        AscendText wrapped;
        wrapped.assign("{\"faults\":" + std::string(text.view()) + '}');
        const char *reason = nullptr;
        return inner.read(wrapped.view(), reason, [&](auto, json::ondemand::value value) {
            return json::eachElement(value, [&](json::ondemand::value element) {
                std::string_view name, code, level;
                const Shape shape = json::eachField(element, [&](auto key, json::ondemand::value field) {
                    if (key == "npu_name")
                        name = json::textOf(field);
                    else if (key == "fault_code")
                        code = json::textOf(field);
                    else if (key == "fault_level" && level.empty())
                        level = json::textOf(field);
                    else if (key == "fault_handling")
                        level = json::textOf(field);
                    return Shape::Fine;
                });
                if (!name.empty() && (!code.empty() || !level.empty())) {
                    std::string said(code);
                    said.append(code.empty() || level.empty() ? "" : " ").append(level);
                    info.faults.emplace_back(std::string(name), std::move(said));
                }
                return shape;
            });
        });
    }

    // DeviceList: resource name with a suffix -> names, or for "-Fault" text again.
    Shape deviceList(json::ondemand::value value, AscendDeviceInfo &info, std::vector<AscendText> &faultTexts)
    {
        return json::eachEntry(value, [&](std::string_view key, json::ondemand::value text) {
            if (key.ends_with("-NetworkUnhealthy"))
                appendNames(json::textOf(text), info.networkUnhealthy);
            else if (key.ends_with("-Unhealthy"))
                appendNames(json::textOf(text), info.unhealthy);
            else if (key.ends_with("-Fault"))
                faultTexts.emplace_back().assign(json::textOf(text));
            return Shape::Fine;
        });
    }

    Shape deviceInfo(json::ondemand::value value, AscendDeviceInfo &info, std::vector<AscendText> &faultTexts,
                     bool &found)
    {
        return json::eachField(value, [&](auto key, json::ondemand::value field) {
            if (key == "DeviceList") {
                found = true;
                return deviceList(field, info, faultTexts);
            }
            if (key == "UpdateTime") { // seconds
                if (const auto seconds = json::integerOf(field);
                    seconds && *seconds > 0 && *seconds < 100'000'000'000)
                    info.updated = Instant(std::chrono::seconds(*seconds));
            }
            return Shape::Fine;
        });
    }

    // The second level: one node's {"DeviceInfo": {...}}, or ClusterD's map of such infos by ConfigMap name.
    bool configuration(const AscendText &text, AscendDeviceInfoRecord &record)
    {
        const char *reason = nullptr;
        std::vector<std::vector<AscendText>> faultTexts;
        const std::size_t first = record.nodes.size();
        const bool read = middle.read(
            text.view(), reason, [&](json::ondemand::raw_json_string rawKey, json::ondemand::value value) {
                if (json::ondemand::json_type type;
                    value.type().get(type) || type != json::ondemand::json_type::object)
                    return Shape::Fine;
                const std::string_view rest(
                    rawKey.raw(), std::size_t(text.view().data() + text.view().size() - rawKey.raw()));
                const std::string_view key = rest.substr(0, rest.find('"'));
                AscendDeviceInfo info;
                std::vector<AscendText> texts;
                bool found = false;
                const Shape shape = deviceInfo(value, info, texts, found);
                if (found) {
                    info.node = key == "DeviceInfo" ? record.key.name : std::string(key);
                    if (info.node.starts_with(kAscendNodePrefix))
                        info.node.erase(0, kAscendNodePrefix.size());
                    record.nodes.push_back(std::move(info));
                    faultTexts.push_back(std::move(texts));
                }
                return shape;
            });
        bool faultsRead = true;
        for (std::size_t i = 0; i < faultTexts.size(); ++i) {
            for (const AscendText &faultText : faultTexts[i]) {
                if (!faultText.empty())
                    faultsRead = faults(faultText, record.nodes[first + i]) && faultsRead;
            }
        }
        return read && faultsRead;
    }
};

AscendInfoParser::AscendInfoParser() : d(std::make_unique<Private>()) {}
AscendInfoParser::~AscendInfoParser() = default;

bool AscendInfoParser::parse(std::string_view json, AscendDeviceInfoRecord &record, UnreadableObject &why)
{
    record = {};
    std::vector<AscendText> configurations;
    const char *reason = nullptr;
    const bool read = d->outer.read(json, reason, [&](auto key, json::ondemand::value value) {
        if (key == "metadata") {
            return json::eachField(value, [&](auto name, json::ondemand::value field) {
                json::readCommonMetadata(name, field, record.key, record.resourceVersion);
                return Shape::Fine;
            });
        }
        if (key != "data")
            return Shape::Fine;
        return json::eachField(value, [&](auto, json::ondemand::value field) {
            const std::string_view text = json::textOf(field);
            if (text.find("DeviceList") != std::string_view::npos)
                configurations.emplace_back().assign(text);
            return Shape::Fine;
        });
    });
    if (read && record.key.name.empty())
        reason = "the object has no name";
    if (reason)
        return json::unreadable(json, reason, why);
    for (const AscendText &text : configurations) {
        if (!d->configuration(text, record))
            return json::unreadable(json, "the text inside is not valid JSON", why);
    }
    return true;
}

} // namespace tongchi
