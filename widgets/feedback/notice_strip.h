#pragma once

#include "widgets/tables/cell_paint.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// The strip under a pane's head: icon, one sentence, one action. Hidden when there is nothing to say. Raises
/// a screen reader alert when a new sentence of tone Crit appears.
class NoticeStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit NoticeStrip(const Theme &theme, QWidget *parent = nullptr);

    /// An empty sentence hides the strip; an empty action hides the button.
    void say(Tone tone, const char *icon, const QString &sentence, const QString &action = {},
             const QString &detail = {});
    void clear();
    QString sentence() const;
    Tone tone() const { return m_tone; }
    QToolButton *actionButton() const { return m_action; }

Q_SIGNALS:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    QLabel *m_sentence;
    QToolButton *m_action;
    Tone m_tone = Tone::Warn;
    const char *m_icon = nullptr;
};

} // namespace tongchi
