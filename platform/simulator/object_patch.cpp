#include "platform/simulator/object_patch.h"

#include "platform/simulator/object_schema.h"

#include <algorithm>

namespace tongchi::simulator {

namespace {

constexpr QByteArrayView directiveKey = "$patch";
constexpr QByteArrayView retainKeys = "$retainKeys";
constexpr QByteArrayView elementOrder = "$setElementOrder/";
constexpr QByteArrayView deleteFromList = "$deleteFromPrimitiveList/";

/// Steps of a JSON pointer, unescaped.
bool pointerSteps(const QByteArray &pointer, std::vector<QByteArray> *steps)
{
    if (pointer.isEmpty())
        return true;
    if (!pointer.startsWith('/'))
        return false;
    for (QByteArray step : pointer.mid(1).split('/'))
        steps->push_back(step.replace("~1", "/").replace("~0", "~"));
    return true;
}

JsonValue *stepDown(JsonValue &value, const QByteArray &step)
{
    if (value.isObject())
        return value.find(step);
    if (!value.isArray())
        return nullptr;
    bool ok = false;
    const std::size_t index = step.toULongLong(&ok);
    return ok && index < value.size() ? &value.items()[index] : nullptr;
}

JsonValue *walkPointer(JsonValue &root, const std::vector<QByteArray> &steps, std::size_t count)
{
    JsonValue *value = &root;
    for (std::size_t i = 0; i < count && value; ++i)
        value = stepDown(*value, steps[i]);
    return value;
}

bool addAt(JsonValue &root, const std::vector<QByteArray> &steps, JsonValue value)
{
    if (steps.empty()) {
        root = std::move(value);
        return true;
    }
    JsonValue *parent = walkPointer(root, steps, steps.size() - 1);
    if (!parent)
        return false;
    if (parent->isObject()) {
        parent->set(steps.back(), std::move(value));
        return true;
    }
    if (!parent->isArray())
        return false;
    if (steps.back() == "-") {
        parent->append(std::move(value));
        return true;
    }
    bool ok = false;
    const std::size_t index = steps.back().toULongLong(&ok);
    if (!ok || index > parent->size())
        return false;
    parent->items().insert(parent->items().begin() + qsizetype(index), std::move(value));
    return true;
}

bool removeAt(JsonValue &root, const std::vector<QByteArray> &steps)
{
    if (steps.empty())
        return false;
    JsonValue *parent = walkPointer(root, steps, steps.size() - 1);
    if (!parent)
        return false;
    if (parent->isObject())
        return parent->remove(steps.back());
    bool ok = false;
    const std::size_t index = steps.back().toULongLong(&ok);
    if (!parent->isArray() || !ok || index >= parent->size())
        return false;
    parent->items().erase(parent->items().begin() + qsizetype(index));
    return true;
}

bool sameListKey(const JsonValue &a, const JsonValue &b, const QByteArray &key)
{
    const JsonValue *left = a.find(key);
    const JsonValue *right = b.find(key);
    return left && right && *left == *right;
}

void sortByOrder(JsonValue &list, const JsonValue &order, const QByteArray &key)
{
    const auto rank = [&](const JsonValue &item) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (key.isEmpty() ? order.items()[i] == item : sameListKey(order.items()[i], item, key))
                return i;
        }
        return order.size();
    };
    std::stable_sort(list.items().begin(), list.items().end(),
                     [&](const JsonValue &a, const JsonValue &b) { return rank(a) < rank(b); });
}

QByteArray mergeKeyedList(JsonValue &target, const JsonValue &patch, const QByteArray &key,
                          const SchemaDefinition *element)
{
    for (const JsonValue &entry : patch.items()) {
        if (entry.textAt({directiveKey}) == "replace" && entry.size() == 1) {
            JsonValue fresh = JsonValue::array();
            for (const JsonValue &other : patch.items()) {
                if (!other.find(directiveKey))
                    fresh.append(other);
            }
            target = std::move(fresh);
            return {};
        }
    }
    for (const JsonValue &entry : patch.items()) {
        const auto match = std::find_if(target.items().begin(), target.items().end(),
                                        [&](const JsonValue &item) { return sameListKey(item, entry, key); });
        if (entry.textAt({directiveKey}) == "delete") {
            if (match != target.items().end())
                target.items().erase(match);
            continue;
        }
        JsonValue fresh = JsonValue::object();
        const bool isNew = match == target.items().end();
        const QByteArray wrong = applyStrategicPatch(isNew ? fresh : *match, entry, element);
        if (!wrong.isEmpty())
            return wrong;
        if (isNew)
            target.append(std::move(fresh));
    }
    return {};
}

void applyListDirective(JsonValue &target, const QByteArray &key, const JsonValue &value,
                        const SchemaDefinition *definition)
{
    const bool isOrder = key.startsWith(elementOrder);
    const QByteArray listName = key.mid(isOrder ? elementOrder.size() : deleteFromList.size());
    JsonValue *list = target.find(listName);
    if (!list || !list->isArray())
        return;
    if (isOrder) {
        const SchemaField *field = definition ? definition->field(listName) : nullptr;
        sortByOrder(*list, value, field ? field->patchKey : QByteArray());
        return;
    }
    std::erase_if(list->items(), [&](const JsonValue &item) {
        return std::find(value.items().begin(), value.items().end(), item) != value.items().end();
    });
}

} // namespace

