#include "platform/simulator/object_validation.h"

#include "platform/simulator/object_schema.h"
#include "platform/simulator/resource_types.h"

namespace tongchi::simulator {

namespace {

class ObjectDecoder
{
public:
    explicit ObjectDecoder(DecodeFindings *findings) : m_findings(findings) {}

    void decodeStruct(JsonValue &value, const SchemaDefinition &definition, const QByteArray &path,
                      const QByteArray &goField)
    {
        if (!value.isObject()) {
            wrongType(value, goField, definition.goName());
            return;
        }
        for (const QByteArray &key : std::vector<QByteArray>(value.keys())) {
            const SchemaField *field = definition.field(key);
            if (!field) {
                m_findings->unknownFields.push_back(path + key);
                value.remove(key);
                continue;
            }
            JsonValue *member = value.find(key);
            if (member->isNull()) {
                value.remove(key);
                continue;
            }
            decode(*member, field->type, path + key, definition.goName() + '.' + path + key);
        }
    }

private:
    void wrongType(const JsonValue &value, const QByteArray &goField, const QByteArray &goType)
    {
        if (!m_findings->typeProblem.isEmpty())
            return;
        QByteArray found;
        switch (value.type()) {
        case JsonValue::Type::Bool:
            found = "bool";
            break;
        case JsonValue::Type::Number:
            found = "number";
            break;
        case JsonValue::Type::String:
            found = "string";
            break;
        case JsonValue::Type::Array:
            found = "array";
            break;
        default:
            found = "object";
            break;
        }
        m_findings->typeProblem =
            "json: cannot unmarshal " + found + " into Go struct field " + goField + " of type " + goType;
    }

    static QByteArray goType(const SchemaType &type)
    {
        switch (type.kind) {
        case SchemaType::Kind::Integer:
            return "int32";
        case SchemaType::Kind::Number:
            return "float64";
        case SchemaType::Kind::Boolean:
            return "bool";
        case SchemaType::Kind::Map:
            return "map[string]" + (type.element ? goType(*type.element) : QByteArray("string"));
        case SchemaType::Kind::List:
            return "[]" + (type.element ? goType(*type.element) : QByteArray("string"));
        case SchemaType::Kind::Struct:
            return type.definition ? "v1." + type.definition->goName() : QByteArray("struct");
        default:
            return "string";
        }
    }

    void decode(JsonValue &value, const SchemaType &type, const QByteArray &path, const QByteArray &goField)
    {
        using Kind = SchemaType::Kind;
        using Json = JsonValue::Type;
        switch (type.kind) {
        case Kind::Anything:
            return;
        case Kind::Quantity:
        case Kind::IntOrString:
            if (value.type() != Json::String && value.type() != Json::Number)
                wrongType(value, goField, "string");
            return;
        case Kind::String:
        case Kind::Bytes:
        case Kind::Time:
        case Kind::MicroTime:
            if (!value.isString())
                wrongType(value, goField, "string");
            return;
        case Kind::Integer:
        case Kind::Number:
            if (value.type() != Json::Number)
                wrongType(value, goField, goType(type));
            return;
        case Kind::Boolean:
            if (value.type() != Json::Bool)
                wrongType(value, goField, "bool");
            return;
        case Kind::List:
            if (!value.isArray()) {
                wrongType(value, goField, goType(type));
                return;
            }
            for (std::size_t i = 0; i < value.size(); ++i)
                decode(value.items()[i], *type.element, path + '[' + QByteArray::number(qsizetype(i)) + ']',
                       goField);
            return;
        case Kind::Map:
            if (!value.isObject()) {
                wrongType(value, goField, goType(type));
                return;
            }
            for (std::size_t i = 0; i < value.size(); ++i)
                decode(value.items()[i], *type.element, path + '.' + value.keys()[i], goField);
            return;
        case Kind::Struct:
            if (type.definition)
                decodeStruct(value, *type.definition, path + '.', goField);
            return;
        }
    }

