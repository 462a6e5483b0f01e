#include "platform/inventory/device_catalog.h"

#include <algorithm>
#include <cctype>

namespace tongchi {
namespace {

bool equalIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(std::uint8_t(x)) == std::tolower(std::uint8_t(y));
    });
}

bool isOneOf(std::string_view word, const std::vector<std::string> &words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string &each) { return equalIgnoringCase(word, each); });
}

/// Words of a name in which labels turned blanks into dashes.
std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    for (const char c : text) {
        if (c == ' ' || c == '-' || c == '_' || c == '\t') {
            if (!word.empty())
                words.push_back(std::move(word));
            word.clear();
        } else {
            word.push_back(c);
        }
    }
    if (!word.empty())
        words.push_back(std::move(word));
    return words;
}

std::string joined(const std::vector<std::string> &words, std::size_t from, char between)
{
    std::string text;
    for (std::size_t i = from; i < words.size(); ++i) {
        if (i > from)
            text.push_back(between);
        text += words[i];
    }
    return text;
}

bool isMemorySize(std::string_view word)
{
    return word.size() > 2 && (word.ends_with("GB") || word.ends_with("gb")) &&
           std::all_of(word.begin(), word.end() - 2, [](char c) { return c >= '0' && c <= '9'; });
}

/// The form factor before the memory, each once, "PCIe" in its own spelling: "80GB PCIE" -> "PCIe-80GB".
std::string variantFrom(std::vector<std::string> words)
{
    for (std::string &word : words) {
        if (equalIgnoringCase(word, "pcie"))
            word = "PCIe";
    }
    std::stable_partition(words.begin(), words.end(),
                          [](const std::string &word) { return !isMemorySize(word); });
    return joined(words, 0, '-');
}

} // namespace

CardModelName DeviceCatalog::modelName(Vendor vendor, std::string_view vendorName,
                                       std::string_view reported) const
{
    if (reported.empty())
        return {};
    if (vendor == Vendor::Ascend)
        return ascendModelName(reported);
    if (vendor == Vendor::Cambricon) {
        const std::string text(reported);
        return {text, {}, text};
    }
    const auto entry = std::find_if(m_vendors.begin(), m_vendors.end(), [&](const VendorEntry &each) {
        return each.owner.vendorName == vendorName;
    });
    std::vector<std::string> words = wordsOf(reported);
    if (words.empty())
        return {};
    if (entry != m_vendors.end()) {
        while (words.size() > 1 && isOneOf(words.front(), entry->words))
            words.erase(words.begin());
    }
    if (vendor != Vendor::Nvidia) {
        // Their own dashes are part of the name ("BI-V150"): only the vendor in front goes.
        std::string_view rest = reported;
        bool cut = entry != m_vendors.end();
        while (cut) {
            cut = false;
            for (const std::string &word : entry->words) {
                if (rest.size() > word.size() + 1 && equalIgnoringCase(rest.substr(0, word.size()), word) &&
                    (rest[word.size()] == ' ' || rest[word.size()] == '-' || rest[word.size()] == '_')) {
                    rest.remove_prefix(word.size() + 1);
                    cut = true;
                }
            }
        }
        return {std::string(rest), {}, std::string(rest)};
    }

    // What sharing and MIG append to the label is no part of the name.
    const auto mig = std::find(words.begin(), words.end(), "MIG");
    words.erase(mig == words.begin() ? words.end() : mig, words.end());
    while (words.size() > 1 && words.back() == "SHARED")
        words.pop_back();
    CardModelName name{.reported = joined(words, 0, ' ')};
    if (entry != m_vendors.end()) {
        while (words.size() > 1 && isOneOf(words.front(), entry->dropped))
            words.erase(words.begin());
        while (words.size() > 1 && isOneOf(words.back(), entry->dropped))
            words.pop_back();
    }
    const bool plain =
        std::all_of(words[0].begin(), words[0].end(), [](char c) { return std::isalnum(std::uint8_t(c)); });
    if (!plain) { // no name of NVIDIA's: nothing to take apart
        name.model = name.reported;
        return name;
    }
    const bool twoWords = words.size() > 1 && (words[0] == "RTX" || words[0] == "GTX" || words[0] == "TITAN");
    name.model = twoWords ? words[0] + ' ' + words[1] : words[0];
    std::vector<std::string> rest(words.begin() + (twoWords ? 2 : 1), words.end());
    if (const auto known = m_models.find(name.model); known != m_models.end()) {
        const std::string text = joined(rest, 0, ' ');
        for (const auto &[spelling, variant] : known->second.variants) {
            if (equalIgnoringCase(spelling, text)) {
                name.variant = variant;
                return name;
            }
        }
    }
    name.variant = variantFrom(std::move(rest));
    return name;
}

const DeviceCatalog::AscendChip *DeviceCatalog::ascendChip(std::string_view name) const
{
    const AscendChip *best = nullptr;
    for (const AscendChip &chip : m_ascend) {
        if (equalIgnoringCase(name, chip.chip))
            return &chip;
        // "910B5" is a 910B of a kind that the list does not know yet.
        if (name.size() > chip.chip.size() &&
            equalIgnoringCase(name.substr(0, chip.chip.size()), chip.chip) && chip.variant.empty() &&
            (!best || chip.chip.size() > best->chip.size())) {
            best = &chip;
        }
    }
    return best;
}

CardModelName DeviceCatalog::ascendModelName(std::string_view reported) const
{
    std::string_view chip = reported;
    for (const std::string_view front : {"HUAWEI ", "Huawei ", "huawei-", "Ascend ", "Ascend-", "Ascend"}) {
        if (chip.size() > front.size() && chip.starts_with(front))
            chip.remove_prefix(front.size());
    }
    if (const std::size_t tail = chip.find("-Ascend"); tail != std::string_view::npos && tail > 0)
        chip = chip.substr(0, tail);
    CardModelName name{.reported = "Ascend" + std::string(chip)};
    const AscendChip *known = ascendChip(chip);
    if (!known) {
        name.model = "Ascend " + std::string(chip);
        return name;
    }
    name.model = known->model;
    name.variant = known->variant;
    if (name.variant.empty() && !equalIgnoringCase(chip, known->chip))
        name.variant = chip;
    return name;
}

std::optional<std::int64_t> DeviceCatalog::ascendMemoryMiB(std::string_view chip) const
{
    if (chip.starts_with("Ascend"))
        chip.remove_prefix(6);
    for (const AscendChip &each : m_ascend) {
        if (equalIgnoringCase(chip, each.chip))
            return each.memoryMiB;
    }
    return std::nullopt;
}

} // namespace tongchi
