#include "platform/simulator/openapi_documents.h"

#include "platform/simulator/object_schema.h"
#include "platform/simulator/resource_types.h"

#include <QCryptographicHash>
#include <QHash>
#include <QMutex>
#include <set>

namespace tongchi::simulator {

namespace {

QByteArray parameterJson(const char *name, const char *type)
{
    return "{\"name\":\"" + QByteArray(name) + "\",\"in\":\"query\",\"schema\":{\"type\":\"" + type +
           "\",\"uniqueItems\":true}}";
}

QByteArray writeParameters()
{
    return parameterJson("dryRun", "string") + ',' + parameterJson("fieldManager", "string") + ',' +
           parameterJson("fieldValidation", "string");
}

QByteArray listParameters()
{
    QByteArrayList out;
    for (const char *name :
         {"continue", "fieldSelector", "labelSelector", "resourceVersion", "resourceVersionMatch"})
        out.append(parameterJson(name, "string"));
    for (const char *name : {"allowWatchBookmarks", "sendInitialEvents", "watch"})
        out.append(parameterJson(name, "boolean"));
    for (const char *name : {"limit", "timeoutSeconds"})
        out.append(parameterJson(name, "integer"));
    return out.join(',');
}

QByteArray kindJson(const ResourceType &type)
{
    return "{\"group\":\"" + QByteArray(type.group) + "\",\"version\":\"" + type.version + "\",\"kind\":\"" +
           type.kind + "\"}";
}

QByteArray operation(const ResourceType &type, const char *action, const QByteArray &parameters,
                     const QByteArray &schema, const char *bodyTypes)
{
    const QByteArray reference = "{\"$ref\":\"#/components/schemas/" + schema + "\"}";
    const QByteArray given =
        parameters.isEmpty() ? QByteArray() : QByteArray("\"parameters\":[" + parameters + "],");
    QByteArray out = '{' + given +
                     "\"responses\":{\"200\":{\"description\":\"OK\",\"content\":"
                     "{\"application/json\":{\"schema\":" +
                     reference + "}}}},\"x-kubernetes-action\":\"" + action +
                     "\",\"x-kubernetes-group-version-kind\":" + kindJson(type);
    if (*bodyTypes) {
        QByteArrayList content;
        for (const QByteArray &media : splitList(bodyTypes))
            content.append('"' + media + "\":{\"schema\":" +
                           (media == "*/*" ? reference
                                           : QByteArray("{\"$ref\":\"#/components/schemas/"
                                                        "io.k8s.apimachinery.pkg.apis.meta.v1.Patch\"}")) +
                           '}');
        out += ",\"requestBody\":{\"required\":true,\"content\":{" + content.join(',') + "}}";
    }
    return out + '}';
}

QByteArray pathsOf(const ResourceType &type, const QByteArray &root, const QByteArray &schema)
{
    constexpr const char *patchTypes =
        "application/apply-patch+yaml,application/json-patch+json,application/merge-patch+json,"
        "application/strategic-merge-patch+json";
    const QByteArray base = '/' + root + (type.namespaced ? "/namespaces/{namespace}/" : "/") + type.plural;
    const QByteArray pathParameter =
        ",\"parameters\":[{\"name\":\"%1\",\"in\":\"path\",\"required\":true,\"schema\":"
        "{\"type\":\"string\",\"uniqueItems\":true}}]";
    const QByteArray ofNamespace =
        type.namespaced ? QByteArray(pathParameter).replace("%1", "namespace") : QByteArray();
    QByteArray out = '"' + base + "\":{\"get\":" + operation(type, "list", listParameters(), schema, "") +
                     ",\"post\":" + operation(type, "post", writeParameters(), schema, "*/*") + ofNamespace +
                     "},";
    out += '"' + base + "/{name}\":{\"get\":" + operation(type, "get", {}, schema, "") +
           ",\"put\":" + operation(type, "put", writeParameters(), schema, "*/*") + ",\"patch\":" +
           operation(type, "patch", writeParameters() + ',' + parameterJson("force", "boolean"), schema,
                     patchTypes) +
           ",\"delete\":" + operation(type, "delete", parameterJson("dryRun", "string"), schema, "") +
           QByteArray(pathParameter).replace("%1", "name") + '}';
    return out;
}

/// Types of the API machinery that stand under a name of their own, below io.k8s.apimachinery.pkg.
constexpr std::pair<const char *, const char *> sharedTypes[] = {
    {"api.resource.Quantity", "\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]"},
    {"apis.meta.v1.FieldsV1", "\"type\":\"object\""},
    {"apis.meta.v1.MicroTime", "\"type\":\"string\",\"format\":\"date-time\""},
    {"apis.meta.v1.Patch", "\"type\":\"object\""},
    {"apis.meta.v1.Time", "\"type\":\"string\",\"format\":\"date-time\""},
    {"runtime.RawExtension", "\"type\":\"object\""},
    {"util.intstr.IntOrString",
     "\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}],\"format\":\"int-or-string\""},
};

/// `bare`: in a list or map the reference stands alone, in a property inside "allOf".
QByteArray sharedReference(const char *name, bool bare)
{
    const QByteArray reference =
        "\"$ref\":\"#/components/schemas/io.k8s.apimachinery.pkg." + QByteArray(name) + '"';
    return bare ? reference : QByteArray("\"allOf\":[{" + reference + "}]");
}

QByteArray typeJson(const SchemaType &type, std::set<const SchemaDefinition *> &needed, bool bare = false)
{
    using Kind = SchemaType::Kind;
    switch (type.kind) {
    case Kind::String:
        return "\"type\":\"string\"";
    case Kind::Bytes:
        return "\"type\":\"string\",\"format\":\"byte\"";
    case Kind::Time:
        return sharedReference("apis.meta.v1.Time", bare);
    case Kind::MicroTime:
        return sharedReference("apis.meta.v1.MicroTime", bare);
    case Kind::Integer:
        return "\"type\":\"integer\"";
    case Kind::Number:
        return "\"type\":\"number\"";
    case Kind::Boolean:
        return "\"type\":\"boolean\"";
    case Kind::Quantity:
        return sharedReference("api.resource.Quantity", bare);
    case Kind::IntOrString:
        return sharedReference("util.intstr.IntOrString", bare);
    case Kind::Anything:
        return sharedReference("runtime.RawExtension", bare);
    case Kind::Map:
        return "\"type\":\"object\",\"additionalProperties\":{" + typeJson(*type.element, needed, true) + '}';
    case Kind::List:
        return "\"type\":\"array\",\"items\":{" + typeJson(*type.element, needed, true) + '}';
    case Kind::Struct:
        break;
    }
    if (!type.definition)
        return "\"type\":\"object\"";
    needed.insert(type.definition);
    return "\"allOf\":[{\"$ref\":\"#/components/schemas/" + type.definition->fullName() + "\"}]";
}

QByteArray definitionJson(const SchemaDefinition &definition, const QByteArray &kinds,
                          std::set<const SchemaDefinition *> &needed)
{
    QByteArrayList properties;
    QByteArrayList required;
    for (const SchemaField &field : definition.fields) {
        QByteArray property = '"' + field.name + "\":{" +
                              (field.name == "fieldsV1" ? sharedReference("apis.meta.v1.FieldsV1", false)
                                                        : typeJson(field.type, needed));
        if (field.isSet)
            property += ",\"x-kubernetes-list-type\":\"set\"";
        if (!field.listKeys.empty()) {
            QByteArrayList keys;
            for (const QByteArray &key : field.listKeys)
                keys.append('"' + key + '"');
            property +=
                ",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[" + keys.join(',') + ']';
        } else if (field.type.kind == SchemaType::Kind::List && !field.isSet) {
            property += ",\"x-kubernetes-list-type\":\"atomic\"";
        }
        if (field.patchMerges) {
            property += ",\"x-kubernetes-patch-strategy\":\"merge\"";
            if (!field.patchKey.isEmpty())
                property += ",\"x-kubernetes-patch-merge-key\":\"" + field.patchKey + '"';
        }
        properties.append(property + '}');
        if (field.required)
            required.append('"' + field.name + '"');
    }
    QByteArray out = '"' + definition.fullName() + "\":{\"type\":\"object\"";
    if (!properties.isEmpty())
        out += ",\"properties\":{" + properties.join(',') + '}';
    if (!required.isEmpty())
        out += ",\"required\":[" + required.join(',') + ']';
    if (definition.isAtomic)
        out += ",\"x-kubernetes-map-type\":\"atomic\"";
    if (!kinds.isEmpty())
        out += ",\"x-kubernetes-group-version-kind\":[" + kinds + ']';
    return out + '}';
}

QByteArray makeDocument(const QByteArray &root)
{
    QByteArrayList paths;
    std::set<const SchemaDefinition *> needed;
    QHash<const SchemaDefinition *, QByteArray> kinds;
    for (const ResourceType &type : resourceTypes()) {
        const QByteArray own = QByteArray(*type.group ? "apis/" : "api/") + type.apiVersion();
        const SchemaDefinition *definition = ObjectSchema::instance().find(type.schema);
        if (own != root || !definition)
            continue;
        paths.append(pathsOf(type, root, definition->fullName()));
        needed.insert(definition);
        kinds.insert(definition, kindJson(type));
    }
    if (paths.isEmpty())
        return {};
    std::set<const SchemaDefinition *> done;
    QByteArrayList schemas;
    while (done.size() < needed.size()) {
        for (const SchemaDefinition *definition : std::set<const SchemaDefinition *>(needed)) {
            if (done.insert(definition).second)
                schemas.append(definitionJson(*definition, kinds.value(definition), needed));
        }
    }
    const QByteArray body = paths.join(',') + "},\"components\":{\"schemas\":{" + schemas.join(',');
    QByteArray shared;
    for (const auto &[name, content] : sharedTypes) {
        const QByteArray full = QByteArray("io.k8s.apimachinery.pkg.") + name;
        if (body.contains(QByteArray("schemas/" + full + '"')))
            shared += ",\"" + full + "\":{" + content + '}';
    }
    return "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"Kubernetes\",\"version\":\"v1.36.3\"},\"paths\":{" +
           body + shared + "}}}\n";
}

} // namespace

QByteArray openApiHash(const QByteArray &root)
{
    // The document is a function of the pool's version alone, so its name can be hashed instead of it.
    return QCryptographicHash::hash(QByteArray("v1.36.3 2 " + root), QCryptographicHash::Sha512)
        .toHex()
        .toUpper();
}

QByteArray openApiIndex()
{
    QByteArrayList roots;
    for (const ResourceType &type : resourceTypes()) {
        const QByteArray root = QByteArray(*type.group ? "apis/" : "api/") + type.apiVersion();
        if (!roots.contains(root))
            roots.append(root);
    }
    QByteArrayList paths;
    for (const QByteArray &root : roots) {
        paths.append('"' + root + "\":{\"serverRelativeURL\":\"/openapi/v3/" + root +
                     "?hash=" + openApiHash(root) + "\"}");
    }
    return "{\"paths\":{" + paths.join(',') + "}}\n";
}

QByteArray openApiDocument(const QByteArray &root)
{
    static QMutex mutex;
    static QHash<QByteArray, QByteArray> documents;
    const QMutexLocker lock(&mutex);
    const auto found = documents.constFind(root);
    if (found != documents.constEnd())
        return *found;
    const QByteArray document = makeDocument(root);
    if (!document.isEmpty())
        documents.insert(root, document);
    return document;
}

} // namespace tongchi::simulator
