#pragma once

#include "platform/kubernetes/kubeconfig.h"

#include <QByteArray>
#include <QList>
#include <optional>

namespace tongchi {

struct KubeconfigFile;

/// Where to look for kubeconfigs (facts: finding and merging files).
struct KubeconfigSearch
{
    QList<FilePath> explicitFiles; ///< given by the operator: only these, and they must exist
    QByteArray variable;           ///< KUBECONFIG: a list separated by ":"; missing files are skipped
    FilePath home;                 ///< for ~/.kube/config
    QByteArray inClusterHost;      ///< KUBERNETES_SERVICE_HOST; tried last, when no file is there
    QByteArray inClusterPort;
    FilePath serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// The search of this process: its variables and home.
KubeconfigSearch kubeconfigSearch(const QList<FilePath> &explicitFiles = {});

/// The files that the search means, in order, without repetitions; they need not exist.
QList<FilePath> kubeconfigFiles(const KubeconfigSearch &search);

/// Reads and merges. Blocks on local files: a few milliseconds as a rule, a second for 5 MiB, so not on the
/// GUI thread. Never fails as a whole: what is wrong with a file is a note, with a context its `problem`.
Kubeconfig loadKubeconfig(const KubeconfigSearch &search);

/// One file: size limit, the encodings of decodeText(), then parseKubeconfigFile().
[[nodiscard]] Result<KubeconfigFile> readKubeconfigFile(const FilePath &path);

/// The context of a pod's own service account; nothing outside a cluster.
std::optional<KubeContext> inClusterContext(const KubeconfigSearch &search);

} // namespace tongchi
