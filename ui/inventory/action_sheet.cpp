#include "ui/inventory/action_sheet.h"

#include "models/common/error_text.h"
#include "platform/core/text_encoding.h"
#include "widgets/feedback/labels.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace tongchi {

namespace {

constexpr int mostDiffNodes = 100;

QString labelValueText(BusinessLabel label)
{
    return label == BusinessLabel::Unknown ? QString() : QString::fromLatin1(labelKey(label));
}

} // namespace

ActionSheet::ActionSheet(const Theme &theme, NodeActionController &actions, QWidget *window)
    : ScrimDialog(theme, window, QSize(560, 420)), m_actions(actions), m_statement(plainLabel("body", this)),
      m_note(plainLabel("smallSecondary", this)), m_diff(new DiffView(theme, this)),
      m_cancel(new QPushButton(this)), m_confirm(new QPushButton(this))
{
    setObjectName(QStringLiteral("actionSheet"));
    m_statement->setObjectName(QStringLiteral("actionStatement"));
    m_statement->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("actionNote"));
    m_note->setWordWrap(true);
    auto *text = new QVBoxLayout;
    text->setContentsMargins(16, 12, 16, 10);
    text->setSpacing(4);
    text->addWidget(m_statement);
    text->addWidget(m_note);
    body()->addLayout(text);
    body()->addWidget(m_diff, 1);
    m_cancel->setObjectName(QStringLiteral("actionCancel"));
    m_confirm->setObjectName(QStringLiteral("actionConfirm"));
    m_confirm->setProperty("kind", QStringLiteral("primary"));
    foot()->addStretch();
    foot()->addWidget(m_cancel);
    foot()->addWidget(m_confirm);
    connect(m_cancel, &QPushButton::clicked, this, [this] { closeDialog(); });
    connect(m_confirm, &QPushButton::clicked, this, [this] { m_actions.confirm(); });
    connect(this, &ScrimDialog::dismissed, this, [this] {
        if (m_actions.phase() == NodeActionController::Phase::Asking ||
            m_actions.phase() == NodeActionController::Phase::Confirm)
            m_actions.cancel();
    });
    connect(&m_actions, &NodeActionController::changed, this, [this] {
        if (isOpen())
            refresh();
    });
    connect(&m_actions, &NodeActionController::finished, this, [this](int, int failed) {
        setBusy(false);
        if (failed == 0)
            closeDialog();
        else
            refresh();
    });
}

void ActionSheet::openFor(const Formatting &formatting)
{
    m_formatting = formatting;
    refresh();
    open();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

void ActionSheet::changeEvent(QEvent *event)
{
    ScrimDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && isOpen())
        refresh();
}

QString ActionSheet::title() const
{
    const int nodes = int(m_actions.lines().size());
    const NodeChange &change = m_actions.change();
    if (m_actions.isUndo())
        return tr("Undo on %n node(s)", nullptr, nodes);
    if (change.unschedulable)
        return *change.unschedulable ? tr("Cordon %n node(s)", nullptr, nodes)
                                     : tr("Uncordon %n node(s)", nullptr, nodes);
    if (change.businessLabel == BusinessLabel::Unknown)
        return tr("Remove the business label of %n node(s)", nullptr, nodes);
    return tr("Label %n node(s) %1", nullptr, nodes)
        .arg(labelText(change.businessLabel.value_or(BusinessLabel::Unknown)));
}

QString ActionSheet::confirmText() const
{
    const int nodes = m_actions.readyNodes();
    const NodeChange &change = m_actions.change();
    if (change.unschedulable)
        return *change.unschedulable ? tr("Cordon %n node(s)", nullptr, nodes)
                                     : tr("Uncordon %n node(s)", nullptr, nodes);
    return tr("Label %n node(s)", nullptr, nodes);
}

