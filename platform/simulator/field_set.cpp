#include "platform/simulator/field_set.h"

#include "platform/simulator/api_error.h"
#include "platform/simulator/object_patch.h"
#include "platform/simulator/object_schema.h"

#include <algorithm>

namespace tongchi::simulator {

namespace {

using TypeKind = SchemaType::Kind;

/// How the entries below a value are told apart.
enum class Sharing { Whole, Members, KeyedEntries, PlainEntries };

struct Shape
{
    Sharing sharing = Sharing::Whole;
    const SchemaDefinition *members = nullptr; ///< Members of a structure; null: a map
    const SchemaType *element = nullptr;       ///< of a map
    const SchemaField *field = nullptr;        ///< the list's field, with its keys
};

Shape shapeOf(const SchemaField *field, const SchemaType &type)
{
    Shape shape;
    shape.field = field;
    switch (type.kind) {
    case TypeKind::Struct:
        shape.members = type.definition;
        if (type.definition && !type.definition->isAtomic && !(field && field->isAtomic))
            shape.sharing = Sharing::Members;
        break;
    case TypeKind::Map:
        shape.element = type.element.get();
        if (!(field && field->isAtomic))
            shape.sharing = Sharing::Members;
        break;
    case TypeKind::List:
        if (field && !field->listKeys.empty())
            shape.sharing = Sharing::KeyedEntries;
        else if (field && field->isSet)
            shape.sharing = Sharing::PlainEntries;
        shape.members = type.element ? type.element->definition : nullptr;
        break;
    default:
        break;
    }
    return shape;
}

Shape memberShape(const Shape &parent, const QByteArray &key)
{
    if (parent.members) {
        const SchemaField *field = parent.members->field(key);
        return field ? shapeOf(field, field->type) : Shape{};
    }
    return parent.element ? shapeOf(nullptr, *parent.element) : Shape{};
}

Shape rootShape(const SchemaDefinition *definition)
{
    Shape shape;
    shape.sharing = Sharing::Members;
    shape.members = definition;
    return shape;
}

Shape entryShape(const Shape &list)
{
    Shape shape;
    shape.members = list.members;
    shape.sharing = list.members && !list.members->isAtomic ? Sharing::Members : Sharing::Whole;
    return shape;
}

QByteArray entryKey(const JsonValue &entry, const SchemaField &field)
{
    JsonValue key = JsonValue::object();
    for (const QByteArray &name : field.listKeys) {
        if (const JsonValue *part = entry.find(name))
            key.set(name, *part);
        else if (name == "protocol")
            key.set(name, JsonValue::string("TCP"));
    }
    key.sortKeys();
    return "k:" + key.toJson();
}

const JsonValue *findEntry(const JsonValue &list, const QByteArray &key, const SchemaField &field)
{
    for (const JsonValue &entry : list.items()) {
        if (entryKey(entry, field) == key)
            return &entry;
    }
    return nullptr;
}

bool isTopLevelExcluded(const QByteArray &key, int depth, bool inMetadata)
{
    if (depth == 0)
        return key == "apiVersion" || key == "kind";
    return inMetadata && depth == 1 &&
           (key == "name" || key == "namespace" || key == "uid" || key == "resourceVersion" ||
            key == "generation" || key == "creationTimestamp" || key == "selfLink" ||
            key == "managedFields" || key == "deletionTimestamp" || key == "deletionGracePeriodSeconds");
}

void collect(FieldSet &out, const JsonValue &value, const Shape &shape, bool containers, int depth,
             bool inMetadata)
{
    if (value.isObject() && shape.sharing == Sharing::Members) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            const QByteArray &key = value.keys()[i];
            if (isTopLevelExcluded(key, depth, inMetadata))
                continue;
            const JsonValue &member = value.items()[i];
            const Shape inner = memberShape(shape, key);
            JsonValue set = JsonValue::object();
            const bool shared = inner.sharing != Sharing::Whole && (member.isObject() || member.isArray());
            if (shared)
                collect(set, member, inner, containers, depth + 1, depth == 0 && key == "metadata");
            if (shared && containers && !inner.members && member.size() > 0)
                set.set(".", JsonValue::object());
            if (shared && set.size() == 0 && member.size() > 0)
                continue; // nothing below it counts
            set.sortKeys();
            out.set(QByteArray("f:" + key), std::move(set));
        }
    } else if (value.isArray() && shape.sharing == Sharing::KeyedEntries) {
        for (const JsonValue &entry : value.items()) {
            JsonValue set = JsonValue::object();
            set.set(".", JsonValue::object());
            collect(set, entry, entryShape(shape), containers, depth + 1, false);
            set.sortKeys();
            out.set(entryKey(entry, *shape.field), std::move(set));
        }
    } else if (value.isArray() && shape.sharing == Sharing::PlainEntries) {
        for (const JsonValue &entry : value.items())
            out.set(QByteArray("v:" + entry.toJson()), JsonValue::object());
    }
}

