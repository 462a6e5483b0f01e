#include "platform/simulator/promql_labels.h"

#include "platform/simulator/fleet_hash.h"
#include "platform/simulator/fleet_json.h"

#include <algorithm>

namespace tongchi {

PromLabels::PromLabels(std::vector<PromLabel> sorted) : m_labels(std::move(sorted))
{
    for (const PromLabel &label : m_labels)
        m_hash = fleetMix(m_hash ^ ((std::uint64_t(label.name) << 32) | label.value));
}

StringId PromLabels::value(StringId name) const
{
    for (const PromLabel &label : m_labels) {
        if (label.name == name)
            return label.value;
    }
    return 0;
}

PromLabels PromSymbols::make(std::vector<PromLabel> labels) const
{
    std::stable_sort(labels.begin(), labels.end(), [this](const PromLabel &a, const PromLabel &b) {
        return a.name != b.name && text(a.name) < text(b.name);
    });
    std::vector<PromLabel> result;
    result.reserve(labels.size());
    for (const PromLabel &label : labels) {
        if (!result.empty() && result.back().name == label.name)
            result.back().value = label.value;
        else
            result.push_back(label);
    }
    std::erase_if(result, [](const PromLabel &label) { return label.value == 0; });
    return PromLabels(std::move(result));
}

PromLabelsPtr PromSymbols::without(const PromLabels &labels, const std::vector<StringId> &names,
                                   bool keep) const
{
    std::vector<PromLabel> left;
    left.reserve(labels.all().size());
    for (const PromLabel &label : labels.all()) {
        if ((std::find(names.begin(), names.end(), label.name) != names.end()) == keep)
            left.push_back(label);
    }
    return std::make_shared<const PromLabels>(std::move(left));
}

PromLabelsPtr PromSymbols::with(const PromLabels &labels, StringId name, StringId value) const
{
    std::vector<PromLabel> changed = labels.all();
    changed.push_back({name, value});
    return share(std::move(changed));
}

bool PromSymbols::less(const PromLabels &a, const PromLabels &b) const
{
    const auto &x = a.all();
    const auto &y = b.all();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (x[i].name != y[i].name)
            return text(x[i].name) < text(y[i].name);
        if (x[i].value != y[i].value)
            return text(x[i].value) < text(y[i].value);
    }
    return x.size() < y.size();
}

QByteArray PromSymbols::describe(const PromLabels &labels) const
{
    QByteArray out("{");
    for (const PromLabel &label : labels.all()) {
        if (out.size() > 1)
            out.append(", ");
        const std::string_view name = text(label.name);
        out.append(name.data(), qsizetype(name.size())).append('=');
        appendJsonString(out, text(label.value));
    }
    out.append('}');
    return out;
}

} // namespace tongchi
