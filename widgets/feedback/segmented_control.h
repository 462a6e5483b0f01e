#pragma once

#include <QWidget>

namespace tongchi {

class Theme;

/// Two to five choices of which one is always set. Arrow keys move, as in a group of radio buttons.
class SegmentedControl final : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentedControl(const Theme &theme, QWidget *parent = nullptr);

    struct Choice
    {
        QString text;
        const char *icon = nullptr;
    };
    /// Keeps the current index when it still exists.
    void setChoices(const QList<Choice> &choices);
    void setCurrent(int index);
    int current() const { return m_current; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QList<double> widths() const;
    void choose(int index);

    const Theme &m_theme;
    QList<Choice> m_choices;
    int m_current = 0;
};

} // namespace tongchi