void compare(const JsonValue &before, const JsonValue &after, const Shape &shape, FieldSet &set,
             FieldSet &removed, int depth, bool inMetadata)
{
    if (shape.sharing == Sharing::Members) {
        for (std::size_t i = 0; i < after.size(); ++i) {
            const QByteArray &key = after.keys()[i];
            if (isTopLevelExcluded(key, depth, inMetadata))
                continue;
            const JsonValue &wanted = after.items()[i];
            const JsonValue *old = before.find(key);
            if (old && *old == wanted)
                continue;
            const Shape inner = memberShape(shape, key);
            const bool shared = inner.sharing != Sharing::Whole && (wanted.isObject() || wanted.isArray());
            JsonValue innerSet = JsonValue::object();
            JsonValue innerRemoved = JsonValue::object();
            if (shared) {
                const JsonValue nothing = wanted.isArray() ? JsonValue::array() : JsonValue::object();
                compare(old && old->type() == wanted.type() ? *old : nothing, wanted, inner, innerSet,
                        innerRemoved, depth + 1, depth == 0 && key == "metadata");
                if (!old && innerSet.size() > 0)
                    innerSet.set(".", JsonValue::object());
            }
            if (!shared || !old || innerSet.size() > 0) {
                innerSet.sortKeys();
                set.set(QByteArray("f:" + key), std::move(innerSet));
            }
            if (innerRemoved.size() > 0)
                removed.set(QByteArray("f:" + key), std::move(innerRemoved));
        }
        for (std::size_t i = 0; i < before.size(); ++i) {
            const QByteArray &key = before.keys()[i];
            if (after.find(key) || isTopLevelExcluded(key, depth, inMetadata))
                continue;
            JsonValue all = JsonValue::object();
            collect(all, before.items()[i], memberShape(shape, key), true, depth + 1,
                    depth == 0 && key == "metadata");
            if (all.size() > 0)
                all.set(".", JsonValue::object());
            removed.set(QByteArray("f:" + key), std::move(all));
        }
    } else if (shape.sharing == Sharing::KeyedEntries) {
        for (const JsonValue &entry : after.items()) {
            const QByteArray key = entryKey(entry, *shape.field);
            const JsonValue *old = findEntry(before, key, *shape.field);
            JsonValue innerSet = JsonValue::object();
            JsonValue innerRemoved = JsonValue::object();
            const JsonValue nothing = JsonValue::object();
            compare(old ? *old : nothing, entry, entryShape(shape), innerSet, innerRemoved, depth + 1, false);
            if (!old)
                innerSet.set(".", JsonValue::object());
            if (innerSet.size() > 0) {
                innerSet.sortKeys();
                set.set(key, std::move(innerSet));
            }
            if (innerRemoved.size() > 0)
                removed.set(key, std::move(innerRemoved));
        }
        for (const JsonValue &entry : before.items()) {
            const QByteArray key = entryKey(entry, *shape.field);
            if (findEntry(after, key, *shape.field))
                continue;
            JsonValue all = JsonValue::object();
            collect(all, entry, entryShape(shape), true, depth + 1, false);
            all.set(".", JsonValue::object());
            removed.set(key, std::move(all));
        }
    } else if (shape.sharing == Sharing::PlainEntries) {
        const auto holds = [](const JsonValue &list, const JsonValue &entry) {
            return std::find(list.items().begin(), list.items().end(), entry) != list.items().end();
        };
        for (const JsonValue &entry : after.items()) {
            if (!holds(before, entry))
                set.set(QByteArray("v:" + entry.toJson()), JsonValue::object());
        }
        for (const JsonValue &entry : before.items()) {
            if (!holds(after, entry))
                removed.set(QByteArray("v:" + entry.toJson()), JsonValue::object());
        }
    }
}

