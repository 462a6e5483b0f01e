#include "platform/simulator/object_text.h"

#include "platform/simulator/json_value.h"

#include <QDateTime>
#include <cstring>

namespace tongchi::simulator {

namespace {

qsizetype skipString(QByteArrayView text, qsizetype at)
{
    for (++at; at < text.size();) {
        const void *quote = std::memchr(text.data() + at, '"', std::size_t(text.size() - at));
        if (!quote)
            return -1;
        const qsizetype end = static_cast<const char *>(quote) - text.data();
        qsizetype slashes = 0;
        while (end - 1 - slashes >= at && text[end - 1 - slashes] == '\\')
            ++slashes;
        if (slashes % 2 == 0)
            return end + 1;
        at = end + 1;
    }
    return -1;
}

qsizetype skipJsonSpace(QByteArrayView text, qsizetype at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
        ++at;
    return at;
}

/// Calls take(key, valueBegin, valueEnd) for each member until it returns false.
template <typename Take> void walkMembers(QByteArrayView object, Take take)
{
    qsizetype at = skipJsonSpace(object, 0);
    if (at >= object.size() || object[at] != '{')
        return;
    at = skipJsonSpace(object, at + 1);
    while (at < object.size() && object[at] == '"') {
        const qsizetype keyEnd = skipString(object, at);
        if (keyEnd < 0)
            return;
        const QByteArrayView key = object.sliced(at + 1, keyEnd - at - 2);
        at = skipJsonSpace(object, keyEnd);
        if (at >= object.size() || object[at] != ':')
            return;
        const qsizetype begin = skipJsonSpace(object, at + 1);
        const qsizetype end = skipJsonValue(object, begin);
        if (end < 0 || !take(key, begin, end))
            return;
        at = skipJsonSpace(object, end);
        if (at < object.size() && object[at] == ',')
            at = skipJsonSpace(object, at + 1);
        else
            return;
    }
}

/// Where a resourceVersion goes in metadata: behind uid, or behind the opening brace.
QByteArray insertVersion(QByteArrayView text, qsizetype metadataBegin, qint64 version)
{
    const QByteArrayView metadata = text.sliced(metadataBegin);
    qsizetype position = 1;
    bool first = true;
    walkMembers(metadata, [&](QByteArrayView key, qsizetype, qsizetype end) {
        first = false;
        if (key == QByteArrayView("name") || key == QByteArrayView("generateName") ||
            key == QByteArrayView("namespace") || key == QByteArrayView("uid")) {
            position = end;
            return key != QByteArrayView("uid");
        }
        return false;
    });
    QByteArray member = "\"resourceVersion\":\"" + QByteArray::number(version) + '"';
    if (position > 1)
        member.prepend(',');
    else if (!first)
        member.append(',');
    QByteArray out;
    out.reserve(text.size() + member.size());
    out.append(text.first(metadataBegin + position));
    out += member;
    out.append(text.sliced(metadataBegin + position));
    return out;
}

} // namespace

qsizetype skipJsonValue(QByteArrayView text, qsizetype at)
{
    if (at >= text.size())
        return -1;
    if (text[at] == '"')
        return skipString(text, at);
    if (text[at] != '{' && text[at] != '[') {
        while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' && text[at] != ' ' &&
               text[at] != '\n')
            ++at;
        return at;
    }
    int depth = 0;
    while (at < text.size()) {
        switch (text[at]) {
        case '{':
        case '[':
            ++depth;
            break;
        case '}':
        case ']':
            if (--depth == 0)
                return at + 1;
            break;
        case '"':
            at = skipString(text, at);
            if (at < 0)
                return -1;
            continue;
        default:
            break;
        }
        ++at;
    }
    return -1;
}

QByteArray storedText(const QByteArray &json, qint64 version)
{
    // The usual order of members needs no tree: kind and apiVersion, in either order, then metadata.
    qsizetype at = skipJsonSpace(json, 0);
    if (at < json.size() && json.at(at) == '{') {
        at = skipJsonSpace(json, at + 1);
        const QByteArrayView view(json);
        for (int i = 0; i < 2; ++i) {
            const QByteArrayView rest = view.sliced(at);
            if (!rest.startsWith("\"kind\":\"") && !rest.startsWith("\"apiVersion\":\""))
                break;
            at = skipString(view, at);     // the key
            at = skipString(view, at + 1); // the value
            if (at < 0 || at >= json.size() || json.at(at) != ',')
                return {};
            ++at;
        }
        if (view.sliced(at).startsWith("\"metadata\":{")) {
            QByteArray text;
            text.reserve(json.size() + 40);
            text += '{';
            text.append(view.sliced(at).trimmed());
            return insertVersion(text, qsizetype(sizeof "{\"metadata\":") - 1, version);
        }
    }
    JsonProblem problem;
    JsonValue object = JsonValue::parse(json, &problem);
    if (!problem.message.isEmpty() || !object.isObject())
        return {};
    return storedText(std::move(object), version);
}

