#include "ui/shell/status_line.h"

#include "models/common/error_text.h"
#include "platform/core/text_encoding.h"

#include <QCoreApplication>

namespace tongchi {

namespace {

QString sourceText(const char *text)
{
    return QCoreApplication::translate("StatusLine", text);
}

/// Worse states have greater numbers.
int badness(SourceState state)
{
    switch (state) {
    case SourceState::Live:
        return 0;
    case SourceState::Missing:
        return 1;
    case SourceState::Idle:
    case SourceState::Connecting:
        return 2;
    case SourceState::Late:
        return 3;
    case SourceState::Lost:
        return 4;
    case SourceState::Forbidden:
        return 5;
    case SourceState::Failed:
        return 6;
    }
    return 0;
}

Tone stateTone(SourceState state)
{
    switch (state) {
    case SourceState::Live:
        return Tone::Ok;
    case SourceState::Missing:
    case SourceState::Idle:
    case SourceState::Connecting:
        return Tone::Neutral;
    case SourceState::Late:
        return Tone::Warn;
    case SourceState::Lost:
    case SourceState::Forbidden:
    case SourceState::Failed:
        return Tone::Crit;
    }
    return Tone::Neutral;
}

QString stateText(SourceState state)
{
    switch (state) {
    case SourceState::Live:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "live"));
    case SourceState::Missing:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "not there"));
    case SourceState::Idle:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "not asked"));
    case SourceState::Connecting:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "connecting"));
    case SourceState::Late:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "late"));
    case SourceState::Lost:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "no answer"));
    case SourceState::Forbidden:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "not permitted"));
    case SourceState::Failed:
        return sourceText(QT_TRANSLATE_NOOP("StatusLine", "failed"));
    }
    return {};
}

} // namespace

QList<SourceItem> sourceItems(const QList<ClusterStatus> &clusters, Instant now, const Formatting &formatting)
{
    QList<SourceItem> items;
    if (clusters.isEmpty()) {
        items.append({QStringLiteral("none"),
                      sourceText(QT_TRANSLATE_NOOP("StatusLine", "Not connected")),
                      {},
                      Tone::Neutral,
                      {}});
        return items;
    }
    const auto fold = [&](const QString &id, const QString &name, auto member, bool latency) {
        SourceState worst = SourceState::Live;
        std::optional<std::chrono::milliseconds> slowest;
        std::optional<Instant> oldest;
        QStringList tips;
        int live = 0;
        for (const ClusterStatus &cluster : clusters) {
            const SourceStatus &status = cluster.*member;
            if (badness(status.state) > badness(worst))
                worst = status.state;
            live += status.state == SourceState::Live ? 1 : 0;
            if (status.latency && (!slowest || *status.latency > *slowest))
                slowest = status.latency;
            if (status.lastHeard && (!oldest || *status.lastHeard < *oldest))
                oldest = status.lastHeard;
            QString line = visibleText(cluster.name) + QStringLiteral(": ") + stateText(status.state);
            if (status.error)
                line += QStringLiteral(". ") + errorLine(*status.error);
            tips.append(line);
            for (const QString &warning : status.warnings)
                tips.append(QStringLiteral("  ") + visibleText(warning));
            for (const DeniedPart &part : cluster.denied) {
                if (latency && !status.error) // of Kubernetes
                    tips.append(QStringLiteral("  ") + errorLine(part.error));
            }
        }
        QStringList detail;
        if (worst == SourceState::Live || worst == SourceState::Late) {
            if (latency) {
                detail.append(clusters.size() > 1 ? QCoreApplication::translate("StatusLine", "%n cluster(s)",
                                                                                nullptr, int(clusters.size()))
                                                  : visibleText(clusters.constFirst().name));
                if (slowest && worst == SourceState::Live)
                    detail.append(QStringLiteral("%1 ms").arg(slowest->count()));
            }
            if (oldest && (!latency || worst == SourceState::Late)) {
                detail.append(formatting.age(
                    std::max(std::chrono::milliseconds(0),
                             std::chrono::duration_cast<std::chrono::milliseconds>(now - *oldest))));
            }
        } else {
            if (clusters.size() > 1 && live > 0)
                detail.append(formatting.count(live) + u'/' + formatting.count(clusters.size()));
            else
                detail.append(stateText(worst));
        }
        items.append({id, name, detail.join(QStringLiteral(" · ")), stateTone(worst), tips.join(u'\n')});
    };
    fold(QStringLiteral("kubernetes"), QStringLiteral("Kubernetes"), &ClusterStatus::kubernetes, true);
    fold(QStringLiteral("metrics"), QStringLiteral("Prometheus"), &ClusterStatus::metrics, false);
    return items;
}

} // namespace tongchi
