#pragma once

#include <QHeaderView>

namespace tongchi {

class CellDelegate;
class Theme;

/// Draws a check box of 14 px as the design has it.
void paintCheckBox(QPainter &painter, const Theme &theme, const QPoint &topLeft, Qt::CheckState state);

/// The check column left of the cells: checked means selected. Click toggles a row without touching the
/// others, drag paints the state of the first row over the rest, Shift+click extends from the current row.
class CheckGutter final : public QHeaderView
{
    Q_OBJECT

public:
    CheckGutter(const Theme &theme, const CellDelegate &delegate, QWidget *parent = nullptr);

    static constexpr int width = 36;

    QSize sizeHint() const override { return {width, 0}; }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;
    QSize sectionSizeFromContents(int) const override { return {width, 20}; }
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override { mousePressEvent(event); }
    void paintEvent(QPaintEvent *event) override;

private:
    void paintRows(int from, int to);

    const Theme &m_theme;
    const CellDelegate &m_delegate;
    int m_lastRow = -1; ///< -1: no drag
    bool m_checking = true;
};

/// The box in the corner over the check column: none, some or all of the shown rows are selected.
class SelectAllBox final : public QWidget
{
    Q_OBJECT

public:
    explicit SelectAllBox(const Theme &theme, QWidget *parent = nullptr);

    void setState(Qt::CheckState state);
    Qt::CheckState state() const { return m_state; }

Q_SIGNALS:
    void toggled();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    Qt::CheckState m_state = Qt::Unchecked;
};

} // namespace tongchi
