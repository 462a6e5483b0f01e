#include "widgets/theme/theme.h"

#include "widgets/theme/style_sheet.h"
#include "widgets/theme/theme_icon.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>

namespace tongchi {

namespace {

struct ToneColors
{
    ColorToken text;
    ColorToken tint;
    bool hasTint;
};

constexpr ToneColors toneColors(Tone tone)
{
    using enum ColorToken;
    switch (tone) {
    case Tone::Primary:
        return {TextPrimary, StatusNeutralBg, false};
    case Tone::Secondary:
        return {TextSecondary, StatusNeutralBg, false};
    case Tone::Tertiary:
        return {TextTertiary, StatusNeutralBg, false};
    case Tone::Disabled:
        return {TextDisabled, StatusNeutralBg, false};
    case Tone::Accent:
        return {AccentText, AccentTint, true};
    case Tone::Ok:
        return {StatusOk, StatusOkBg, true};
    case Tone::Info:
        return {StatusInfo, StatusInfoBg, true};
    case Tone::Warn:
        return {StatusWarn, StatusWarnBg, true};
    case Tone::Crit:
        return {StatusCrit, StatusCritBg, true};
    case Tone::Neutral:
        return {StatusNeutral, StatusNeutralBg, true};
    case Tone::Inference:
        return {LabelInference, LabelInferenceBg, true};
    case Tone::Training:
        return {LabelTraining, LabelTrainingBg, true};
    case Tone::Mixed:
        return {LabelMixed, LabelMixedBg, true};
    case Tone::Idle:
        return {LabelIdle, BgPanel, false};
    case Tone::Nvidia:
        return {VendorNvidia, BgPanel, false};
    case Tone::Ascend:
        return {VendorAscend, BgPanel, false};
    case Tone::Cambricon:
        return {VendorCambricon, BgPanel, false};
    case Tone::OtherVendor:
        return {VendorOther, BgPanel, false};
    }
    return {TextPrimary, BgPanel, false};
}

QFont roleFont(const QStringList &families, int pixels, QFont::Weight weight)
{
    QFont font;
    font.setFamilies(families);
    font.setPixelSize(pixels);
    font.setWeight(weight);
    // The pictures are drawn on unhinted outlines; hinted advances make columns drift by a pixel.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

} // namespace

Theme::Theme(const QString &resources, QObject *parent)
    : QObject(parent), m_resources(resources), m_icons(resources + QStringLiteral("/icons"))
{
    readTokens();
    buildFonts();
}

Theme::~Theme() = default;

void Theme::readTokens()
{
    QFile file(m_resources + QStringLiteral("/tokens.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("theme: cannot read %s", qPrintable(file.fileName()));
        return;
    }
    const QJsonObject tokens = QJsonDocument::fromJson(file.readAll()).object();
    const QString names[] = {QStringLiteral("light"), QStringLiteral("dark")};
    for (std::size_t theme = 0; theme < 2; ++theme) {
        const QJsonObject colors = tokens.value(names[theme]).toObject();
        for (std::size_t i = 0; i < std::size_t(ColorToken::Count); ++i) {
            const QLatin1String name = colorTokenName(ColorToken(i));
            m_colors[theme][i] = QColor(colors.value(name).toString());
            if (!m_colors[theme][i].isValid())
                qWarning("theme: no colour %s", name.data());
        }
    }
    const QJsonObject motion = tokens.value(QLatin1String("motionMs")).toObject();
    m_durations = {motion.value(QLatin1String("fast")).toInt(90),
                   motion.value(QLatin1String("normal")).toInt(140),
                   motion.value(QLatin1String("slow")).toInt(220)};
}

void Theme::buildFonts()
{
    const QStringList sans{QStringLiteral("Inter"),
                           QStringLiteral("Noto Sans CJK SC"),
                           QStringLiteral("Source Han Sans SC"),
                           QStringLiteral("PingFang SC"),
                           QStringLiteral("Microsoft YaHei UI"),
                           QStringLiteral("WenQuanYi Micro Hei"),
                           QStringLiteral("Noto Sans"),
                           QStringLiteral("DejaVu Sans")};
    const QStringList mono{QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono CJK SC"),
                           QStringLiteral("DejaVu Sans Mono")};
    const auto set = [&](TextRole role, int pixels, QFont::Weight weight, const QStringList &families) {
        m_fonts[std::size_t(role)] = roleFont(families, pixels, weight);
    };
    set(TextRole::Caption, m_chinese ? 12 : 11, QFont::Normal, sans);
    set(TextRole::Table, 12, QFont::Normal, sans);
    set(TextRole::TableStrong, 12, QFont::Medium, sans);
    set(TextRole::Section, 12, QFont::DemiBold, sans);
    set(TextRole::Body, 13, QFont::Normal, sans);
    set(TextRole::BodyStrong, 13, QFont::Medium, sans);
    set(TextRole::Title, 15, QFont::DemiBold, sans);
    set(TextRole::Verdict, 18, QFont::DemiBold, sans);
    set(TextRole::Figure, 24, QFont::DemiBold, sans);
    set(TextRole::Code, 12, QFont::Normal, mono);
}

void Theme::install(QApplication &application)
{
    m_application = &application;
    m_systemDark = systemIsDark();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.installEventFilter(this);
    m_dark = m_mode == ThemeMode::Dark || (m_mode == ThemeMode::System && m_systemDark);
    refresh();
}

bool Theme::systemIsDark() const
{
    const QPalette palette = QApplication::palette();
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void Theme::setMode(ThemeMode mode)
{
    m_mode = mode;
    const bool dark = mode == ThemeMode::Dark || (mode == ThemeMode::System && m_systemDark);
    if (dark == m_dark)
        return;
    m_dark = dark;
    refresh();
}

void Theme::setChinese(bool chinese)
{
    if (chinese == m_chinese)
        return;
    m_chinese = chinese;
    buildFonts();
    refresh();
}

void Theme::refresh()
{
    if (m_application) {
        m_applying = true;
        QApplication::setFont(font(TextRole::Body));
        QApplication::setPalette(palette());
        m_application->setStyleSheet(styleSheet());
        m_applying = false;
    }
    Q_EMIT changed();
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_application && event->type() == QEvent::ApplicationPaletteChange && !m_applying) {
        // Our own palette arrives here too; only one that we did not set says something about the system.
        const QPalette now = QApplication::palette();
        if (now.color(QPalette::Window) != color(ColorToken::BgApp)) {
            m_systemDark =
                now.color(QPalette::Window).lightness() < now.color(QPalette::WindowText).lightness();
            if (m_mode == ThemeMode::System)
                setMode(ThemeMode::System);
        }
    }
    return QObject::eventFilter(watched, event);
}

QColor Theme::color(Tone tone) const
{
    return color(toneColors(tone).text);
}

QColor Theme::tint(Tone tone) const
{
    const ToneColors colors = toneColors(tone);
    return colors.hasTint ? color(colors.tint) : QColor();
}

QIcon Theme::icon(const char *name, int size, ColorToken normal, ColorToken checked) const
{
    return QIcon(new ThemeIcon(this, name, size, normal, checked));
}

QPixmap Theme::pixmap(const char *name, int size, const QColor &color, qreal ratio) const
{
    return m_icons.pixmap(name, size, color, ratio);
}

int Theme::duration(const char *name) const
{
    if (m_reducedMotion ||
        (m_application && m_application->style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0))
        return 0;
    return m_durations[qstrcmp(name, "fast") == 0 ? 0 : qstrcmp(name, "slow") == 0 ? 2 : 1];
}

QPalette Theme::palette() const
{
    using enum ColorToken;
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, ColorToken token, ColorToken disabled) {
        palette.setColor(QPalette::Active, role, color(token));
        palette.setColor(QPalette::Inactive, role, color(token));
        palette.setColor(QPalette::Disabled, role, color(disabled));
    };
    set(QPalette::Window, BgApp, BgApp);
    set(QPalette::WindowText, TextPrimary, TextDisabled);
    set(QPalette::Base, BgPanel, BgPanel);
    set(QPalette::AlternateBase, BgSunken, BgSunken);
    set(QPalette::Text, TextPrimary, TextDisabled);
    set(QPalette::PlaceholderText, TextTertiary, TextDisabled);
    set(QPalette::Button, BgPanel, BgPanel);
    set(QPalette::ButtonText, TextPrimary, TextDisabled);
    set(QPalette::BrightText, StatusCrit, StatusCrit);
    set(QPalette::Highlight, AccentBase, BgPressed);
    set(QPalette::HighlightedText, TextOnAccent, TextDisabled);
    set(QPalette::ToolTipBase, BgRaised, BgRaised);
    set(QPalette::ToolTipText, TextPrimary, TextPrimary);
    set(QPalette::Link, AccentText, TextDisabled);
    set(QPalette::LinkVisited, AccentText, TextDisabled);
    set(QPalette::Light, BgHover, BgHover);
    set(QPalette::Midlight, BorderSubtle, BorderSubtle);
    set(QPalette::Mid, BorderDefault, BorderDefault);
    set(QPalette::Dark, BorderStrong, BorderStrong);
    set(QPalette::Shadow, BorderStrong, BorderStrong);
    return palette;
}

QString Theme::styleSheet() const
{
    QFile file(m_resources + QStringLiteral("/tongchi.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("theme: cannot read %s", qPrintable(file.fileName()));
        return {};
    }
    return renderStyleSheet(QString::fromUtf8(file.readAll()), *this);
}

} // namespace tongchi
