#include "app/live_context.h"

#include "platform/http/request_rules.h"
#include "platform/inventory/inventory_source.h"
#include "platform/kubernetes/token_file.h"

#include <tuple>

namespace tongchi {
namespace {

/// What a connection is made of, the credentials in requests apart.
bool hasSameServer(const ContextParts &a, const ContextParts &b)
{
    const auto server = [](const ContextParts &parts) {
        const KubeCluster &cluster = parts.cluster;
        return std::tie(cluster.server, cluster.authorityPem, cluster.authorityFile, cluster.tlsServerName,
                        cluster.skipVerification, cluster.proxyUrl, cluster.compression, cluster.execConfig,
                        parts.user.certificatePem, parts.user.certificateFile, parts.user.keyPem,
                        parts.user.keyFile, parts.user.impersonation);
    };
    return server(a) == server(b);
}

bool hasSameUser(const KubeUser &a, const KubeUser &b)
{
    const auto user = [](const KubeUser &one) {
        return std::tie(one.token, one.tokenFile, one.username, one.password, one.exec);
    };
    return user(a) == user(b);
}

/// Takes over what the kubeconfig says newly. Lives in its cluster's thread.
class LiveCredential final : public CredentialProvider
{
public:
    LiveCredential(std::shared_ptr<const LiveContext> live, ConnectionEnvironment environment,
                   std::shared_ptr<const ExecConsent> consent, int version,
                   std::shared_ptr<CredentialProvider> first)
        : m_live(std::move(live)), m_environment(std::move(environment)), m_consent(std::move(consent)),
          m_version(version), m_current(std::move(first))
    {
    }

    QFuture<Result<Credential>> credential(bool rejected) override
    {
        const LiveContext::State state = m_live->state();
        if (state.version != m_version) {
            Result<ConnectionSettings> made = makeConnection(state.context, m_environment, m_consent);
            if (!made)
                return m_later.answer(tl::unexpected<Error>(made.error()));
            m_version = state.version;
            m_before = std::move(m_current); // somebody may still wait for its answer
            m_current = made->credentials;
            rejected = false; // it was the old one that was refused
        }
        return m_current ? m_current->credential(rejected) : m_later.answer(Credential{});
    }

private:
    const std::shared_ptr<const LiveContext> m_live;
    const ConnectionEnvironment m_environment;
    const std::shared_ptr<const ExecConsent> m_consent;
    int m_version;
    std::shared_ptr<CredentialProvider> m_current, m_before;
    LaterCredential m_later;
};

} // namespace

LiveContext::LiveContext(KubeContext context) : m_state{std::move(context)} {}

LiveContext::State LiveContext::state() const
{
    const QMutexLocker lock(&m_mutex);
    return m_state;
}

LiveContext::Change LiveContext::update(const KubeContext &newer)
{
    if (!newer.parts || newer.problem)
        return Change::None;
    const QMutexLocker lock(&m_mutex);
    const bool usable = m_state.context.parts && !m_state.context.problem;
    if (!usable || !hasSameServer(*m_state.context.parts, *newer.parts)) {
        m_state = {newer, m_state.version + 1};
        return Change::Server;
    }
    if (hasSameUser(m_state.context.parts->user, newer.parts->user))
        return Change::None;
    m_state = {newer, m_state.version + 1};
    return Change::User;
}

void renewSource(InventorySource &source, LiveContext &live, const Kubeconfig &newer)
{
    const KubeContext *context = newer.find(live.state().context.name);
    if (!context)
        return;
    switch (live.update(*context)) {
    case LiveContext::Change::None:
        break;
    case LiveContext::Change::User:
        source.refresh();
        break;
    case LiveContext::Change::Server:
        source.stop();
        source.start();
        break;
    }
}

Result<ConnectionSettings> makeLiveConnection(std::shared_ptr<const LiveContext> live,
                                              const ConnectionEnvironment &environment,
                                              std::shared_ptr<const ExecConsent> consent)
{
    const LiveContext::State state = live->state();
    if (state.context.problem)
        return failure(*state.context.problem);
    Result<ConnectionSettings> settings = makeConnection(state.context, environment, consent);
    // Without one there is nothing to renew, unless the server may carry one that comes later.
    if (settings && mayCarryCredential(settings->server)) {
        settings->credentials = std::make_shared<LiveCredential>(
            std::move(live), environment, std::move(consent), state.version, settings->credentials);
    }
    return settings;
}

} // namespace tongchi
