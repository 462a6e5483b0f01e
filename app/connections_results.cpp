// What the connections dialog shows of a test and of plug-ins that speak.

#include "app/connections_controller.h"
#include "models/common/error_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>

namespace tongchi {
namespace {

/// A plug-in often writes in pieces, and one that shows its progress never stops: told soon, then now and
/// then.
constexpr std::chrono::milliseconds sayingGathers{300};
constexpr std::chrono::milliseconds sayingRests{5'000};
/// So long a code to enter is good, as a rule; an older saying is not shown.
constexpr std::chrono::minutes sayingHolds{15};

QString milliseconds(std::chrono::milliseconds elapsed)
{
    return QString::number(elapsed.count()) + QStringLiteral(" ms");
}

} // namespace

QList<ConnectionTest> ConnectionsController::tests() const
{
    using State = ConnectionTest::State;
    struct Row
    {
        ProbeStep step;
        const char *id;
        QString title;
    };
    const QList<Row> rows{
        {ProbeStep::Kubernetes, "kubernetes", tr("Kubernetes API")},
        {ProbeStep::Cards, "cards", tr("Nodes")},
        {ProbeStep::Engines, "engines", tr("Engines")},
        {ProbeStep::Permission, "permission", tr("Permission")},
        {ProbeStep::Metrics, "metrics", tr("Prometheus")},
    };
    QList<ConnectionTest> list;
    const SavedProfile *saved = profile(m_current);
    if (m_answers.isEmpty() && !m_probe && saved) {
        for (const Open &open : m_open) {
            const QString said = sayingOf(*saved);
            if (open.profile == m_current && !said.isEmpty() && isWaiting(open.clusterId))
                list << ConnectionTest{QStringLiteral("plugin"), tr("Credential plug-in"), State::Running,
                                       said};
        }
    }
    if (!saved || (m_answers.isEmpty() && !m_probe))
        return list;
    bool earlierFailed = false;
    for (const Row &row : rows) {
        ConnectionTest test{QString::fromLatin1(row.id), row.title};
        const auto at = std::find_if(m_answers.begin(), m_answers.end(),
                                     [&row](const ProbeAnswer &answer) { return answer.step == row.step; });
        if (at == m_answers.end()) {
            if (earlierFailed || !m_probe)
                continue;
            test.state =
                list.isEmpty() || list.last().state != State::Running ? State::Running : State::Waiting;
            // A plug-in that waits for its operator: without its words he would wait for it.
            if (test.state == State::Running && row.step == ProbeStep::Kubernetes && saved)
                test.fact = sayingOf(*saved);
            list << test;
            continue;
        }
        const ProbeAnswer &answer = *at;
        test.latency = milliseconds(answer.elapsed);
        test.state = State::Passed;
        QStringList facts;
        if (answer.error) {
            const ErrorText text = errorText(*answer.error);
            test.state = row.step == ProbeStep::Metrics ? State::Warning : State::Failed;
            test.fact = text.sentence;
            test.remedy = text.remedy;
            earlierFailed = earlierFailed || row.step == ProbeStep::Kubernetes;
            list << test;
            continue;
        }
        switch (row.step) {
        case ProbeStep::Kubernetes:
            facts << answer.version;
            break;
        case ProbeStep::Cards:
            if (answer.nodes)
                facts << tr("%n node(s)", nullptr, int(*answer.nodes));
            if (answer.slices)
                facts << tr("%n ResourceSlice(s)", nullptr, int(*answer.slices));
            break;
        case ProbeStep::Engines:
            facts << (answer.engines.isEmpty() ? tr("No Kueue, KEDA, Volcano or DRA")
                                               : answer.engines.join(QStringLiteral(" · ")));
            if (!answer.unknownEngines.isEmpty()) {
                test.state = State::Warning;
                facts << tr("did not answer: %1").arg(answer.unknownEngines.join(QStringLiteral(", ")));
            }
            break;
        case ProbeStep::Permission:
            if (!answer.user.isEmpty())
                facts << tr("You are %1.").arg(answer.user);
            if (answer.missingRights.isEmpty()) {
                facts << tr("May read, label and cordon.");
            } else {
                test.state = answer.mayListNodes ? State::Warning : State::Failed;
                facts << tr("May not: %1.").arg(answer.missingRights.join(QStringLiteral(", ")));
                test.action = tr("Copy the RBAC rule");
            }
            break;
        case ProbeStep::Metrics:
            facts << answer.version << answer.via;
            if (answer.clockSkew && std::abs(answer.clockSkew->count()) >= 30'000) {
                test.state = State::Warning;
                const auto seconds = int(std::abs(answer.clockSkew->count()) / 1000);
                facts << (answer.clockSkew->count() > 0
                              ? tr("Its clock is %n s ahead of this machine's.", nullptr, seconds)
                              : tr("Its clock is %n s behind this machine's.", nullptr, seconds));
            }
            break;
        }
        facts.removeAll(QString());
        test.fact = facts.join(QStringLiteral(" · "));
        list << test;
    }
    return list;
}

void ConnectionsController::runTestAction(const QString &testId)
{
    if (testId != QLatin1String("permission"))
        return;
    const QString rule = QStringLiteral(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: "
        "tongchi-operator\nrules:\n"
        "- apiGroups: [\"\"]\n  resources: [nodes, pods, services, configmaps]\n  verbs: [get, list, watch]\n"
        "- apiGroups: [\"\"]\n  resources: [nodes]\n  verbs: [patch]\n"
        "- apiGroups: [\"\"]\n  resources: [services/proxy]\n  verbs: [get, create]\n"
        "- apiGroups: [resource.k8s.io]\n  resources: [resourceslices, resourceclaims, deviceclasses]\n  "
        "verbs: [get, list, watch]\n");
    QGuiApplication::clipboard()->setText(rule);
}

const ExecCommand *ConnectionsController::pluginOf(const SavedProfile &saved) const
{
    const KubeContext *context = m_kubeconfig.find(saved.context);
    return context && context->parts && context->parts->user.exec ? &*context->parts->user.exec : nullptr;
}

QString ConnectionsController::sayingOf(const SavedProfile &saved) const
{
    const ExecCommand *command = pluginOf(saved);
    const auto saying = command ? m_sayings.find(execConsentKey(*command)) : m_sayings.end();
    if (saying == m_sayings.end() || m_services.clock.monotonic() - saying->at > sayingHolds)
        return {};
    //: %1 is the name of a program, %2 what it wrote for the operator.
    return tr("%1 says: %2").arg(saying->program, saying->text);
}

bool ConnectionsController::isWaiting(quint32 clusterId) const
{
    const ClusterStatus *status = m_inventory.store().status(clusterId);
    return !status || status->kubernetes.state != SourceState::Live;
}

void ConnectionsController::pluginSpoke(const QByteArray &key, const QString &program, const QString &text)
{
    if (text.isEmpty())
        return;
    // The same text again is another run that asks again.
    m_sayings[key] = {program.section(u'/', -1), text, m_services.clock.monotonic(), false};
    if (!m_sayingTimer.isActive())
        m_sayingTimer.start(sayingGathers);
    Q_EMIT changed();
}

void ConnectionsController::tellSayings()
{
    bool told = false;
    for (const Open &open : std::as_const(m_open)) {
        if (!open.context)
            continue;
        const KubeContext context = open.context->state().context;
        if (!context.parts || !context.parts->user.exec)
            continue;
        const auto saying = m_sayings.find(execConsentKey(*context.parts->user.exec));
        if (saying == m_sayings.end() || saying->isTold)
            continue;
        // Also while the cluster is live: the token of the next request may be what is waited for.
        saying->isTold = true;
        if (m_probe && open.profile == m_current)
            continue; // shown where he looks
        told = true;
        const InventorySource *source = m_inventory.source(open.clusterId);
        //: %1 is a cluster, %2 the name of a program, %3 what it wrote for the operator.
        Q_EMIT pluginSaid(
            tr("%1: %2 says: %3")
                .arg(source ? source->clusterName() : context.name, saying->program, saying->text),
            tr("Connections"));
    }
    if (told)
        m_sayingTimer.start(sayingRests);
}

} // namespace tongchi
