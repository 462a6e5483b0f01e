#include "widgets/theme/color_token.h"

#include <array>

namespace tongchi {

namespace {

constexpr std::array colorNames{
    QLatin1String("bg.app"),
    QLatin1String("bg.panel"),
    QLatin1String("bg.sunken"),
    QLatin1String("bg.raised"),
    QLatin1String("bg.hover"),
    QLatin1String("bg.pressed"),
    QLatin1String("bg.selected"),
    QLatin1String("bg.selectedHover"),
    QLatin1String("bg.scrim"),
    QLatin1String("border.subtle"),
    QLatin1String("border.default"),
    QLatin1String("border.strong"),
    QLatin1String("border.focus"),
    QLatin1String("text.primary"),
    QLatin1String("text.secondary"),
    QLatin1String("text.tertiary"),
    QLatin1String("text.disabled"),
    QLatin1String("text.onAccent"),
    QLatin1String("accent.base"),
    QLatin1String("accent.hover"),
    QLatin1String("accent.pressed"),
    QLatin1String("accent.tint"),
    QLatin1String("accent.text"),
    QLatin1String("status.ok"),
    QLatin1String("status.okBg"),
    QLatin1String("status.info"),
    QLatin1String("status.infoBg"),
    QLatin1String("status.warn"),
    QLatin1String("status.warnBg"),
    QLatin1String("status.crit"),
    QLatin1String("status.critBg"),
    QLatin1String("status.warnMark"),
    QLatin1String("status.critMark"),
    QLatin1String("status.neutral"),
    QLatin1String("status.neutralBg"),
    QLatin1String("vendor.nvidia"),
    QLatin1String("vendor.ascend"),
    QLatin1String("vendor.cambricon"),
    QLatin1String("vendor.other"),
    QLatin1String("label.inference"),
    QLatin1String("label.inferenceBg"),
    QLatin1String("label.inferenceFill"),
    QLatin1String("label.training"),
    QLatin1String("label.trainingBg"),
    QLatin1String("label.trainingFill"),
    QLatin1String("label.trainingHatch"),
    QLatin1String("label.mixed"),
    QLatin1String("label.mixedBg"),
    QLatin1String("label.idle"),
    QLatin1String("chart.1"),
    QLatin1String("chart.2"),
    QLatin1String("chart.3"),
    QLatin1String("chart.4"),
    QLatin1String("chart.5"),
    QLatin1String("chart.6"),
    QLatin1String("chart.7"),
    QLatin1String("chart.8"),
    QLatin1String("chart.grid"),
    QLatin1String("chart.axis"),
    QLatin1String("chart.slo"),
    QLatin1String("util.0"),
    QLatin1String("util.1"),
    QLatin1String("util.2"),
    QLatin1String("util.3"),
    QLatin1String("util.4"),
    QLatin1String("util.5"),
    QLatin1String("util.6"),
    QLatin1String("util.7"),
    QLatin1String("util.8"),
    QLatin1String("util.9"),
    QLatin1String("util.line"),
};
static_assert(colorNames.size() == std::size_t(ColorToken::Count));

} // namespace

QLatin1String colorTokenName(ColorToken token)
{
    return colorNames.at(std::size_t(token));
}

} // namespace tongchi