void mergeInto(JsonValue &onto, const JsonValue &applied, const Shape &shape)
{
    if (shape.sharing == Sharing::Members && applied.isObject() && onto.isObject()) {
        for (std::size_t i = 0; i < applied.size(); ++i) {
            const QByteArray &key = applied.keys()[i];
            if (applied.items()[i].isNull())
                continue;
            JsonValue &member = onto[key];
            mergeInto(member, applied.items()[i], memberShape(shape, key));
        }
    } else if (shape.sharing == Sharing::KeyedEntries && applied.isArray() && onto.isArray()) {
        for (const JsonValue &entry : applied.items()) {
            const QByteArray key = entryKey(entry, *shape.field);
            const auto match =
                std::find_if(onto.items().begin(), onto.items().end(),
                             [&](const JsonValue &item) { return entryKey(item, *shape.field) == key; });
            if (match == onto.items().end())
                onto.append(entry);
            else
                mergeInto(*match, entry, entryShape(shape));
        }
    } else if (shape.sharing == Sharing::PlainEntries && applied.isArray() && onto.isArray()) {
        for (const JsonValue &entry : applied.items()) {
            if (std::find(onto.items().begin(), onto.items().end(), entry) == onto.items().end())
                onto.append(entry);
        }
    } else {
        onto = applied;
    }
}

void removeFrom(JsonValue &value, const FieldSet &set, const Shape &shape)
{
    for (std::size_t i = 0; i < set.size(); ++i) {
        const QByteArray &name = set.keys()[i];
        const FieldSet &inner = set.items()[i];
        if (name.startsWith("f:")) {
            const QByteArray key = name.mid(2);
            JsonValue *member = value.find(key);
            if (!member)
                continue;
            if (inner.size() == 0) {
                // A shared map or list stays for as long as somebody has something in it.
                const bool shared = memberShape(shape, key).sharing != Sharing::Whole &&
                                    (member->isObject() || member->isArray());
                if (!shared || member->size() == 0)
                    value.remove(key);
                continue;
            }
            removeFrom(*member, inner, memberShape(shape, key));
            if (inner.find(".") && member->size() == 0)
                value.remove(key);
        } else if (name.startsWith("k:") && shape.field) {
            const auto match =
                std::find_if(value.items().begin(), value.items().end(),
                             [&](const JsonValue &item) { return entryKey(item, *shape.field) == name; });
            if (match == value.items().end())
                continue;
            if (inner.find("."))
                value.items().erase(match);
            else
                removeFrom(*match, inner, entryShape(shape));
        } else if (name.startsWith("v:")) {
            const QByteArray text = name.mid(2);
            std::erase_if(value.items(), [&](const JsonValue &item) { return item.toJson() == text; });
        }
    }
}

void walkPaths(const FieldSet &set, const QByteArray &prefix, std::vector<QByteArray> &out)
{
    for (std::size_t i = 0; i < set.size(); ++i) {
        const QByteArray &name = set.keys()[i];
        const FieldSet &inner = set.items()[i];
        QByteArray path = prefix;
        if (name == ".") {
            if (!prefix.isEmpty())
                out.push_back(prefix);
            continue;
        }
        if (name.startsWith("f:")) {
            path += '.' + name.mid(2);
        } else if (name.startsWith("k:")) {
            const JsonValue key = JsonValue::parse(QByteArrayView(name).sliced(2), nullptr);
            path += '[';
            for (std::size_t k = 0; k < key.size(); ++k)
                path += QByteArray(k > 0 ? "," : "") + key.keys()[k] + '=' + key.items()[k].toJson();
            path += ']';
        } else {
            path += "[=" + name.mid(2) + ']';
        }
        if (inner.size() == 0)
            out.push_back(path);
        else
            walkPaths(inner, path, out);
    }
}

