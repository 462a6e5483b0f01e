#pragma once

#include "platform/kubernetes/kubeconfig_connection.h"

#include <QMutex>
#include <memory>
#include <vector>

namespace tongchi {

class InventorySource;

/// A context as its kubeconfig has it now: a login tool may write another token into it while its session
/// runs. Thread-safe.
class LiveContext
{
public:
    explicit LiveContext(KubeContext context);

    struct State
    {
        KubeContext context;
        int version = 0; ///< another one for another user
    };
    State state() const;

    enum class Change {
        None,
        User,   ///< another credential: requests take it from the next one on
        Server, ///< another server, CA or client certificate: the connection has to be made anew
    };
    /// What a newer reading of the file means. One that cannot be used changes nothing.
    Change update(const KubeContext &newer);

private:
    mutable QMutex m_mutex; ///< protects the state
    State m_state;
};

/// Lets a source's context take over what a newer reading of its kubeconfig says, and the source act on it:
/// it asks at once with another credential, and connects anew to another server. GUI thread.
void renewSource(InventorySource &source, LiveContext &live, const Kubeconfig &newer);

/// makeConnection() for the context as it is at each moment. Blocks on local files, so not in the GUI thread.
[[nodiscard]] Result<ConnectionSettings> makeLiveConnection(std::shared_ptr<const LiveContext> live,
                                                            const ConnectionEnvironment &environment,
                                                            std::shared_ptr<const ExecConsent> consent);

} // namespace tongchi
