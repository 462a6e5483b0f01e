#pragma once

#include "models/common/formatting.h"
#include "models/inventory/node_action_controller.h"
#include "widgets/feedback/diff_view.h"
#include "widgets/feedback/scrim_dialog.h"

QT_BEGIN_NAMESPACE
class QPushButton;
QT_END_NAMESPACE

namespace tongchi {

/// What an action would change, as the server's dry run says, before it is made: which nodes, how many cards
/// they carry and how many of them were chosen. Stays open with the reasons when part of it failed.
class ActionSheet final : public ScrimDialog
{
    Q_OBJECT

public:
    ActionSheet(const Theme &theme, NodeActionController &actions, QWidget *window);

    /// Opens on the action that was just prepared.
    void openFor(const Formatting &formatting);
    QPushButton *confirmButton() const { return m_confirm; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    QString title() const;
    QString confirmText() const;
    static void appendLines(QList<DiffLine> &lines, const NodeActionLine &line);

    NodeActionController &m_actions;
    Formatting m_formatting;
    QLabel *m_statement;
    QLabel *m_note;
    DiffView *m_diff;
    QPushButton *m_cancel;
    QPushButton *m_confirm;
};

} // namespace tongchi