void ActionSheet::appendLines(QList<DiffLine> &lines, const NodeActionLine &line)
{
    const QString node = visibleText(line.node);
    //: One node of an action: how many cards it carries and how many of them were chosen.
    const QString cards = tr("%1 of %2 cards chosen").arg(line.chosenCards).arg(line.cards);
    lines.append({DiffLine::Kind::Head,
                  node + QStringLiteral("  ") + visibleText(line.cluster) + QStringLiteral("  ") + cards});
    switch (line.state) {
    case NodeActionLine::State::Asking:
        lines.append({DiffLine::Kind::Context, tr("asking the server")});
        return;
    case NodeActionLine::State::Unchanged:
        lines.append({DiffLine::Kind::Context, tr("is already so")});
        return;
    case NodeActionLine::State::Refused:
    case NodeActionLine::State::Failed:
        lines.append({DiffLine::Kind::Problem, line.error ? errorLine(*line.error) : tr("refused")});
        return;
    default:
        break;
    }
    const auto yes = [](bool on) { return on ? QStringLiteral("true") : QStringLiteral("false"); };
    if (line.after.unschedulable) {
        if (line.before.unschedulable)
            lines.append({DiffLine::Kind::Removed,
                          QStringLiteral("spec.unschedulable: ") + yes(*line.before.unschedulable)});
        lines.append(
            {DiffLine::Kind::Added, QStringLiteral("spec.unschedulable: ") + yes(*line.after.unschedulable)});
    }
    if (line.after.businessLabel) {
        const QString key = QStringLiteral("metadata.labels.tongchi.io/business: ");
        if (const QString before = labelValueText(line.before.businessLabel.value_or(BusinessLabel::Unknown));
            !before.isEmpty())
            lines.append({DiffLine::Kind::Removed, key + before});
        if (const QString after = labelValueText(*line.after.businessLabel); !after.isEmpty())
            lines.append({DiffLine::Kind::Added, key + after});
    }
    for (const QString &warning : line.warnings)
        lines.append({DiffLine::Kind::Problem, visibleText(warning)});
    if (line.state == NodeActionLine::State::Done)
        lines.append({DiffLine::Kind::Context, tr("done")});
}

void ActionSheet::refresh()
{
    using Phase = NodeActionController::Phase;
    setTitle(title(), m_actions.change().unschedulable ? "cordon" : "label");
    const int nodes = m_actions.readyNodes();
    const int cards = m_actions.readyCards();
    const int chosen = m_actions.chosenCards();
    switch (m_actions.phase()) {
    case Phase::Asking:
        m_statement->setText(tr("Asking the server what would change."));
        break;
    case Phase::Confirm:
        if (nodes == 0)
            m_statement->setText(tr("Nothing would change."));
        else if (cards == chosen)
            m_statement->setText(
                listText({tr("%n node(s)", nullptr, nodes), tr("%n card(s)", nullptr, cards)}));
        else
            //: Cordon and labels act on whole nodes: "2 nodes, 16 cards; you chose 12".
            m_statement->setText(tr("%1, %2; you chose %3")
                                     .arg(tr("%n node(s)", nullptr, nodes), tr("%n card(s)", nullptr, cards),
                                          m_formatting.count(chosen)));
        break;
    case Phase::Applying:
        m_statement->setText(tr("Writing to the cluster."));
        break;
    case Phase::Finished:
        m_statement->setText(tr("Part of the change was not made. The reasons are below."));
        break;
    case Phase::None:
        break;
    }
    const NodeChange &change = m_actions.change();
    m_note->setText(change.unschedulable == true
                        ? tr("No new work will be placed on these nodes; what runs on them goes on.")
                    : change.unschedulable == false
                        ? tr("New work may be placed on these nodes again.")
                        : tr("The label belongs to the node and says what it is kept for; what runs on its "
                             "cards does not change."));
    QList<DiffLine> lines;
    int listed = 0;
    for (const NodeActionLine &line : m_actions.lines()) {
        if (listed++ >= mostDiffNodes) {
            lines.append({DiffLine::Kind::Context,
                          tr("and %n more node(s)", nullptr, int(m_actions.lines().size()) - mostDiffNodes)});
            break;
        }
        appendLines(lines, line);
    }
    m_diff->setLines(lines);
    const bool applying = m_actions.phase() == Phase::Applying;
    setBusy(applying);
    m_confirm->setText(confirmText());
    m_confirm->setVisible(m_actions.phase() != Phase::Finished);
    m_confirm->setEnabled(m_actions.phase() == Phase::Confirm && nodes > 0);
    m_cancel->setText(m_actions.phase() == Phase::Finished ? tr("Close") : tr("Cancel"));
    m_cancel->setEnabled(!applying);
    m_diff->setAccessibleName(tr("What will change"));
}

} // namespace tongchi
