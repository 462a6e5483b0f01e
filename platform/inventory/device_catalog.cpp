#include "platform/inventory/device_catalog.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>
#include <algorithm>

namespace tongchi {
namespace {

std::string jsonText(const QJsonValue &value)
{
    return value.toString().toStdString();
}

std::vector<std::string> jsonTexts(const QJsonValue &value)
{
    std::vector<std::string> texts;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &each : array)
        texts.push_back(jsonText(each));
    return texts;
}

std::optional<Vendor> vendorNamed(const QString &name)
{
    if (name == QLatin1String("nvidia"))
        return Vendor::Nvidia;
    if (name == QLatin1String("ascend"))
        return Vendor::Ascend;
    if (name == QLatin1String("cambricon"))
        return Vendor::Cambricon;
    return name == QLatin1String("other") ? std::optional(Vendor::Other) : std::nullopt;
}

std::optional<ResourceKind> kindNamed(const QString &name)
{
    static constexpr std::pair<const char *, ResourceKind> kinds[]{
        {"cards", ResourceKind::Cards},     {"shares", ResourceKind::Shares},
        {"slices", ResourceKind::Slices},   {"count", ResourceKind::Count},
        {"ignored", ResourceKind::Ignored}, {"hundredths", ResourceKind::Hundredths},
    };
    for (const auto &[key, kind] : kinds) {
        if (name == QLatin1String(key))
            return kind;
    }
    return std::nullopt;
}

std::string_view domainOf(std::string_view resource)
{
    return resource.substr(0, std::min(resource.find('/'), resource.size()));
}

std::string_view lastWordOf(std::string_view resource)
{
    const std::size_t from = resource.find_last_of("/.-_");
    return from == std::string_view::npos ? resource : resource.substr(from + 1);
}

bool matchesAny(std::string_view text, const std::vector<std::string> &patterns)
{
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string &pattern) { return matchesGlob(text, pattern); });
}

/// What * stands for in `pattern`, when it matches.
std::string_view starOf(std::string_view text, std::string_view pattern)
{
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos || text.size() + 1 < pattern.size())
        return {};
    return text.substr(star, text.size() - pattern.size() + 1);
}

tl::unexpected<Error> catalogFailure(const QString &detail)
{
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "The list of accelerators cannot be read."),
                    .remedy = QT_TRANSLATE_NOOP("Error", "Install the program again."),
                    .detail = detail});
}

} // namespace

bool matchesGlob(std::string_view text, std::string_view pattern)
{
    std::size_t at = 0, in = 0;
    std::size_t star = std::string_view::npos, mark = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            mark = at;
        } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == text[at])) {
            ++at;
            ++in;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++mark;
        } else {
            return false;
        }
    }
    while (in < pattern.size() && pattern[in] == '*')
        ++in;
    return in == pattern.size();
}

DeviceCatalog DeviceCatalog::builtIn()
{
    QFile file(QStringLiteral(":/tongchi/accelerators.json"));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    auto catalog = opened ? fromJson(file.readAll()) : Result<DeviceCatalog>(DeviceCatalog());
    Q_ASSERT(catalog.has_value());
    return catalog ? std::move(*catalog) : DeviceCatalog();
}

Result<DeviceCatalog> DeviceCatalog::fromJson(const QByteArray &json)
{
    QJsonParseError parseError;
    const QJsonObject root = QJsonDocument::fromJson(json, &parseError).object();
    if (parseError.error != QJsonParseError::NoError)
        return catalogFailure(parseError.errorString());
    DeviceCatalog catalog;
    const QJsonArray vendors = root[QLatin1String("vendors")].toArray();
    for (const QJsonValue &each : vendors) {
        const QJsonObject object = each.toObject();
        const auto vendor = vendorNamed(object[QLatin1String("vendor")].toString());
        if (!vendor)
            return catalogFailure(QStringLiteral("vendor of ") + object[QLatin1String("key")].toString());
        VendorEntry entry;
        entry.owner = {*vendor, jsonText(object[QLatin1String("key")]),
                       jsonText(object[QLatin1String("model")])};
        entry.domains = jsonTexts(object[QLatin1String("domains")]);
        entry.words = jsonTexts(object[QLatin1String("words")]);
        entry.dropped = jsonTexts(object[QLatin1String("drop")]);
        entry.registers = jsonTexts(object[QLatin1String("registers")]);
        entry.drivers = jsonTexts(object[QLatin1String("drivers")]);
        const QJsonArray resources = object[QLatin1String("resources")].toArray();
        for (const QJsonValue &resource : resources) {
            const auto kind = kindNamed(resource[QLatin1String("kind")].toString());
            if (!kind)
                return catalogFailure(QStringLiteral("kind of ") +
                                      resource[QLatin1String("name")].toString());
            entry.rules.push_back({jsonText(resource[QLatin1String("name")]), *kind,
                                   jsonText(resource[QLatin1String("profile")]),
                                   jsonText(resource[QLatin1String("model")])});
        }
        catalog.m_vendors.push_back(std::move(entry));
    }
    catalog.m_notAccelerators = jsonTexts(root[QLatin1String("notAccelerators")]);
    catalog.m_notAcceleratorWords = jsonTexts(root[QLatin1String("notAcceleratorWords")]);
    catalog.m_notAcceleratorDrivers = jsonTexts(root[QLatin1String("notAcceleratorDrivers")]);
    const QJsonObject models = root[QLatin1String("models")].toObject();
    for (auto it = models.begin(); it != models.end(); ++it) {
        ModelEntry entry;
        const QJsonArray sizes = it.value()[QLatin1String("memoryMiB")].toArray();
        for (const QJsonValue &size : sizes)
            entry.memoryMiB.push_back(size.toInteger());
        const QJsonObject variants = it.value()[QLatin1String("variants")].toObject();
        for (auto variant = variants.begin(); variant != variants.end(); ++variant)
            entry.variants.emplace_back(variant.key().toStdString(), jsonText(variant.value()));
        catalog.m_models.emplace(it.key().toStdString(), std::move(entry));
    }
    const QJsonArray chips = root[QLatin1String("ascend")].toArray();
    for (const QJsonValue &chip : chips) {
        const qint64 memory = chip[QLatin1String("memoryMiB")].toInteger();
        catalog.m_ascend.push_back({jsonText(chip[QLatin1String("chip")]),
                                    jsonText(chip[QLatin1String("model")]),
                                    jsonText(chip[QLatin1String("variant")]),
                                    memory > 0 ? std::optional<std::int64_t>(memory) : std::nullopt});
    }
    return catalog;
}

