#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace tongchi::simulator {

struct SchemaDefinition;

/// The type of a field or of the entries of a list or map.
struct SchemaType
{
    enum class Kind {
        String,
        Bytes,
        Integer,
        Number,
        Boolean,
        Quantity,
        Time,
        MicroTime,
        IntOrString,
        Anything,
        Map,
        List,
        Struct
    };
    Kind kind = Kind::Anything;
    const SchemaDefinition *definition = nullptr; ///< Struct
    std::shared_ptr<SchemaType> element;          ///< Map, List
};

struct SchemaField
{
    QByteArray name;
    bool required = false;
    int number = 0; ///< in protocol buffers; 0: none known
    SchemaType type;
    bool isSet = false;               ///< a list whose entries are the keys
    std::vector<QByteArray> listKeys; ///< of an associative list
    bool patchMerges = false;         ///< strategic merge patches merge this list ...
    QByteArray patchKey;              ///< ... by this key; empty: a list of plain values
    bool isAtomic = false;            ///< a map that is owned as a whole
};

struct SchemaDefinition
{
    QByteArray package; ///< "io.k8s.api.core.v1"
    QByteArray name;    ///< as in the table; unique
    bool isAtomic = false;
    std::vector<SchemaField> fields;

    const SchemaField *field(QByteArrayView name) const;
    QByteArray goName() const; ///< "NodeSpec"
    QByteArray fullName() const { return package + '.' + goName(); }
};

/// All definitions of schema_table.cpp; parsed at the first use, from any thread.
class ObjectSchema
{
public:
    static const ObjectSchema &instance();
    const SchemaDefinition *find(QByteArrayView name) const;
    const std::map<QByteArray, SchemaDefinition> &definitions() const { return m_definitions; }

private:
    ObjectSchema();
    SchemaType parseType(QByteArrayView *text) const;

    std::map<QByteArray, SchemaDefinition> m_definitions;
};

} // namespace tongchi::simulator
