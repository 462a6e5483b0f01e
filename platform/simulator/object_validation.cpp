#include "platform/simulator/object_validation.h"

#include "platform/simulator/name_rules.h"
#include "platform/simulator/object_schema.h"
#include "platform/simulator/quantity_text.h"
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
        m_findings->typeProblem = "json: cannot unmarshal " + QByteArray(jsonTypeName(value)) +
                                  " into Go struct field " + goField + " of type " + goType;
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

    void problem(const QByteArray &text)
    {
        if (m_findings->typeProblem.isEmpty())
            m_findings->typeProblem = text;
    }

    void decodeQuantity(JsonValue &value, const QByteArray &goField)
    {
        if (!value.isString() && value.type() != JsonValue::Type::Number) {
            wrongType(value, goField, "string");
            return;
        }
        const QByteArray text = value.text().trimmed();
        const QByteArray wrong = quantityProblem(text);
        if (!wrong.isEmpty())
            problem(wrong);
        else
            value = JsonValue::string(canonicalQuantity(text));
    }

    void decodeBytes(const JsonValue &value, const QByteArray &goField)
    {
        if (!value.isString()) {
            wrongType(value, goField, "string");
            return;
        }
        qsizetype good = 0;
        while (good < value.text().size() && isBase64(value.text().at(good)))
            ++good;
        if (good < value.text().size() || good % 4 != 0)
            problem("illegal base64 data at input byte " + QByteArray::number(good));
    }

    static bool isBase64(char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
               c == '/' || c == '=';
    }

    void decode(JsonValue &value, const SchemaType &type, const QByteArray &path, const QByteArray &goField)
    {
        using Kind = SchemaType::Kind;
        using Json = JsonValue::Type;
        switch (type.kind) {
        case Kind::Anything:
            return;
        case Kind::Quantity:
            decodeQuantity(value, goField);
            return;
        case Kind::IntOrString:
            if (value.type() != Json::String && value.type() != Json::Number)
                wrongType(value, goField, "string");
            return;
        case Kind::Bytes:
            decodeBytes(value, goField);
            return;
        case Kind::String:
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
    const auto add = [](std::vector<FieldCause> &to, const QByteArray &value, const char *field,
                        const std::vector<QByteArray> &problems) {
        for (const QByteArray &problem : problems)
            to.push_back({"FieldValueInvalid", "Invalid value: " + quoted(value) + ": " + problem, field});
    };
    if (name.isEmpty())
        causes.push_back(
            {"FieldValueRequired", "Required value: name or generateName is required", "metadata.name"});
    else
        add(causes, name, "metadata.name",
            QByteArrayView(type.kind) == QByteArrayView("Namespace") ? dnsLabelProblems(name)
                                                                     : subdomainProblems(name));
    if (!metadata)
        return causes;
    std::vector<FieldCause> found;
    if (const JsonValue *labels = metadata->find("labels")) {
        for (std::size_t i = 0; i < labels->size(); ++i) {
            add(found, labels->keys()[i], "metadata.labels", qualifiedNameProblems(labels->keys()[i]));
            const QByteArray &value = labels->items()[i].text();
            add(found, value, "metadata.labels", labelValueProblems(value));
        }
    }
    if (const JsonValue *annotations = metadata->find("annotations")) {
        qsizetype total = 0;
        for (std::size_t i = 0; i < annotations->size(); ++i) {
            const QByteArray &key = annotations->keys()[i];
            total += key.size() + annotations->items()[i].text().size();
            add(found, key, "metadata.annotations", qualifiedNameProblems(key.toLower()));
        }
        if (total > 256 * 1024)
            found.push_back(
                {"FieldValueTooLong", "Too long: may not be more than 262144 bytes", "metadata.annotations"});
    }
    for (int i = 0; i < times; ++i)
        causes.insert(causes.end(), found.begin(), found.end());
    return causes;
}

} // namespace tongchi::simulator