QByteArray goFormat(const JsonValue &value)
{
    if (value.isObject()) {
        JsonValue sorted = value;
        sorted.sortKeys();
        QByteArray out = "map[";
        for (std::size_t i = 0; i < sorted.size(); ++i)
            out += (i > 0 ? " " : "") + sorted.keys()[i] + ':' + goFormat(sorted.items()[i]);
        return out + ']';
    }
    if (value.isArray()) {
        QByteArray out = "[";
        for (std::size_t i = 0; i < value.size(); ++i)
            out += (i > 0 ? " " : "") + goFormat(value.items()[i]);
        return out + ']';
    }
    if (value.isNull())
        return "<nil>";
    return value.isString() ? value.text() : value.toJson();
}

void applyMergePatch(JsonValue &target, const JsonValue &patch)
{
    if (!patch.isObject()) {
        target = patch;
        return;
    }
    if (!target.isObject())
        target = JsonValue::object();
    for (std::size_t i = 0; i < patch.size(); ++i) {
        const QByteArray &key = patch.keys()[i];
        if (patch.items()[i].isNull())
            target.remove(key);
        else
            applyMergePatch(target[key], patch.items()[i]);
    }
}

bool applyJsonPatch(JsonValue &target, const JsonValue &operations)
{
    for (const JsonValue &operation : operations.items()) {
        const QByteArray op = operation.textAt({"op"});
        std::vector<QByteArray> path;
        std::vector<QByteArray> from;
        if (!operation.isObject() || !pointerSteps(operation.textAt({"path"}), &path) ||
            !pointerSteps(operation.textAt({"from"}), &from))
            return false;
        const JsonValue *value = operation.find("value");
        bool done = false;
        if (op == "add") {
            done = value && addAt(target, path, *value);
        } else if (op == "remove") {
            done = removeAt(target, path);
        } else if (op == "replace") {
            JsonValue *present = walkPointer(target, path, path.size());
            const JsonValue *parent = path.empty() ? nullptr : walkPointer(target, path, path.size() - 1);
            done = value && (present || (parent && parent->isObject()));
            if (present && done)
                *present = *value;
            else if (done) // the server's library takes it as an addition
                addAt(target, path, *value);
        } else if (op == "test") {
            const JsonValue *present = walkPointer(target, path, path.size());
            done = value && (present ? *present == *value : value->isNull());
        } else if (op == "move" || op == "copy") {
            const JsonValue *source = walkPointer(target, from, from.size());
            if (source) {
                JsonValue moved = *source;
                done = (op == "copy" || removeAt(target, from)) && addAt(target, path, std::move(moved));
            }
        }
        if (!done)
            return false;
    }
    return true;
}

QByteArray applyStrategicPatch(JsonValue &target, const JsonValue &patch, const SchemaDefinition *definition)
{
    if (!patch.isObject()) {
        target = patch;
        return {};
    }
    const QByteArray directive = patch.textAt({directiveKey});
    if (directive == "delete") {
        target = JsonValue::object();
        return {};
    }
    if (!directive.isEmpty() && directive != "replace" && directive != "merge")
        return "unknown patch type: " + directive + " in map: " + goFormat(patch);
    if (!target.isObject() || directive == "replace")
        target = JsonValue::object();
    if (const JsonValue *retained = patch.find(retainKeys)) {
        for (const QByteArray &key : std::vector<QByteArray>(target.keys())) {
            if (std::none_of(retained->items().begin(), retained->items().end(),
                             [&](const JsonValue &item) { return item.text() == key; }))
                target.remove(key);
        }
    }
    for (std::size_t i = 0; i < patch.size(); ++i) {
        const QByteArray &key = patch.keys()[i];
        const JsonValue &value = patch.items()[i];
        if (key.startsWith('$'))
            continue;
        if (value.isNull()) {
            target.remove(key);
            continue;
        }
        const SchemaField *field = definition ? definition->field(key) : nullptr;
        const SchemaType *type = field ? &field->type : nullptr;
        if (value.isArray() && field && field->patchMerges) {
            JsonValue &list = target[key];
            if (!list.isArray())
                list = JsonValue::array();
            if (!field->patchKey.isEmpty()) {
                const QByteArray wrong = mergeKeyedList(list, value, field->patchKey,
                                                        type->element ? type->element->definition : nullptr);
                if (!wrong.isEmpty())
                    return wrong;
            } else {
                for (const JsonValue &item : value.items()) {
                    if (std::find(list.items().begin(), list.items().end(), item) == list.items().end())
                        list.append(item);
                }
            }
        } else if (value.isObject()) {
            const QByteArray wrong =
                applyStrategicPatch(target[key], value, type ? type->definition : nullptr);
            if (!wrong.isEmpty())
                return wrong;
        } else {
            target.set(key, value);
        }
    }
    for (std::size_t i = 0; i < patch.size(); ++i) {
        const QByteArray &key = patch.keys()[i];
        if (key.startsWith(elementOrder) || key.startsWith(deleteFromList))
            applyListDirective(target, key, patch.items()[i], definition);
    }
    return {};
}

} // namespace tongchi::simulator