const DeviceCatalog::VendorEntry *DeviceCatalog::vendorOfDomain(std::string_view domain) const
{
    for (const VendorEntry &entry : m_vendors) {
        if (std::find(entry.domains.begin(), entry.domains.end(), domain) != entry.domains.end())
            return &entry;
    }
    return nullptr;
}

bool DeviceCatalog::isKnownNonAccelerator(std::string_view resource) const
{
    if (matchesAny(resource, m_notAccelerators))
        return true;
    std::string word(lastWordOf(resource));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return std::find(m_notAcceleratorWords.begin(), m_notAcceleratorWords.end(), word) !=
           m_notAcceleratorWords.end();
}

ResourceMeaning DeviceCatalog::meaningOf(std::string_view resource) const
{
    const VendorEntry *entry = vendorOfDomain(domainOf(resource));
    if (entry) {
        ResourceMeaning meaning{.vendor = entry->owner.vendor,
                                .vendorName = entry->owner.vendorName,
                                .model = entry->owner.model};
        for (const Rule &rule : entry->rules) {
            if (!matchesGlob(resource, rule.pattern))
                continue;
            meaning.kind = rule.kind;
            if (!rule.modelPattern.empty())
                meaning.model = starOf(resource, rule.modelPattern);
            if (const std::size_t at = resource.find(rule.profileAfter);
                !rule.profileAfter.empty() && at != std::string_view::npos) {
                meaning.profile = resource.substr(at + rule.profileAfter.size());
            }
            return meaning;
        }
    }
    if (resource.find('/') == std::string_view::npos || isKnownNonAccelerator(resource))
        return {};
    ResourceMeaning meaning{.kind = ResourceKind::Unknown,
                            .vendorName = std::string(domainOf(resource)),
                            .model = std::string(resource)};
    if (entry) {
        meaning.vendor = entry->owner.vendor;
        meaning.vendorName = entry->owner.vendorName;
    }
    return meaning;
}

const DeviceCatalog::Owner *DeviceCatalog::registerOwner(std::string_view annotation) const
{
    if (annotation.find("/node-") == std::string_view::npos)
        return nullptr;
    for (const VendorEntry &entry : m_vendors) {
        if (matchesAny(annotation, entry.registers))
            return &entry.owner;
    }
    return nullptr;
}

std::optional<DeviceCatalog::Owner> DeviceCatalog::driverOwner(std::string_view driver) const
{
    for (const VendorEntry &entry : m_vendors) {
        if (std::find(entry.drivers.begin(), entry.drivers.end(), driver) != entry.drivers.end())
            return entry.owner;
    }
    if (driver.empty() || matchesAny(driver, m_notAcceleratorDrivers))
        return std::nullopt;
    for (const VendorEntry &entry : m_vendors) {
        for (const std::string &domain : entry.domains) {
            if (driver.size() > domain.size() && driver.ends_with(domain) &&
                driver[driver.size() - domain.size() - 1] == '.') {
                return entry.owner;
            }
        }
    }
    return Owner{Vendor::Other, std::string(driver), {}};
}

bool DeviceCatalog::isAcceleratorKey(std::string_view key) const
{
    return vendorOfDomain(domainOf(key)) != nullptr;
}

std::span<const std::int64_t> DeviceCatalog::memoryMiB(std::string_view model) const
{
    const auto found = m_models.find(std::string(model));
    return found == m_models.end() ? std::span<const std::int64_t>()
                                   : std::span<const std::int64_t>(found->second.memoryMiB);
}

} // namespace tongchi
