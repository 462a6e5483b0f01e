#pragma once

#include "models/common/formatting.h"
#include "platform/inventory/card_store.h"

#include <QWidget>
#include <functional>

QT_BEGIN_NAMESPACE
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class FigureLabel;
class Theme;

/// Floats above the table's foot while cards are selected: how many, their memory and nodes, and what can be
/// done to their nodes. Actions that are not allowed are off and say why.
class SelectionBar final : public QWidget
{
    Q_OBJECT

public:
    explicit SelectionBar(const Theme &theme, QWidget *parent = nullptr);

    void setSelection(int cards, double gigabytes, int nodes, const Formatting &formatting);
    /// Off with the reason as tool tip and description.
    void setAllowed(bool allowed, const QString &reason);
    void openLabelMenu();
    QSize sizeHint() const override;

Q_SIGNALS:
    void cordonRequested();
    void uncordonRequested();
    void labelRequested(tongchi::BusinessLabel label); ///< Unknown: remove the label
    void clearRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    FigureLabel *m_count;
    FigureLabel *m_extent;
    QPushButton *m_cordon;
    QPushButton *m_uncordon;
    QPushButton *m_label;
    QMenu *m_labelMenu;
    QToolButton *m_close;
    QString m_reason;
    int m_cards = 0;
    int m_nodes = 0;
    double m_gigabytes = 0;
    Formatting m_formatting;
};

/// The menu of business labels, shared by everything that sets one.
void fillLabelMenu(QMenu &menu, const Theme &theme, QObject *context,
                   const std::function<void(BusinessLabel)> &chosen);

} // namespace tongchi