const char *schemaTypeName(TypeKind kind)
{
    switch (kind) {
    case TypeKind::Boolean:
        return "boolean";
    case TypeKind::Integer:
    case TypeKind::Number:
        return "numeric";
    case TypeKind::List:
        return "list";
    case TypeKind::Map:
    case TypeKind::Struct:
        return "map";
    default:
        return "string";
    }
}

/// Go's %#v of a decoded value.
QByteArray goSyntax(const JsonValue &value)
{
    if (value.isObject()) {
        JsonValue sorted = value;
        sorted.sortKeys();
        QByteArray out = "map[string]interface {}{";
        for (std::size_t i = 0; i < sorted.size(); ++i)
            out += (i > 0 ? ", " : "") + quoted(sorted.keys()[i]) + ':' + goSyntax(sorted.items()[i]);
        return out + '}';
    }
    if (value.isArray()) {
        QByteArray out = "[]interface {}{";
        for (std::size_t i = 0; i < value.size(); ++i)
            out += (i > 0 ? ", " : "") + goSyntax(value.items()[i]);
        return out + '}';
    }
    return value.isString() ? quoted(value.text()) : value.isNull() ? "interface {}(nil)" : value.toJson();
}

/// A value as the message shows it, which depends on what was expected instead.
QByteArray goValue(const JsonValue &value, TypeKind expected)
{
    if (QByteArrayView(schemaTypeName(expected)) == QByteArrayView("string"))
        return "&value.valueUnstructured{Value:" + goSyntax(value) + '}';
    return "&{" + goFormat(value) + '}';
}

void checkApplied(const JsonValue &value, const SchemaField *field, const SchemaType &type,
                  const QByteArray &path, std::vector<QByteArray> &problems)
{
    using Json = JsonValue::Type;
    if (value.isNull())
        return;
    const auto expected = [&] {
        problems.push_back(path + ": expected " + schemaTypeName(type.kind) + ", got " +
                           goValue(value, type.kind));
    };
    switch (type.kind) {
    case TypeKind::Struct:
        if (!value.isObject())
            return expected();
        for (std::size_t i = 0; type.definition && i < value.size(); ++i) {
            const SchemaField *member = type.definition->field(value.keys()[i]);
            const QByteArray memberPath = path + '.' + value.keys()[i];
            if (!member)
                problems.push_back(memberPath + ": field not declared in schema");
            else
                checkApplied(value.items()[i], member, member->type, memberPath, problems);
        }
        return;
    case TypeKind::Map:
        if (!value.isObject())
            return expected();
        for (std::size_t i = 0; i < value.size(); ++i)
            checkApplied(value.items()[i], nullptr, *type.element, path + '.' + value.keys()[i], problems);
        return;
    case TypeKind::List: {
        if (!value.isArray())
            return expected();
        std::vector<QByteArray> seen;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const JsonValue &entry = value.items()[i];
            QByteArray entryPath = path + '[' + QByteArray::number(qsizetype(i)) + ']';
            if (field && !field->listKeys.empty()) {
                JsonValue wrapper = JsonValue::object();
                wrapper.set(entryKey(entry, *field), JsonValue::object());
                std::vector<QByteArray> texts;
                walkPaths(wrapper, {}, texts);
                if (std::find(seen.begin(), seen.end(), texts.front()) != seen.end())
                    problems.push_back(path + ": duplicate entries for key " + texts.front());
                seen.push_back(texts.front());
                entryPath = path + texts.front();
            }
            checkApplied(entry, nullptr, *type.element, entryPath, problems);
        }
        return;
    }
    case TypeKind::Boolean:
        if (value.type() != Json::Bool)
            expected();
        return;
    case TypeKind::Integer:
    case TypeKind::Number:
        if (value.type() != Json::Number)
            expected();
        return;
    case TypeKind::String:
    case TypeKind::Bytes:
    case TypeKind::Time:
    case TypeKind::MicroTime:
        if (!value.isString())
            expected();
        return;
    default:
        return;
    }
}

} // namespace

