#include "platform/simulator/object_schema.h"

#include "platform/simulator/schema_table.h"

#include <QList>

namespace tongchi::simulator {

const SchemaField *SchemaDefinition::field(QByteArrayView wanted) const
{
    for (const SchemaField &candidate : fields) {
        if (candidate.name == wanted)
            return &candidate;
    }
    return nullptr;
}

QByteArray SchemaDefinition::goName() const
{
    return name.mid(name.lastIndexOf('.') + 1);
}

const ObjectSchema &ObjectSchema::instance()
{
    static const ObjectSchema schema;
    return schema;
}

const SchemaDefinition *ObjectSchema::find(QByteArrayView name) const
{
    const auto found = m_definitions.find(name.toByteArray());
    return found == m_definitions.end() ? nullptr : &found->second;
}

SchemaType ObjectSchema::parseType(QByteArrayView *text) const
{
    using Kind = SchemaType::Kind;
    SchemaType type;
    const char first = text->front();
    if (first == '[' || first == '{') {
        *text = text->sliced(1);
        type.kind = first == '[' ? Kind::List : Kind::Map;
        type.element = std::make_shared<SchemaType>(parseType(text));
        *text = text->sliced(1); // the closing bracket
        return type;
    }
    qsizetype length = 0;
    while (length < text->size() &&
           (QChar::isLetterOrNumber(uchar((*text)[length])) || (*text)[length] == '.'))
        ++length;
    const QByteArrayView word = text->first(length);
    *text = text->sliced(length);
    if (length > 1) {
        type.kind = Kind::Struct;
        type.definition = find(word);
        return type;
    }
    switch (word.front()) {
    case 's':
        type.kind = Kind::String;
        break;
    case 'B':
        type.kind = Kind::Bytes;
        break;
    case 'i':
        type.kind = Kind::Integer;
        break;
    case 'n':
        type.kind = Kind::Number;
        break;
    case 'b':
        type.kind = Kind::Boolean;
        break;
    case 'q':
        type.kind = Kind::Quantity;
        break;
    case 't':
        type.kind = Kind::Time;
        break;
    case 'm':
        type.kind = Kind::MicroTime;
        break;
    case 'y':
        type.kind = Kind::IntOrString;
        break;
    default:
        break;
    }
    return type;
}

ObjectSchema::ObjectSchema()
{
    QList<QByteArray> lines;
    for (const QByteArray &line :
         QByteArray::fromRawData(schemaTable, qsizetype(qstrlen(schemaTable))).split('\n')) {
        if (line.startsWith(' '))
            lines.last() += line;
        else if (!line.isEmpty())
            lines.append(line);
    }
    // Definitions refer to each other in both directions, so all of them exist before any field is read.
    QByteArray package;
    std::vector<std::pair<SchemaDefinition *, QList<QByteArray>>> bodies;
    for (const QByteArray &line : lines) {
        if (line.startsWith('@')) {
            package = line.mid(1);
            continue;
        }
        QList<QByteArray> words = line.split(' ');
        QByteArray name = words.takeFirst();
        const bool atomic = name.endsWith('!');
        if (atomic)
            name.chop(1);
        SchemaDefinition &definition = m_definitions[name];
        definition.package = package;
        definition.name = name;
        definition.isAtomic = atomic;
        bodies.emplace_back(&definition, std::move(words));
    }
    for (auto &[definition, words] : bodies) {
        for (const QByteArray &word : words) {
            const qsizetype colon = word.indexOf(':');
            SchemaField field;
            field.name = word.left(colon);
            if (const qsizetype slash = field.name.indexOf('/'); slash > 0) {
                field.number = field.name.mid(slash + 1).toInt();
                field.name.truncate(slash);
            }
            if (field.name.endsWith('*')) {
                field.required = true;
                field.name.chop(1);
            }
            QByteArrayView rest = QByteArrayView(word).sliced(colon + 1);
            field.type = parseType(&rest);
            while (!rest.isEmpty()) {
                const char mark = rest.front();
                qsizetype end = 1;
                while (end < rest.size() && rest[end] != '~' && rest[end] != '!' && rest[end] != '#')
                    ++end;
                const QByteArray value = rest.sliced(1, end - 1).toByteArray();
                rest = rest.sliced(end);
                if (mark == '!') {
                    field.isAtomic = true;
                } else if (mark == '~') {
                    field.patchMerges = true;
                    field.patchKey = value;
                } else if (value.isEmpty()) {
                    field.isSet = true;
                } else {
                    for (const QByteArray &key : value.split(','))
                        field.listKeys.push_back(key);
                }
            }
            definition->fields.push_back(std::move(field));
        }
    }
}

} // namespace tongchi::simulator
