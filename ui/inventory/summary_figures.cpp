#include "ui/inventory/summary_figures.h"

#include <QCoreApplication>

namespace tongchi {

namespace {

QString figureText(const char *text)
{
    return QCoreApplication::translate("SummaryFigures", text);
}

QString figureReported(const Formatting &formatting, std::uint32_t reported, std::uint32_t cards)
{
    //: How many cards a mean or a sum rests on.
    return figureText(QT_TRANSLATE_NOOP("SummaryFigures", "%1 of %2 cards reported"))
        .arg(formatting.count(reported), formatting.count(cards));
}

} // namespace

QList<StripFigure> summaryFigures(const InventorySummary &summary, const Formatting &formatting,
                                  const QByteArray &utilizationHistory, const QByteArray &powerHistory)
{
    const QString dash = Formatting::missing();
    const QString atLeast = summary.complete ? QString() : QStringLiteral("\u2265 ");
    const auto plain = [](const QString &text, Tone tone = Tone::Primary) {
        return QList<StripFigure::Part>{{text, nullptr, tone}};
    };
    QList<StripFigure> list;

    StripFigure available;
    available.key = QStringLiteral("available");
    available.urgency = 3;
    available.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Cards available"));
    available.parts = plain(summary.cards > 0 ? atLeast + formatting.count(summary.available) : dash);
    if (summary.cards > 0)
        available.unit = QStringLiteral("/ ") + formatting.count(summary.cards);
    available.detail =
        figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Neither offline nor faulty. May take new work: %1"))
            .arg(formatting.count(summary.schedulable));
    list.append(available);

    StripFigure utilization;
    utilization.key = QStringLiteral("utilization");
    utilization.urgency = 2;
    utilization.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Mean utilisation"));
    utilization.parts =
        plain(summary.utilizationReported > 0 ? formatting.percent(summary.utilizationMean, 1) : dash);
    utilization.sparkline = utilizationHistory;
    utilization.sparkWidth = 86;
    utilization.detail = figureReported(formatting, summary.utilizationReported, summary.cards);
    list.append(utilization);

    StripFigure memory;
    memory.key = QStringLiteral("memory");
    memory.urgency = 1;
    memory.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Memory in use"));
    const bool allMemory = summary.memoryUsedReported == summary.cards;
    memory.parts =
        plain(summary.memoryUsedReported > 0 ? (allMemory ? QString() : QStringLiteral("\u2265 ")) +
                                                   formatting.terabytes(summary.memoryUsedGigabytes)
                                             : dash);
    if (summary.memoryTotalKnown > 0) {
        memory.unit =
            QStringLiteral("/ %1%2 TB")
                .arg(summary.memoryTotalKnown < summary.cards ? QStringLiteral("\u2265 ") : QString(),
                     formatting.terabytes(summary.memoryTotalGigabytes));
    }
    memory.detail = figureReported(formatting, summary.memoryUsedReported, summary.cards);
    list.append(memory);

    StripFigure power;
    power.key = QStringLiteral("power");
    power.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Power draw"));
    QString watts = dash;
    if (summary.powerReported > 0) {
        const QLocale &locale = formatting.locale();
        watts = summary.powerWatts >= 1e6
                    ? locale.toString(summary.powerWatts / 1e6, 'f', 2) + QStringLiteral(" MW")
                : summary.powerWatts >= 1e4
                    ? locale.toString(summary.powerWatts / 1e3, 'f', 1) + QStringLiteral(" kW")
                    : formatting.watts(summary.powerWatts);
        if (summary.powerReported < summary.cards)
            watts.prepend(QStringLiteral("\u2265 "));
    }
    power.parts = plain(watts);
    power.sparkline = powerHistory;
    power.sparkWidth = 62;
    power.detail = figureReported(formatting, summary.powerReported, summary.cards);
    list.append(power);

    StripFigure idle;
    idle.key = QStringLiteral("idle");
    idle.urgency = 2;
    idle.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Idle now"));
    idle.parts = plain(summary.labelKnown > 0 ? formatting.count(summary.idle) : dash);
    if (summary.labelKnown > 0)
        idle.unit = formatting.percent(100.0 * summary.idle / summary.labelKnown, 1);
    idle.detail =
        figureText(QT_TRANSLATE_NOOP("SummaryFigures", "No pod holds the card. Known for %1 of %2 cards"))
            .arg(formatting.count(summary.labelKnown), formatting.count(summary.cards));
    list.append(idle);

    StripFigure workloads;
    workloads.key = QStringLiteral("workloads");
    workloads.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Running workloads"));
    workloads.parts = plain(summary.cards > 0 ? formatting.count(summary.workloads) : dash);
    list.append(workloads);

    StripFigure trouble;
    trouble.key = QStringLiteral("trouble");
    trouble.urgency = 4;
    trouble.title = figureText(QT_TRANSLATE_NOOP("SummaryFigures", "Fault / stale"));
    trouble.parts = summary.cards == 0
                        ? plain(dash)
                        : QList<StripFigure::Part>{{formatting.count(summary.faulty), "status-critical",
                                                    summary.faulty > 0 ? Tone::Crit : Tone::Tertiary},
                                                   {formatting.count(summary.stale), "status-stale",
                                                    summary.stale > 0 ? Tone::Warn : Tone::Tertiary}};
    trouble.detail =
        figureText(
            QT_TRANSLATE_NOOP("SummaryFigures", "Faulty: %1. Data older than 90 s: %2. Offline: %3. Hot: %4"))
            .arg(formatting.count(summary.faulty), formatting.count(summary.stale),
                 formatting.count(summary.offline), formatting.count(summary.hot));
    list.append(trouble);
    return list;
}

} // namespace tongchi
