#pragma once

#include "widgets/theme/color_token.h"

#include <QAbstractButton>

namespace tongchi {

class Theme;

/// A dot, "Live 2 s" and a pause mark: pauses and resumes live data. Paused, the dot is grey and the time of
/// the frozen picture stands there.
class LiveSwitch final : public QAbstractButton
{
    Q_OBJECT

public:
    LiveSwitch(const Theme &theme, QWidget *parent);

    void set(bool paused, ColorToken dot, const QString &word, const QString &detail);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    bool m_paused = false;
    ColorToken m_dot = ColorToken::StatusNeutral;
    QString m_word;
    QString m_detail;
};

} // namespace tongchi
