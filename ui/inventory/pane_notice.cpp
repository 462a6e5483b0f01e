#include "ui/inventory/pane_notice.h"

#include "models/common/error_text.h"
#include "platform/core/text_encoding.h"

#include <QCoreApplication>

namespace tongchi {

namespace {

QString noticeText(const char *text, int n = -1)
{
    return QCoreApplication::translate("PaneNotice", text, nullptr, n);
}

bool isSilent(const SourceStatus &status)
{
    return status.state == SourceState::Lost || status.state == SourceState::Failed;
}

} // namespace

PaneNotice paneNotice(const QList<ClusterStatus> &clusters,
                      const std::function<qint64(const QString &)> &cardsOf, Instant now,
                      const Formatting &formatting, const QTimeZone &zone)
{
    PaneNotice notice;
    if (clusters.isEmpty())
        return notice;
    QStringList forbidden;
    QStringList silent;
    QStringList denied; // resources
    QStringList denying;
    QList<const ClusterStatus *> stale;
    const ClusterStatus *firstSilent = nullptr;
    qint64 silentCards = 0;
    qint64 read = 0;
    qint64 expected = 0;
    bool allExpected = true;
    bool loading = false;
    for (const ClusterStatus &cluster : clusters) {
        if (cluster.kubernetes.state == SourceState::Forbidden) {
            forbidden.append(visibleText(cluster.name));
        } else if (isSilent(cluster.kubernetes)) {
            silent.append(visibleText(cluster.name));
            silentCards += cardsOf(cluster.name);
            if (!firstSilent)
                firstSilent = &cluster;
        } else if (!cluster.complete) {
            loading = true;
            read += cluster.kubernetes.objects;
            expected += cluster.kubernetes.expected.value_or(0);
            allExpected = allExpected && cluster.kubernetes.expected.has_value();
        } else if (isSilent(cluster.metrics)) {
            stale.append(&cluster);
        }
        if (cluster.kubernetes.state != SourceState::Forbidden && !cluster.denied.isEmpty()) {
            denying.append(visibleText(cluster.name));
            for (const DeniedPart &part : cluster.denied) {
                if (!denied.contains(part.resource))
                    denied.append(part.resource);
            }
        }
    }
    if (!forbidden.isEmpty()) {
        notice.kind = PaneNotice::Kind::Forbidden;
        notice.allClusters = forbidden.size() == clusters.size();
        notice.sentence = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "You may not list nodes in %1."))
                              .arg(listText(forbidden));
        notice.remedy = noticeText(QT_TRANSLATE_NOOP(
            "PaneNotice", "An administrator can grant it with the rule that the button copies."));
        notice.action = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Copy the RBAC rule"));
        return notice;
    }
    if (!silent.isEmpty() && silent.size() == clusters.size()) {
        notice.kind = PaneNotice::Kind::Error;
        notice.allClusters = true;
        const ErrorText text =
            firstSilent->kubernetes.error ? errorText(*firstSilent->kubernetes.error) : ErrorText{};
        notice.sentence =
            text.sentence.isEmpty()
                ? noticeText(QT_TRANSLATE_NOOP("PaneNotice", "The Kubernetes API of %1 does not answer."))
                      .arg(visibleText(firstSilent->name))
                : text.sentence;
        notice.remedy = text.remedy;
        notice.action = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Try again now"));
        return notice;
    }
    if (!silent.isEmpty()) {
        notice.kind = PaneNotice::Kind::Partial;
        notice.sentence =
            silentCards > 0
                ? noticeText(
                      QT_TRANSLATE_NOOP(
                          "PaneNotice",
                          "%1 of %2 clusters did not answer. The %3 cards of %4 are shown as last seen."))
                      .arg(formatting.count(silent.size()), formatting.count(clusters.size()),
                           formatting.count(silentCards), listText(silent))
                : noticeText(
                      QT_TRANSLATE_NOOP("PaneNotice",
                                        "%1 of %2 clusters did not answer. The cards of %3 are missing."))
                      .arg(formatting.count(silent.size()), formatting.count(clusters.size()),
                           listText(silent));
        if (firstSilent->kubernetes.error)
            notice.remedy = errorLine(*firstSilent->kubernetes.error);
        if (firstSilent->kubernetes.nextTry && *firstSilent->kubernetes.nextTry > now) {
            const auto wait = std::chrono::ceil<std::chrono::seconds>(*firstSilent->kubernetes.nextTry - now);
            notice.action =
                noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Retry in %1")).arg(formatting.duration(wait));
        } else {
            notice.action = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Try again now"));
        }
        return notice;
    }
    if (!stale.isEmpty()) {
        notice.kind = PaneNotice::Kind::Stale;
        const ClusterStatus &first = *stale.constFirst();
        if (first.metrics.lastHeard) {
            notice.sentence =
                noticeText(
                    QT_TRANSLATE_NOOP(
                        "PaneNotice",
                        "Prometheus of %1 has been silent for %2. Values are from %3; actions still work."))
                    .arg(visibleText(first.name),
                         formatting.duration(
                             std::chrono::floor<std::chrono::seconds>(now - *first.metrics.lastHeard)),
                         formatting.timeOfDay(*first.metrics.lastHeard, zone));
        } else {
            notice.sentence =
                noticeText(QT_TRANSLATE_NOOP("PaneNotice",
                                             "Prometheus of %1 has not answered. Cards are shown "
                                             "without measured values; actions still work."))
                    .arg(visibleText(first.name));
        }
        if (first.metrics.error)
            notice.remedy = errorLine(*first.metrics.error);
        notice.action = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Check"));
        return notice;
    }
    if (loading) {
        notice.kind = PaneNotice::Kind::Loading;
        if (allExpected && expected > 0) {
            notice.sentence = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Reading %1 nodes, %2 done"))
                                  .arg(formatting.count(expected), formatting.count(read));
            notice.progress = qBound(0.0, double(read) / double(expected), 1.0);
        } else {
            notice.sentence = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Reading nodes, %1 done"))
                                  .arg(formatting.count(read));
        }
        return notice;
    }
    if (!denied.isEmpty()) {
        notice.kind = PaneNotice::Kind::Denied;
        notice.sentence =
            noticeText(QT_TRANSLATE_NOOP("PaneNotice",
                                         "You may not list %1 in %2: what they would tell is missing here."))
                .arg(listText(denied), listText(denying));
        notice.remedy = noticeText(QT_TRANSLATE_NOOP(
            "PaneNotice", "An administrator can grant it with the rule that the button copies."));
        notice.action = noticeText(QT_TRANSLATE_NOOP("PaneNotice", "Copy the RBAC rule"));
    }
    return notice;
}

QString inventoryRbacRule()
{
    return QStringLiteral("apiVersion: rbac.authorization.k8s.io/v1\n"
                          "kind: ClusterRole\n"
                          "metadata:\n"
                          "  name: tongchi-viewer\n"
                          "rules:\n"
                          "- apiGroups: [\"\"]\n"
                          "  resources: [\"nodes\", \"pods\", \"configmaps\", \"services\"]\n"
                          "  verbs: [\"get\", \"list\", \"watch\"]\n"
                          "- apiGroups: [\"resource.k8s.io\"]\n"
                          "  resources: [\"resourceslices\", \"resourceclaims\"]\n"
                          "  verbs: [\"get\", \"list\", \"watch\"]\n"
                          "- apiGroups: [\"\"]\n"
                          "  resources: [\"services/proxy\"]\n"
                          "  verbs: [\"get\"]\n"
                          "# For cordon, uncordon and business labels add: nodes, verb patch.\n");
}

} // namespace tongchi
