#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <vector>

namespace tongchi::simulator {

/// One kind of object that the pool serves. All text is static.
struct ResourceType
{
    const char *group; ///< "" for the core group
    const char *version;
    const char *plural;
    const char *singular;
    const char *kind;
    bool namespaced;
    const char *shortNames; ///< separated by commas
    const char *categories;
    const char *schema;       ///< name in the schema table
    const char *fieldLabels;  ///< what field selectors know besides metadata.name and metadata.namespace
    const char *subresources; ///< name|kind|group|verbs, separated by semicolons
    const char *emptyParts;   ///< what an object of that type without content shows besides its metadata

    QByteArray apiVersion() const;
    /// "nodes", or "deployments.apps": how messages name the resource.
    QByteArray qualifiedPlural() const;
    bool hasGeneration() const;         ///< metadata.generation counts changes of the spec
    bool deletionAnswersObject() const; ///< a deletion shows what was deleted; the others answer a Status
    bool isMadeByUpdate() const;        ///< PUT of what is not there makes it
};

const std::vector<ResourceType> &resourceTypes();

/// Null pointer when there is none.
const ResourceType *findResourceType(QByteArrayView group, QByteArrayView version, QByteArrayView plural);
const ResourceType *findResourceKind(QByteArrayView apiVersion, QByteArrayView kind);
int indexOf(const ResourceType *type);

bool isKnownGroupVersion(QByteArrayView group, QByteArrayView version);

/// Splits at the separator; an empty text gives nothing.
QList<QByteArray> splitList(const char *text, char separator = ',');

} // namespace tongchi::simulator
