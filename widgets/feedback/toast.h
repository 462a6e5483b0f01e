#pragma once

#include "widgets/tables/cell_paint.h"

#include <QTimer>
#include <QWidget>
#include <chrono>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// One message of the stack.
class Toast final : public QWidget
{
    Q_OBJECT

public:
    Toast(const Theme &theme, Tone tone, const QString &text, const QString &action,
          std::chrono::milliseconds life, QWidget *parent);

    QString text() const;
    QSize sizeHint() const override;
    static constexpr int margin = 16; ///< room for the shadow on each side

Q_SIGNALS:
    void actionTriggered();
    void finished();

protected:
    void paintEvent(QPaintEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    const Theme &m_theme;
    Tone m_tone;
    QLabel *m_text;
    QToolButton *m_action;
    QToolButton *m_close;
    QTimer m_timer;
};

} // namespace tongchi