QByteArray storedText(JsonValue object, qint64 version)
{
    static const char *const metadataOrder[] = {"name",
                                                "generateName",
                                                "namespace",
                                                "selfLink",
                                                "uid",
                                                "resourceVersion",
                                                "generation",
                                                "creationTimestamp",
                                                "deletionTimestamp",
                                                "deletionGracePeriodSeconds",
                                                "labels",
                                                "annotations",
                                                "ownerReferences",
                                                "finalizers",
                                                "managedFields"};
    object.remove("kind");
    object.remove("apiVersion");
    JsonValue metadata = object.find("metadata") ? std::move(*object.find("metadata")) : JsonValue::object();
    object.remove("metadata");
    if (!metadata.isObject())
        return {};
    metadata.set("resourceVersion", JsonValue::string(QByteArray::number(version)));
    for (const char *map : {"labels", "annotations"}) {
        if (JsonValue *found = metadata.find(map))
            found->sortKeys();
    }
    QByteArray text = "{\"metadata\":{";
    bool first = true;
    const auto writeMember = [&](QByteArrayView key, const JsonValue &value) {
        if (!first)
            text += ',';
        first = false;
        writeJsonString(text, key);
        text += ':';
        value.write(text);
    };
    for (const char *key : metadataOrder) {
        const JsonValue *value = metadata.find(key);
        const bool emptyPart =
            value && (value->isNull() || ((value->isObject() || value->isArray()) && value->size() == 0));
        if (value && !emptyPart)
            writeMember(key, *value);
    }
    text += '}';
    first = false;
    for (const char *key : {"spec", "status"}) {
        if (const JsonValue *value = object.find(key))
            writeMember(key, *value);
    }
    for (std::size_t i = 0; i < object.size(); ++i) {
        const QByteArray &key = object.keys()[i];
        if (key != "spec" && key != "status")
            writeMember(key, object.items()[i]);
    }
    text += '}';
    return text;
}

QByteArray withVersion(const QByteArray &text, qint64 version)
{
    const QByteArrayView metadata = rawMember(text, "metadata");
    const QByteArrayView old = rawMember(metadata, "resourceVersion");
    if (old.isEmpty())
        return text;
    const qsizetype at = old.data() - text.constData();
    QByteArray out;
    out.reserve(text.size() + 8);
    out.append(text.constData(), at);
    out += '"' + QByteArray::number(version) + '"';
    out.append(text.constData() + at + old.size(), text.size() - at - old.size());
    return out;
}

QByteArray completeText(QByteArrayView text, const char *kind, const QByteArray &apiVersion)
{
    QByteArray out;
    out.reserve(text.size() + 64);
    out += "{\"kind\":\"";
    out += kind;
    out += "\",\"apiVersion\":\"" + apiVersion + "\",";
    out.append(text.sliced(1));
    return out;
}

QByteArrayView rawMember(QByteArrayView object, QByteArrayView key)
{
    QByteArrayView found;
    walkMembers(object, [&](QByteArrayView name, qsizetype begin, qsizetype end) {
        if (name != key)
            return true;
        found = object.sliced(begin, end - begin);
        return false;
    });
    return found;
}

QByteArrayView rawMember(QByteArrayView object, std::initializer_list<QByteArrayView> path)
{
    for (QByteArrayView step : path) {
        object = rawMember(object, step);
        if (object.isEmpty())
            return {};
    }
    return object;
}

QByteArray rawString(QByteArrayView value)
{
    if (value.size() < 2 || value[0] != '"')
        return {};
    if (!value.contains('\\'))
        return value.sliced(1, value.size() - 2).toByteArray();
    return JsonValue::parse(value, nullptr).text();
}

QByteArray rfc3339(qint64 millisecondsSinceEpoch)
{
    return QDateTime::fromMSecsSinceEpoch(millisecondsSinceEpoch, Qt::UTC)
        .toString(QStringLiteral("yyyy-MM-dd'T'HH:mm:ss'Z'"))
        .toLatin1();
}

} // namespace tongchi::simulator
