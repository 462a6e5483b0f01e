#include "ui/shell/settings_dialog.h"

#include "widgets/feedback/labels.h"
#include "widgets/feedback/segmented_control.h"

#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace tongchi {

SettingsDialog::SettingsDialog(const Theme &theme, QWidget *window, QMargins insets)
    : ScrimDialog(theme, window, QSize(520, 330), insets), m_languageName(plainLabel("smallSecondary", this)),
      m_themeName(plainLabel("smallSecondary", this)), m_densityName(plainLabel("smallSecondary", this)),
      m_language(new SegmentedControl(theme, this)), m_themeChoice(new SegmentedControl(theme, this)),
      m_density(new SegmentedControl(theme, this)), m_singleKeys(new QCheckBox(this)),
      m_reducedMotion(new QCheckBox(this)), m_done(new QPushButton(this))
{
    setObjectName(QStringLiteral("settingsDialog"));
    m_language->setObjectName(QStringLiteral("settingsLanguage"));
    m_themeChoice->setObjectName(QStringLiteral("settingsTheme"));
    m_density->setObjectName(QStringLiteral("settingsDensity"));
    m_singleKeys->setObjectName(QStringLiteral("settingsSingleKeys"));
    m_reducedMotion->setObjectName(QStringLiteral("settingsReducedMotion"));
    m_done->setObjectName(QStringLiteral("settingsDone"));
    m_done->setProperty("kind", QStringLiteral("primary"));
    auto *grid = new QGridLayout;
    grid->setContentsMargins(20, 18, 20, 18);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(14);
    grid->setColumnMinimumWidth(0, 120);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_languageName, 0, 0);
    grid->addWidget(m_language, 0, 1, Qt::AlignLeft);
    grid->addWidget(m_themeName, 1, 0);
    grid->addWidget(m_themeChoice, 1, 1, Qt::AlignLeft);
    grid->addWidget(m_densityName, 2, 0);
    grid->addWidget(m_density, 2, 1, Qt::AlignLeft);
    grid->addWidget(m_singleKeys, 3, 1);
    grid->addWidget(m_reducedMotion, 4, 1);
    body()->addLayout(grid);
    body()->addStretch();
    foot()->addStretch();
    foot()->addWidget(m_done);
    connect(m_language, &SegmentedControl::currentChanged, this,
            [this](int i) { Q_EMIT languageChosen(i == 1); });
    connect(m_themeChoice, &SegmentedControl::currentChanged, this,
            [this](int i) { Q_EMIT themeChosen(ThemeMode(i)); });
    connect(m_density, &SegmentedControl::currentChanged, this,
            [this](int i) { Q_EMIT densityChosen(Density(i)); });
    connect(m_singleKeys, &QCheckBox::toggled, this, &SettingsDialog::singleKeysChosen);
    connect(m_reducedMotion, &QCheckBox::toggled, this, &SettingsDialog::reducedMotionChosen);
    connect(m_done, &QPushButton::clicked, this, [this] { closeDialog(); });
    retranslate();
}

void SettingsDialog::retranslate()
{
    setTitle(tr("Settings"), "settings");
    m_languageName->setText(tr("Language"));
    m_themeName->setText(tr("Theme"));
    m_densityName->setText(tr("Density"));
    m_language->setAccessibleName(tr("Language"));
    m_themeChoice->setAccessibleName(tr("Theme"));
    m_density->setAccessibleName(tr("Density"));
    // Each language is named in itself, so that it can be found from the other one.
    m_language->setChoices({{QStringLiteral("English")}, {QStringLiteral("中文")}});
    m_themeChoice->setChoices({{tr("Light")}, {tr("Dark")}, {tr("Follow system")}});
    m_density->setChoices({{tr("Compact")}, {tr("Regular")}, {tr("Comfortable")}});
    m_singleKeys->setText(tr("Single-letter keys (C, L, /) in tables"));
    m_reducedMotion->setText(tr("Reduce motion"));
    m_done->setText(tr("Done"));
}

void SettingsDialog::changeEvent(QEvent *event)
{
    ScrimDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void SettingsDialog::setChoices(const Choices &choices)
{
    m_language->setCurrent(choices.chinese ? 1 : 0);
    m_themeChoice->setCurrent(int(choices.theme));
    m_density->setCurrent(int(choices.density));
    const QSignalBlocker keys(m_singleKeys);
    const QSignalBlocker motion(m_reducedMotion);
    m_singleKeys->setChecked(choices.singleKeys);
    m_reducedMotion->setChecked(choices.reducedMotion);
}

} // namespace tongchi
