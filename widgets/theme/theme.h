#pragma once

#include "widgets/tables/cell_paint.h"
#include "widgets/theme/color_token.h"
#include "widgets/theme/icon_store.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <array>

QT_BEGIN_NAMESPACE
class QApplication;
class QPalette;
QT_END_NAMESPACE

namespace tongchi {

enum class ThemeMode : quint8 { Light, Dark, System };

/// Type roles of design.md section 5.
enum class TextRole : quint8 {
    Caption,     ///< 11 px, Chinese interface 12
    Table,       ///< 12 px
    TableStrong, ///< 12 px, 500
    Section,     ///< 12 px, 600
    Body,        ///< 13 px
    BodyStrong,  ///< 13 px, 500
    Title,       ///< 15 px, 600
    Verdict,     ///< 18 px, 600
    Figure,      ///< 24 px, 600
    Code,        ///< 12 px, fixed width
    Count
};

/// Colours, fonts, icons and the style sheet of both themes. One object lives as long as the application and
/// is handed to every widget that paints; nothing reads colours from anywhere else. GUI thread.
///
/// Follow system: Qt 6.4 has no colour scheme hint, so the lightness of the platform's window and text
/// colours is compared, at start and after every ApplicationPaletteChange that is not our own.
class Theme : public QObject
{
    Q_OBJECT

public:
    /// Reads tokens.json and tongchi.qss from below `resources` (":/tongchi" in the program).
    explicit Theme(const QString &resources = QStringLiteral(":/tongchi"), QObject *parent = nullptr);
    ~Theme() override;

    /// Sets the application's style, font, palette and style sheet and keeps them in step from now on.
    void install(QApplication &application);

    void setMode(ThemeMode mode);
    ThemeMode mode() const { return m_mode; }
    bool isDark() const { return m_dark; }

    /// Chinese interface texts want one pixel more in the smallest role.
    void setChinese(bool chinese);
    bool isChinese() const { return m_chinese; }

    QColor color(ColorToken token) const { return m_colors[m_dark ? 1 : 0][std::size_t(token)]; }
    QColor color(Tone tone) const;
    /// Background of a chip or strip of that tone; invalid for tones that have none.
    QColor tint(Tone tone) const;
    const QFont &font(TextRole role) const { return m_fonts[std::size_t(role)]; }

    IconStore &icons() const { return m_icons; }
    /// An icon that follows the theme by itself: painted in `normal`, in `checked` when on, in text.disabled
    /// when off.
    QIcon icon(const char *name, int size = 16, ColorToken normal = ColorToken::TextSecondary,
               ColorToken checked = ColorToken::AccentText) const;
    /// Vendor marks have names too ("vendor-nvidia").
    QPixmap pixmap(const char *name, int size, const QColor &color, qreal ratio) const;

    /// 90, 140, 220 ms from tokens.json, or 0 when motion is reduced.
    int duration(const char *name) const;
    void setReducedMotion(bool reduced) { m_reducedMotion = reduced; }

    QString styleSheet() const;
    QPalette palette() const;

Q_SIGNALS:
    /// Colours or fonts changed; the style sheet is already applied.
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void readTokens();
    void buildFonts();
    bool systemIsDark() const;
    void refresh();
    QString checkImage(const char *icon, ColorToken token, int size) const;

    QString m_resources;
    std::array<std::array<QColor, std::size_t(ColorToken::Count)>, 2> m_colors;
    std::array<QFont, std::size_t(TextRole::Count)> m_fonts;
    mutable IconStore m_icons;
    QApplication *m_application = nullptr;
    ThemeMode m_mode = ThemeMode::System;
    bool m_dark = false;
    bool m_chinese = false;
    bool m_systemDark = false;
    bool m_applying = false;
    bool m_reducedMotion = false;
    std::array<int, 3> m_durations{90, 140, 220};
};

} // namespace tongchi
