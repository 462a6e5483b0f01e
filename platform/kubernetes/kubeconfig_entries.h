#pragma once

#include "platform/kubernetes/kubeconfig.h"
#include "platform/kubernetes/kubeconfig_yaml.h"

#include <QList>
#include <QString>

namespace tongchi {

/// The fields of a context itself.
struct KubeContextEntry
{
    QString cluster;
    QString user;
    QString nameSpace;
};

/// A named entry of one of the three lists, or what is wrong with it.
template <typename T> struct KubeconfigEntry
{
    QString name;
    int times = 1; ///< how often the name stands in this file's list; more than once: none is picked
    Result<T> value;
    KubeconfigYamlPtr source;
};

/// What one file says, before merging.
struct KubeconfigFile
{
    FilePath path;
    int lines = 0; ///< where the file ends: an early end is told by it
    QList<KubeconfigEntry<KubeCluster>> clusters;
    QList<KubeconfigEntry<KubeUser>> users;
    QList<KubeconfigEntry<KubeContextEntry>> contexts;
    QString currentContext;
    QList<Error> notes;
};

/// Reads one decoded file (facts: kubeconfig schema). An error only if the text is no YAML or no kubeconfig
/// at all; what is wrong with one entry stays with it. Relative paths count from the folder of `path`. Reads
/// no other file.
[[nodiscard]] Result<KubeconfigFile> parseKubeconfigFile(const QByteArray &utf8, const FilePath &path);

[[nodiscard]] Result<KubeCluster> readKubeCluster(const KubeconfigYaml &map, const QString &name,
                                                  const FilePath &file);
[[nodiscard]] Result<KubeUser> readKubeUser(const KubeconfigYaml &map, const QString &name,
                                            const FilePath &file);
[[nodiscard]] Result<ExecCommand> readExecCommand(const KubeconfigYaml &map, const QString &userName,
                                                  const FilePath &file);

} // namespace tongchi