    DecodeFindings *m_findings;
};

bool isAlphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isLabelText(const QByteArray &text)
{
    for (char c : text) {
        if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return isAlphanumeric(text.front()) && isAlphanumeric(text.back());
}

bool isSubdomain(const QByteArray &text)
{
    if (text.isEmpty())
        return false;
    for (const QByteArray &part : text.split('.')) {
        if (part.isEmpty() || part.front() == '-' || part.back() == '-')
            return false;
        for (char c : part) {
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
                return false;
        }
    }
    return true;
}

constexpr const char *subdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end "
    "with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr const char *labelValueRule = "a valid label must be an empty string or consist of alphanumeric "
                                       "characters, '-', '_' or '.', and must start and end "
                                       "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
                                       "'12345', regex used for validation is "
                                       "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr const char *namePartRule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// What is wrong with a qualified name (the key of a label or annotation); empty: nothing.
QByteArray qualifiedNameProblem(const QByteArray &key)
{
    const qsizetype slash = key.indexOf('/');
    const QByteArray name = key.mid(slash + 1);
    if (slash >= 0) {
        const QByteArray prefix = key.left(slash);
        if (prefix.isEmpty())
            return "prefix part must be non-empty";
        if (prefix.size() > 253)
            return "prefix part must be no more than 253 bytes";
        if (!isSubdomain(prefix))
            return QByteArray("prefix part ") + subdomainRule;
    }
    if (name.isEmpty())
        return "name part must be non-empty";
    if (name.size() > 63)
        return "name part must be no more than 63 bytes";
    return isLabelText(name) ? QByteArray() : QByteArray(namePartRule);
}

} // namespace

DecodeFindings decodeObject(JsonValue &object, const ResourceType &type)
{
    DecodeFindings findings;
    if (const SchemaDefinition *definition = ObjectSchema::instance().find(type.schema))
        ObjectDecoder(&findings).decodeStruct(object, *definition, {}, type.kind);
    return findings;
}

QByteArray strictProblems(const std::vector<QByteArray> &unknown, const std::vector<QByteArray> &duplicates,
                          const char *separator)
{
    QByteArray out;
    const auto add = [&](const char *what, const std::vector<QByteArray> &paths) {
        for (const QByteArray &path : paths)
            out += (out.isEmpty() ? QByteArray() : QByteArray(separator)) + what + " field " + quoted(path);
    };
    add("duplicate", duplicates);
    add("unknown", unknown);
    return out;
}

std::vector<FieldCause> metadataCauses(const JsonValue &object, const ResourceType &type, int times)
{
    std::vector<FieldCause> causes;
    const JsonValue *metadata = object.find("metadata");
    const QByteArray name = object.textAt({"metadata", "name"});
    if (name.isEmpty())
        causes.push_back(
            {"FieldValueRequired", "Required value: name or generateName is required", "metadata.name"});
    else if (name.size() > 253)
        causes.push_back({"FieldValueInvalid",
                          "Invalid value: " + quoted(name) + ": must be no more than 253 bytes",
                          "metadata.name"});
    else if (!isSubdomain(name))
        causes.push_back(
            {"FieldValueInvalid", "Invalid value: " + quoted(name) + ": " + subdomainRule, "metadata.name"});
    if (!metadata)
        return causes;
    std::vector<FieldCause> found;
    if (const JsonValue *labels = metadata->find("labels")) {
        for (std::size_t i = 0; i < labels->size(); ++i) {
            const QByteArray &key = labels->keys()[i];
            const QByteArray &value = labels->items()[i].text();
            const QByteArray problem = qualifiedNameProblem(key);
            if (!problem.isEmpty())
                found.push_back({"FieldValueInvalid", "Invalid value: " + quoted(key) + ": " + problem,
                                 "metadata.labels"});
            if (value.size() > 63)
                found.push_back({"FieldValueInvalid",
                                 "Invalid value: " + quoted(value) + ": must be no more than 63 bytes",
                                 "metadata.labels"});
            else if (!value.isEmpty() && !isLabelText(value))
                found.push_back({"FieldValueInvalid",
                                 "Invalid value: " + quoted(value) + ": " + labelValueRule,
                                 "metadata.labels"});
        }
    }
    if (const JsonValue *annotations = metadata->find("annotations")) {
        qsizetype total = 0;
        for (std::size_t i = 0; i < annotations->size(); ++i) {
            const QByteArray &key = annotations->keys()[i];
            total += key.size() + annotations->items()[i].text().size();
            const QByteArray problem = qualifiedNameProblem(key.toLower());
            if (!problem.isEmpty())
                found.push_back({"FieldValueInvalid", "Invalid value: " + quoted(key) + ": " + problem,
                                 "metadata.annotations"});
        }
        if (total > 256 * 1024)
            found.push_back(
                {"FieldValueTooLong", "Too long: may not be more than 262144 bytes", "metadata.annotations"});
    }
    Q_UNUSED(type)
    for (int i = 0; i < times; ++i)
        causes.insert(causes.end(), found.begin(), found.end());
    return causes;
}

} // namespace tongchi::simulator
