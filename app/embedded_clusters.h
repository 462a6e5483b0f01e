#pragma once

#include "app/command_line.h"
#include "app/services.h"
#include "platform/simulator/embedded_pool.h"

#include <QObject>
#include <memory>

namespace tongchi {

PoolOptions poolOptionsOf(const CommandLine &command);
/// The pool with the fleet of the design and its Prometheus.
std::unique_ptr<EmbeddedPool> makeEmbeddedPool(const PoolOptions &options);

/// Options of a session for one cluster of a running pool. A token that the pool changes is taken
/// over by running sessions. The pool's thread is not asked; call from the thread that owns the pool.
SessionOptions sessionForPool(EmbeddedPool *pool, const PoolCluster &cluster, const QByteArray &authorityPem);

} // namespace tongchi