FieldSet fieldsOf(const JsonValue &object, const SchemaDefinition *definition, bool containers)
{
    FieldSet set = JsonValue::object();
    collect(set, object, rootShape(definition), containers, 0, false);
    set.sortKeys();
    return set;
}

FieldChanges compareFields(const JsonValue &before, const JsonValue &after,
                           const SchemaDefinition *definition)
{
    FieldChanges changes{JsonValue::object(), JsonValue::object()};
    compare(before, after, rootShape(definition), changes.set, changes.removed, 0, false);
    changes.set.sortKeys();
    return changes;
}

bool isEmptySet(const FieldSet &set)
{
    return set.size() == 0;
}

void addFields(FieldSet &to, const FieldSet &more)
{
    for (std::size_t i = 0; i < more.size(); ++i) {
        const QByteArray &key = more.keys()[i];
        const FieldSet &added = more.items()[i];
        FieldSet *present = to.find(key);
        if (!present) {
            to.set(key, added);
            continue;
        }
        // "{}" is the field itself, "." the same beside what is below it.
        if ((present->size() == 0) != (added.size() == 0))
            present->set(".", JsonValue::object());
        addFields(*present, added);
    }
    to.sortKeys();
}

void subtractFields(FieldSet &from, const FieldSet &less)
{
    for (std::size_t i = 0; i < less.size(); ++i) {
        const QByteArray &key = less.keys()[i];
        const FieldSet &gone = less.items()[i];
        FieldSet *present = from.find(key);
        if (!present)
            continue;
        if (present->size() == 0) {
            if (gone.size() == 0 || gone.find("."))
                from.remove(key);
            continue;
        }
        if (gone.size() == 0)
            present->remove(".");
        else
            subtractFields(*present, gone);
        if (present->size() == 0)
            from.remove(key);
        else if (present->size() == 1 && present->find("."))
            present->remove(".");
    }
}

FieldSet commonFields(const FieldSet &a, const FieldSet &b)
{
    FieldSet common = JsonValue::object();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const QByteArray &key = a.keys()[i];
        const FieldSet *other = b.find(key);
        if (!other)
            continue;
        const FieldSet &own = a.items()[i];
        if (own.size() == 0 || other->size() == 0) {
            if ((own.size() == 0 || own.find(".")) && (other->size() == 0 || other->find(".")))
                common.set(key, JsonValue::object());
            continue;
        }
        FieldSet inner = commonFields(own, *other);
        if (inner.size() == 1 && inner.find("."))
            inner.remove(".");
        else if (inner.size() == 0)
            continue;
        common.set(key, std::move(inner));
    }
    return common;
}

void forEachFieldPath(const FieldSet &set, const std::function<void(const QByteArray &)> &take)
{
    std::vector<QByteArray> paths;
    walkPaths(set, {}, paths);
    std::sort(paths.begin(), paths.end());
    for (const QByteArray &path : paths)
        take(path);
}

void mergeApplied(JsonValue &onto, const JsonValue &applied, const SchemaDefinition *definition)
{
    mergeInto(onto, applied, rootShape(definition));
}

void removeFields(JsonValue &object, const FieldSet &set, const SchemaDefinition *definition)
{
    removeFrom(object, set, rootShape(definition));
}

std::vector<QByteArray> appliedProblems(const JsonValue &applied, const SchemaDefinition *definition)
{
    std::vector<QByteArray> problems;
    SchemaType root;
    root.kind = TypeKind::Struct;
    root.definition = definition;
    checkApplied(applied, nullptr, root, {}, problems);
    std::sort(problems.begin(), problems.end());
    return problems;
}

} // namespace tongchi::simulator
