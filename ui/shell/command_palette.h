#pragma once

#include "ui/shell/palette_command.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
QT_END_NAMESPACE

namespace tongchi {

class PopoverList;
class Theme;

/// Ctrl+K: one field over real commands, cards and workloads. ">" narrows to commands, "@" to nodes, "#" to
/// labels, "?" to help. A child of the window over a scrim; Escape closes and gives the focus back.
class CommandPalette final : public QWidget
{
    Q_OBJECT

public:
    using Provider = std::function<QList<PaletteCommand>(const QString &query)>;

    CommandPalette(const Theme &theme, QWidget *window);

    /// `provider` gives the commands and what the query finds besides; asked anew with every key.
    void open(Provider provider, const QString &selection);
    void closePalette();
    QLineEdit *editor() const { return m_edit; }
    const QList<PaletteCommand> &shown() const { return m_shown; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void layOut();
    void search();
    void runRow(int row);
    void retranslate();

    const Theme &m_theme;
    QWidget *m_window;
    QWidget *m_card;
    QLineEdit *m_edit;
    QLabel *m_selection;
    QLabel *m_foot;
    PopoverList *m_list;
    Provider m_provider;
    QList<PaletteCommand> m_shown;
    QList<int> m_rowCommands; ///< -1: a head line
    QWidget *m_returnFocus = nullptr;
};

} // namespace tongchi
