#pragma once

#include "platform/kubernetes/kubeconfig_entries.h"

#include <QList>

namespace tongchi {

/// Joins files in their order: for each named entry, and for current-context, the first file that has it wins
/// whole. Names that stand twice in one file are not picked; contexts that use them say so. Reads no file.
Kubeconfig mergeKubeconfigs(const QList<KubeconfigFile> &files);

} // namespace tongchi
