#pragma once

#include "widgets/feedback/scrim_dialog.h"
#include "widgets/tables/density.h"
#include "widgets/theme/theme.h"

QT_BEGIN_NAMESPACE
class QCheckBox;
class QPushButton;
QT_END_NAMESPACE

namespace tongchi {

class SegmentedControl;

/// Language, theme, density, single-letter keys, motion. Every choice is in effect at once; there is nothing
/// to apply.
class SettingsDialog final : public ScrimDialog
{
    Q_OBJECT

public:
    SettingsDialog(const Theme &theme, QWidget *window, QMargins insets);

    struct Choices
    {
        bool chinese = false;
        ThemeMode theme = ThemeMode::System;
        Density density = Density::Regular;
        bool singleKeys = true;
        bool reducedMotion = false;
    };
    void setChoices(const Choices &choices);

Q_SIGNALS:
    void languageChosen(bool chinese);
    void themeChosen(tongchi::ThemeMode mode);
    void densityChosen(tongchi::Density density);
    void singleKeysChosen(bool on);
    void reducedMotionChosen(bool on);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    QLabel *m_languageName;
    QLabel *m_themeName;
    QLabel *m_densityName;
    SegmentedControl *m_language;
    SegmentedControl *m_themeChoice;
    SegmentedControl *m_density;
    QCheckBox *m_singleKeys;
    QCheckBox *m_reducedMotion;
    QPushButton *m_done;
};

} // namespace tongchi
