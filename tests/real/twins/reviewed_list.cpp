#include "tests/real/twins/reviewed_list.h"

#include <QFile>
#include <algorithm>
#include <yaml-cpp/yaml.h>

namespace tongchi::twins {

namespace {

QByteArray entryText(const YAML::Node &node)
{
    return node ? QByteArray::fromStdString(node.as<std::string>()) : QByteArray();
}

bool covers(const ReviewedList::Entry &entry, const Difference &difference)
{
    return entry.place == difference.place && (entry.step.isEmpty() || entry.step == difference.step) &&
           pathMatches(difference.path, entry.path);
}

} // namespace

ReviewedList ReviewedList::read(const QString &file, QString *problem)
{
    std::vector<Entry> entries;
    try {
        for (const YAML::Node &node : YAML::LoadFile(QFile::encodeName(file).toStdString())) {
            Entry entry;
            for (const YAML::Node &call : node["calls"])
                entry.calls.append(entryText(call));
            entry.step = entryText(node["step"]);
            entry.path = entryText(node["at"]);
            entry.reason = entryText(node["reason"]).simplified();
            const std::optional<Place> place = placeOf(entryText(node["place"]));
            if (!place || entry.calls.isEmpty() || entry.path.isEmpty() || entry.reason.size() < 20)
                throw std::runtime_error("an entry needs calls, place, at and a reason: " + YAML::Dump(node));
            entry.place = *place;
            entries.push_back(std::move(entry));
        }
    } catch (const std::exception &exception) {
        *problem = file + QStringLiteral(": ") + QString::fromUtf8(exception.what());
    }
    return ReviewedList(std::move(entries));
}

QList<QByteArray> ReviewedList::complaints(const QByteArray &call,
                                           const std::vector<Difference> &differences) const
{
    QList<QByteArray> found;
    std::vector<const Entry *> own;
    for (const Entry &entry : m_entries) {
        if (entry.calls.contains(call))
            own.push_back(&entry);
    }
    for (const Difference &difference : differences) {
        if (std::none_of(own.begin(), own.end(),
                         [&](const Entry *entry) { return covers(*entry, difference); }))
            found.append(describe(difference));
    }
    for (const Entry *entry : own) {
        if (std::none_of(differences.begin(), differences.end(),
                         [entry](const Difference &difference) { return covers(*entry, difference); }))
            found.append("  the reviewed list still has a difference that is gone: " +
                         QByteArray(placeName(entry->place)) + " at " + entry->path + '\n');
    }
    return found;
}

QList<QByteArray> ReviewedList::withoutCall(const std::vector<TwinCall> &calls) const
{
    QList<QByteArray> found;
    for (const Entry &entry : m_entries) {
        for (const QByteArray &id : entry.calls) {
            if (std::none_of(calls.begin(), calls.end(),
                             [&id](const TwinCall &call) { return call.id == id; }))
                found.append(id);
        }
    }
    return found;
}

} // namespace tongchi::twins
