#pragma once

#include "platform/simulator/embedded_pool.h"

namespace tongchi::simulator {

QByteArray kubeconfigText(const PoolInfo &info);

/// Writes beside the file and renames, so that nobody ever sees half of it; mode 0600 from the first byte.
[[nodiscard]] Status writePrivateFile(const QString &path, const QByteArray &content);

} // namespace tongchi::simulator
