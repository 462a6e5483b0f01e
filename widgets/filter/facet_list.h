#pragma once

#include "widgets/tables/cell_paint.h"

#include <QAbstractButton>
#include <QList>
#include <QScrollArea>

namespace tongchi {

class FacetRowButton;
class OverlayScrollBar;
class Theme;

/// One value of a facet as it is drawn.
struct FacetEntry
{
    QString key; ///< handed back with a click
    QString text;
    QString count; ///< formatted
    const char *icon = nullptr;
    Tone iconTone = Tone::Secondary;
    double share = 0; ///< 0..1, the bar behind the text
    bool chosen = false;
    bool excluded = false;
    bool operator==(const FacetEntry &) const = default;
    int indent = 0; ///< a value below another one
};

struct FacetSection
{
    int id = 0; ///< handed back with a click
    QString title;
    QList<FacetEntry> entries;
};

enum class FacetGesture : quint8 { Choose, AddAnother, Exclude };

/// The facet column. A click chooses a value (or takes it away again), Ctrl+click adds another value,
/// Alt+click excludes. Up and Down move between rows, Enter and Space choose, with the same modifiers; one
/// row at a time is a tab stop. Rows are kept between updates, so that the focus and the pointer's place
/// survive new counts.
class FacetList final : public QScrollArea
{
    Q_OBJECT

public:
    explicit FacetList(const Theme &theme, QWidget *parent = nullptr);

    void setSections(const QList<FacetSection> &sections);
    const QList<FacetSection> &sections() const { return m_sections; }
    QList<FacetRowButton *> rows() const { return m_rows; }

Q_SIGNALS:
    void clicked(int section, const QString &key, FacetGesture gesture);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void layOut();
    void moveFocus(FacetRowButton *from, int by);

    const Theme &m_theme;
    QList<FacetSection> m_sections;
    QList<QWidget *> m_titles;
    QList<FacetRowButton *> m_rows;
    OverlayScrollBar *m_bar;
};

/// One row; a button so that it has an accessible name and state.
class FacetRowButton final : public QAbstractButton
{
    Q_OBJECT

public:
    FacetRowButton(const Theme &theme, QWidget *parent);

    void set(int section, const FacetEntry &entry);
    int section() const { return m_section; }
    const FacetEntry &entry() const { return m_entry; }

Q_SIGNALS:
    void chosen(Qt::KeyboardModifiers modifiers);
    void moveRequested(int by);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    FacetEntry m_entry;
    int m_section = 0;
};

} // namespace tongchi
