#include "platform/simulator/request_body.h"

#include "platform/simulator/object_schema.h"
#include "platform/simulator/object_text.h"
#include "platform/simulator/resource_types.h"
#include "platform/simulator/yaml_body.h"

#include <optional>

namespace tongchi::simulator {

namespace {

/// One field of a message.
struct ProtoField
{
    int number = 0;
    quint64 value = 0;    ///< varint or fixed
    QByteArrayView bytes; ///< length-delimited
};

/// Cuts a message into fields; ends early where the bytes make no sense.
class ProtoReader
{
public:
    explicit ProtoReader(QByteArrayView bytes) : m_rest(bytes) {}

    std::optional<ProtoField> next()
    {
        const std::optional<quint64> key = varint();
        if (!key)
            return std::nullopt;
        ProtoField field;
        field.number = int(*key >> 3);
        switch (*key & 7) {
        case 0: {
            const std::optional<quint64> value = varint();
            if (!value)
                return std::nullopt;
            field.value = *value;
            return field;
        }
        case 1:
        case 5: {
            const qsizetype size = (*key & 7) == 1 ? 8 : 4;
            if (m_rest.size() < size)
                return std::nullopt;
            for (qsizetype i = size; i-- > 0;)
                field.value = field.value << 8 | quint8(m_rest[i]);
            m_rest = m_rest.sliced(size);
            return field;
        }
        case 2: {
            const std::optional<quint64> size = varint();
            if (!size || *size > quint64(m_rest.size()))
                return std::nullopt;
            field.bytes = m_rest.first(qsizetype(*size));
            m_rest = m_rest.sliced(qsizetype(*size));
            return field;
        }
        default:
            return std::nullopt;
        }
    }

private:
    std::optional<quint64> varint()
    {
        quint64 value = 0;
        for (int shift = 0; shift < 64 && !m_rest.isEmpty(); shift += 7) {
            const auto byte = quint8(m_rest.front());
            m_rest = m_rest.sliced(1);
            value |= quint64(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
        return std::nullopt;
    }

    QByteArrayView m_rest;
};

QByteArray firstBytes(QByteArrayView message, int number)
{
    ProtoReader reader(message);
    while (const std::optional<ProtoField> field = reader.next()) {
        if (field->number == number)
            return field->bytes.toByteArray();
    }
    return {};
}

JsonValue decodeMessage(QByteArrayView message, const SchemaDefinition &definition, int depth);

JsonValue decodeProtoValue(const ProtoField &field, const SchemaType &type, int depth)
{
    using Kind = SchemaType::Kind;
    switch (type.kind) {
    case Kind::String:
        return JsonValue::string(field.bytes.toByteArray());
    case Kind::Bytes:
        return JsonValue::string(field.bytes.toByteArray().toBase64());
    case Kind::Integer:
    case Kind::Number:
        return JsonValue::number(qint64(field.value));
    case Kind::Boolean:
        return JsonValue::boolean(field.value != 0);
    case Kind::Quantity:
        return JsonValue::string(firstBytes(field.bytes, 1));
    case Kind::Time:
    case Kind::MicroTime: {
        ProtoReader reader(field.bytes);
        while (const std::optional<ProtoField> part = reader.next()) {
            if (part->number == 1 && part->value > 0 && part->value < 253402300800ULL) // to the year 9999
                return JsonValue::string(rfc3339(qint64(part->value) * 1000));
        }
        return {};
    }
    case Kind::IntOrString: {
        quint64 isText = 0;
        quint64 number = 0;
        ProtoReader reader(field.bytes);
        while (const std::optional<ProtoField> part = reader.next()) {
            isText = part->number == 1 ? part->value : isText;
            number = part->number == 2 ? part->value : number;
        }
        return isText ? JsonValue::string(firstBytes(field.bytes, 3)) : JsonValue::number(qint64(number));
    }
    case Kind::Anything:
        return JsonValue::parse(firstBytes(field.bytes, 1), nullptr);
    case Kind::Struct:
        return type.definition ? decodeMessage(field.bytes, *type.definition, depth + 1) : JsonValue();
    case Kind::Map:
    case Kind::List:
        break;
    }
    return {};
}

/// Go writes fields that were never set as zero; as JSON they are left out.
bool isUnset(const JsonValue &value, const QByteArray &name)
{
    switch (value.type()) {
    case JsonValue::Type::Null:
        return true;
    case JsonValue::Type::Bool:
        return !value.toBool();
    case JsonValue::Type::Number:
        return value.text() == "0" && name != "replicas" && name != "gracePeriodSeconds";
    case JsonValue::Type::String:
        return value.text().isEmpty();
    default:
        return value.size() == 0;
    }
}

JsonValue decodeMessage(QByteArrayView message, const SchemaDefinition &definition, int depth)
{
    JsonValue object = JsonValue::object();
    if (depth > 64)
        return object;
    ProtoReader reader(message);
    while (const std::optional<ProtoField> part = reader.next()) {
        const SchemaField *known = nullptr;
        for (const SchemaField &field : definition.fields) {
            if (field.number == part->number)
                known = &field;
        }
        if (!known)
            continue;
        if (known->type.kind == SchemaType::Kind::List) {
            JsonValue &list = object[known->name];
            if (!list.isArray())
                list = JsonValue::array();
            list.append(decodeProtoValue(*part, *known->type.element, depth));
        } else if (known->type.kind == SchemaType::Kind::Map) {
            ProtoReader entry(part->bytes);
            QByteArray key;
            JsonValue value = JsonValue::string({});
            while (const std::optional<ProtoField> half = entry.next()) {
                if (half->number == 1)
                    key = half->bytes.toByteArray();
                else if (half->number == 2)
                    value = decodeProtoValue(*half, *known->type.element, depth);
            }
            object[known->name].set(key, std::move(value));
        } else {
            JsonValue value = decodeProtoValue(*part, known->type, depth);
            if (!isUnset(value, known->name))
                object.set(known->name, std::move(value));
        }
    }
    return object;
}

JsonValue decodeProtobuf(const QByteArray &body, JsonProblem *problem)
{
    // runtime.Unknown: 1 is the type (1 apiVersion, 2 kind), 2 the object itself.
    const QByteArrayView envelope = QByteArrayView(body).sliced(4);
    const QByteArray type = firstBytes(envelope, 1);
    const QByteArray apiVersion = firstBytes(type, 1);
    const QByteArray kind = firstBytes(type, 2);
    const ResourceType *resource = findResourceKind(apiVersion, kind);
    const SchemaDefinition *definition =
        ObjectSchema::instance().find(resource ? QByteArray(resource->schema) : kind);
    if (!definition) {
        problem->message = "no kind \"" + kind + "\" is registered for version \"" + apiVersion + '"';
        return {};
    }
    JsonValue object = decodeMessage(firstBytes(envelope, 2), *definition, 0);
    object.set("apiVersion", JsonValue::string(apiVersion));
    object.set("kind", JsonValue::string(kind));
    return object;
}

} // namespace

ApiError unrecognizedBody(const char *kind, const QByteArray &problem, const QByteArray &body)
{
    constexpr qsizetype most = 1024;
    QByteArray shown = body.isEmpty() ? QByteArray("<empty>") : body.startsWith('{') ? body : body.toHex();
    if (body.size() > most)
        shown = (body.startsWith('{') ? body.left(most) : body.left(most).toHex()) + " ...";
    const QByteArray which = problem.startsWith("yaml:")
                                 ? QByteArray()
                                 : QByteArray("couldn't get version/kind; json parse error: ");
    return badRequest("the object provided is unrecognized (must be of type " + QByteArray(kind) +
                      "): " + which + problem + " (" + shown + ')');
}

std::optional<ApiError> foreignKind(const JsonValue &object, const QByteArray &group,
                                    const QByteArray &version, const char *kind)
{
    const QByteArray given = object.textAt({"kind"});
    const QByteArray own = group.isEmpty() ? version : group + '/' + version;
    const QByteArray apiVersion = object.textAt({"apiVersion"});
    if (!given.isEmpty() && given != kind) {
        const QByteArray itsVersion = apiVersion.isEmpty() ? own : apiVersion;
        const QByteArray bare = itsVersion.mid(itsVersion.indexOf('/') + 1);
        const QByteArray prefix =
            given + " in version " + quoted(bare) + " cannot be handled as a " + QByteArray(kind) + ": ";
        if (!findResourceKind(itsVersion, given))
            return badRequest(prefix + "no kind " + quoted(given) + " is registered for version " +
                              quoted(itsVersion) + " in scheme \"pkg/runtime/scheme.go:111\"");
        const QByteArray inside = group.isEmpty() ? QByteArray("core") : group.left(group.indexOf('.'));
        return badRequest(prefix + "converting (" + bare + '.' + given + ") to (" + inside + '.' + kind +
                          "): unknown conversion");
    }
    if (!apiVersion.isEmpty() && apiVersion != own)
        return badRequest("the API version in the data (" + apiVersion +
                          ") does not match the expected API version (" + own + ')');
    return std::nullopt;
}

JsonValue readRequestBody(const QByteArray &body, const QByteArray &mediaType, JsonProblem *problem)
{
    if (mediaType == protobufMediaType) {
        if (body.startsWith(QByteArrayView("k8s\0", 4)))
            return decodeProtobuf(body, problem);
        problem->message =
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
        return {};
    }
    if (mediaType == "application/yaml")
        return readYamlBody(body, &problem->message);
    JsonValue value = JsonValue::parse(body, problem);
    if (problem->message.isEmpty() && !value.isObject())
        problem->message =
            "json: cannot unmarshal " + QByteArray(jsonTypeName(value)) +
            " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind "
            "string \"json:\\\"kind,omitempty\\\"\" }";
    return value;
}

} // namespace tongchi::simulator
