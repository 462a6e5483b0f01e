#pragma once

#include <QFrame>
#include <QList>
#include <QString>

QT_BEGIN_NAMESPACE
class QKeyEvent;
class QListView;
class QStandardItemModel;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// One line of a popover. All texts are plain.
struct PopoverRow
{
    QString text;
    QString hint;     ///< grey, behind the text
    QString trailing; ///< at the right edge: a count or keys
    const char *icon = nullptr;
    bool isGroup = false;   ///< a head line, cannot be chosen
    bool isEnabled = true;  ///< listed in grey, with the reason as hint, but cannot be chosen
    bool isChecked = false; ///< a check mark at the right
};

/// A raised list under a field or button: a child of the window, not a window of its own, so that the
/// keyboard focus stays where it was. The owner hands it the keys (handleKey) or gives it the focus.
class PopoverList final : public QFrame
{
    Q_OBJECT

public:
    /// `owner` decides when it closes; the list moves into the owner's window when it opens.
    PopoverList(const Theme &theme, QWidget *owner);

    void setRows(const QList<PopoverRow> &rows);
    const QList<PopoverRow> &rows() const { return m_rows; }
    int currentRow() const;
    void setCurrentRow(int row);

    /// Under `anchor`, at least `width` px wide, as high as its rows up to ten.
    void openBelow(const QWidget *anchor, int width);
    /// Inside another widget's layout, without frame: the command palette.
    void setEmbedded(int rowHeight);
    /// Up, Down, Page Up, Page Down, Enter, Tab, Escape. False: not for the list.
    bool handleKey(QKeyEvent *event);

Q_SIGNALS:
    void chosen(int row);
    void closed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void step(int by);
    int heightOfRows() const;

    const Theme &m_theme;
    QList<PopoverRow> m_rows;
    QStandardItemModel *m_model;
    QListView *m_view;
    int m_rowHeight = 28;
    bool m_embedded = false;
};

} // namespace tongchi
