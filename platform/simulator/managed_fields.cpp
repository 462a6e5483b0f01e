#include "platform/simulator/managed_fields.h"

#include "platform/simulator/field_set.h"
#include "platform/simulator/object_schema.h"
#include "platform/simulator/resource_types.h"

#include <algorithm>
#include <map>

namespace tongchi::simulator {

namespace {

struct ManagerEntry
{
    QByteArray manager;
    bool applies = false;
    QByteArray apiVersion;
    QByteArray time;
    QByteArray subresource;
    FieldSet fields;
};

std::vector<ManagerEntry> readEntries(const JsonValue &object)
{
    std::vector<ManagerEntry> entries;
    const JsonValue *list = object.at({"metadata", "managedFields"});
    if (!list)
        return entries;
    for (const JsonValue &item : list->items()) {
        const JsonValue *fields = item.find("fieldsV1");
        entries.push_back({item.textAt({"manager"}), item.textAt({"operation"}) == "Apply",
                           item.textAt({"apiVersion"}), item.textAt({"time"}), item.textAt({"subresource"}),
                           fields ? *fields : JsonValue::object()});
    }
    return entries;
}

void writeEntries(JsonValue &object, std::vector<ManagerEntry> entries)
{
    std::erase_if(entries, [](const ManagerEntry &entry) { return isEmptySet(entry.fields); });
    std::stable_sort(entries.begin(), entries.end(), [](const ManagerEntry &a, const ManagerEntry &b) {
        if (a.applies != b.applies)
            return a.applies;
        return a.time != b.time ? a.time < b.time : a.manager < b.manager;
    });
    if (entries.empty()) {
        object["metadata"].remove("managedFields");
        return;
    }
    JsonValue list = JsonValue::array();
    for (ManagerEntry &entry : entries) {
        JsonValue item = JsonValue::object();
        item.set("manager", JsonValue::string(entry.manager));
        item.set("operation", JsonValue::string(entry.applies ? "Apply" : "Update"));
        item.set("apiVersion", JsonValue::string(entry.apiVersion));
        if (!entry.time.isEmpty())
            item.set("time", JsonValue::string(entry.time));
        item.set("fieldsType", JsonValue::string("FieldsV1"));
        item.set("fieldsV1", std::move(entry.fields));
        if (!entry.subresource.isEmpty())
            item.set("subresource", JsonValue::string(entry.subresource));
        list.append(std::move(item));
    }
    object["metadata"].set("managedFields", std::move(list));
}

const SchemaDefinition *definitionOf(const ResourceType &type)
{
    return ObjectSchema::instance().find(type.schema);
}

/// Only the part that the endpoint can write: everything but status, or everything but the spec.
void keepWritablePart(FieldSet &set, const QByteArray &subresource, const ResourceType &type)
{
    const bool hasStatus = QByteArrayView(type.subresources).contains("status|");
    if (subresource == "status") {
        set.remove("f:spec");
    } else if (hasStatus) {
        set.remove("f:status");
    }
}

ManagerEntry &entryOf(std::vector<ManagerEntry> &entries, const FieldWriter &writer, bool applies,
                      const ResourceType &type)
{
    for (ManagerEntry &entry : entries) {
        if (entry.manager == writer.manager && entry.applies == applies &&
            entry.subresource == writer.subresource)
            return entry;
    }
    entries.push_back(
        {writer.manager, applies, type.apiVersion(), {}, writer.subresource, JsonValue::object()});
    return entries.back();
}

bool sameContent(JsonValue a, JsonValue b)
{
    for (JsonValue *value : {&a, &b})
        (*value)["metadata"].remove("managedFields");
    return a == b;
}

QByteArray managerText(const ManagerEntry &entry)
{
    QByteArray text = quoted(entry.manager);
    if (!entry.subresource.isEmpty())
        text += " with subresource " + quoted(entry.subresource);
    if (!entry.applies)
        text += " using " + entry.apiVersion;
    return text;
}

/// Message and causes of a 409 as the server words them; nothing without conflicts.
std::optional<ApiError> conflictError(const std::map<QByteArray, std::vector<QByteArray>> &conflicts)
{
    std::size_t count = 0;
    QByteArray causes;
    QByteArray groups;
    for (const auto &[manager, paths] : conflicts) {
        groups += (groups.isEmpty() ? "" : "\n") + QByteArray("conflicts with ") + manager + ':';
        for (const QByteArray &path : paths) {
            ++count;
            groups += "\n- " + path;
            causes += causes.isEmpty() ? "{" : ",{";
            causes += "\"reason\":\"FieldManagerConflict\",\"message\":";
            writeJsonString(causes, QByteArray("conflict with " + manager));
            causes += ",\"field\":";
            writeJsonString(causes, path);
            causes += '}';
        }
    }
    if (count == 0)
        return std::nullopt;
    const QByteArray message =
        count == 1 ? QByteArray("Apply failed with 1 conflict: conflict with " + conflicts.begin()->first +
                                ": " + conflicts.begin()->second.front())
                   : QByteArray("Apply failed with " + QByteArray::number(qulonglong(count)) +
                                " conflicts: " + groups);
    return ApiError{
        .code = 409, .reason = "Conflict", .message = message, .details = "{\"causes\":[" + causes + "]}"};
}

} // namespace

void bookUpdate(const JsonValue &before, JsonValue &after, const ResourceType &type,
                const FieldWriter &writer, bool created)
{
    std::vector<ManagerEntry> entries = readEntries(before);
    if (entries.empty() && !created)
        return;
    FieldChanges changes = compareFields(before, after, definitionOf(type));
    keepWritablePart(changes.set, writer.subresource, type);
    keepWritablePart(changes.removed, writer.subresource, type);
    if (isEmptySet(changes.set) && isEmptySet(changes.removed)) {
        writeEntries(after, std::move(entries));
        return;
    }
    for (ManagerEntry &entry : entries) {
        subtractFields(entry.fields, changes.removed);
        if (entry.manager != writer.manager || entry.applies)
            subtractFields(entry.fields, changes.set);
    }
    if (!isEmptySet(changes.set)) {
        ManagerEntry &own = entryOf(entries, writer, false, type);
        addFields(own.fields, changes.set);
        own.time = writer.time;
    }
    writeEntries(after, std::move(entries));
}

ApiResult<JsonValue> applyConfiguration(const JsonValue &live, JsonValue applied, const ResourceType &type,
                                        const FieldWriter &writer, bool force)
{
    const SchemaDefinition *definition = definitionOf(type);
    const std::vector<QByteArray> problems = appliedProblems(applied, definition);
    if (!problems.empty()) {
        QByteArray text = problems.front();
        if (problems.size() > 1) {
            text = "errors:";
            for (const QByteArray &problem : problems)
                text += "\n  " + problem;
        }
        return apiFailure(internalError("failed to create typed patch object (" +
                                        applied.textAt({"metadata", "namespace"}) + '/' +
                                        applied.textAt({"metadata", "name"}) + "; " + type.group + '/' +
                                        type.version + ", Kind=" + type.kind + "): " + text));
    }
    std::vector<ManagerEntry> entries = readEntries(live);
    if (entries.empty() && live.isObject()) {
        FieldSet everything = fieldsOf(live, definition, true);
        keepWritablePart(everything, writer.subresource, type);
        entries.push_back(
            {"before-first-apply", false, type.apiVersion(), writer.time, writer.subresource, everything});
    }
    FieldSet wanted = fieldsOf(applied, definition, false);
    keepWritablePart(wanted, writer.subresource, type);
    JsonValue merged = live.isObject() ? live : JsonValue::object();
    mergeApplied(merged, applied, definition);

    const FieldChanges changes =
        compareFields(live.isObject() ? live : JsonValue::object(), merged, definition);
    std::map<QByteArray, std::vector<QByteArray>> conflicts;
    for (ManagerEntry &entry : entries) {
        if (entry.manager == writer.manager && entry.applies && entry.subresource == writer.subresource)
            continue;
        FieldSet disputed = commonFields(commonFields(changes.set, wanted), entry.fields);
        if (isEmptySet(disputed))
            continue;
        if (force) {
            subtractFields(entry.fields, disputed);
            continue;
        }
        forEachFieldPath(disputed,
                         [&](const QByteArray &path) { conflicts[managerText(entry)].push_back(path); });
    }
    if (auto error = conflictError(conflicts))
        return apiFailure(std::move(*error));

    // What this manager applied before and left out now goes, unless somebody else wants it too.
    ManagerEntry &own = entryOf(entries, writer, true, type);
    FieldSet dropped = own.fields;
    subtractFields(dropped, wanted);
    for (const ManagerEntry &entry : entries) {
        if (&entry != &own)
            subtractFields(dropped, entry.fields);
    }
    removeFields(merged, dropped, definition);
    if (!(own.fields == wanted)) {
        own.fields = std::move(wanted);
        // Who only joins in changes nothing, and then the server does not note when.
        own.time = live.isObject() && sameContent(live, merged) ? own.time : writer.time;
    }
    writeEntries(merged, std::move(entries));
    return merged;
}

} // namespace tongchi::simulator
