#pragma once

#include <QLatin1String>
#include <QtGlobal>

namespace tongchi {

/// Every colour of resources/tokens.json, in the order of the file. The names are checked against it when it
/// is read.
enum class ColorToken : quint8 {
    BgApp,
    BgPanel,
    BgSunken,
    BgRaised,
    BgHover,
    BgPressed,
    BgSelected,
    BgSelectedHover,
    BgScrim,
    BorderSubtle,
    BorderDefault,
    BorderStrong,
    BorderFocus,
    TextPrimary,
    TextSecondary,
    TextTertiary,
    TextDisabled,
    TextOnAccent,
    AccentBase,
    AccentHover,
    AccentPressed,
    AccentTint,
    AccentText,
    StatusOk,
    StatusOkBg,
    StatusInfo,
    StatusInfoBg,
    StatusWarn,
    StatusWarnBg,
    StatusCrit,
    StatusCritBg,
    StatusWarnMark,
    StatusCritMark,
    StatusNeutral,
    StatusNeutralBg,
    VendorNvidia,
    VendorAscend,
    VendorCambricon,
    VendorOther,
    LabelInference,
    LabelInferenceBg,
    LabelInferenceFill,
    LabelTraining,
    LabelTrainingBg,
    LabelTrainingFill,
    LabelTrainingHatch,
    LabelMixed,
    LabelMixedBg,
    LabelIdle,
    Chart1,
    Chart2,
    Chart3,
    Chart4,
    Chart5,
    Chart6,
    Chart7,
    Chart8,
    ChartGrid,
    ChartAxis,
    ChartSlo,
    Util0,
    Util1,
    Util2,
    Util3,
    Util4,
    Util5,
    Util6,
    Util7,
    Util8,
    Util9,
    UtilLine,
    Count
};

/// The name in tokens.json ("bg.app").
QLatin1String colorTokenName(ColorToken token);

/// One of the ten steps of the utilisation ramp; ratio is 0..1.
constexpr ColorToken utilizationStep(double ratio)
{
    const int step = ratio <= 0 ? 0 : ratio >= 1 ? 9 : int(ratio * 10);
    return ColorToken(int(ColorToken::Util0) + step);
}

/// Series 1 to 8 of a chart; index starts at 0 and wraps.
constexpr ColorToken chartSeries(int index)
{
    return ColorToken(int(ColorToken::Chart1) + index % 8);
}

} // namespace tongchi
