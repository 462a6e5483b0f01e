#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// A dialog inside the main window, over a scrim: no window of its own, so that the pane stays in view and
/// nothing waits in a nested event loop. Keeps the keyboard focus inside while it is open and gives it back
/// when it closes. Escape closes unless setBusy(true): a write is under way.
class ScrimDialog : public QWidget
{
    Q_OBJECT

public:
    /// Covers `window` from below `topInset` px (the top bar) and right of `leftInset` px (the rail).
    ScrimDialog(const Theme &theme, QWidget *window, const QSize &cardSize, QMargins insets = {});

    void setTitle(const QString &title, const char *icon = nullptr);
    void open();
    void closeDialog();
    bool isOpen() const { return !isHidden(); }
    void setBusy(bool busy);
    bool isBusy() const { return m_busy; }

    /// Goes between head and foot, filling the width.
    QVBoxLayout *body() const { return m_body; }
    /// Right-aligned buttons go here; insert a stretch to push something left.
    QHBoxLayout *foot() const { return m_foot; }
    QWidget *card() const { return m_card; }
    void setCardSize(const QSize &size);
    /// Shrinks the card's height to its contents.
    void fitHeight();

Q_SIGNALS:
    void dismissed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void layOut();
    QList<QWidget *> focusable() const;

    const Theme &m_theme;
    QWidget *m_window;
    QSize m_cardSize;
    QMargins m_insets;
    QWidget *m_card;
    QLabel *m_icon;
    QLabel *m_title;
    QToolButton *m_close;
    QVBoxLayout *m_body;
    QHBoxLayout *m_foot;
    QWidget *m_returnFocus = nullptr;
    const char *m_iconName = nullptr;
    bool m_busy = false;
};

} // namespace tongchi
