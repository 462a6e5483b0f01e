#pragma once

#include "ui/connections/connections_view.h"

#include <QScrollArea>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace tongchi {

class FigureLabel;
class Theme;

/// The results at the right of the connections dialog. Rows are kept and filled anew, so that a text being
/// selected or a link with the focus survives the next result.
class TestList final : public QScrollArea
{
    Q_OBJECT

public:
    explicit TestList(const Theme &theme, QWidget *parent = nullptr);

    void setTests(const QList<ConnectionTest> &tests);

Q_SIGNALS:
    void actionTriggered(const QString &testId);

private:
    struct Row
    {
        QWidget *box;
        QLabel *icon;
        QLabel *title;
        FigureLabel *latency;
        QLabel *fact;
        QLabel *remedy;
        QToolButton *action;
    };
    Row makeRow();

    const Theme &m_theme;
    QVBoxLayout *m_layout;
    QList<Row> m_rows;
    QList<ConnectionTest> m_tests;
};

} // namespace tongchi
