#pragma once

#include "models/inventory/card_details.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QLabel;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// Facts of a card, one below the other: name, value, age, and under the value where it comes from. Labels
/// are kept and filled anew each second; only texts that differ cause a layout.
class DetailRows final : public QWidget
{
    Q_OBJECT

public:
    explicit DetailRows(QWidget *parent = nullptr);

    void setRows(const QList<DetailRow> &rows);

private:
    struct Labels
    {
        QLabel *name;
        QLabel *value;
        QLabel *age;
        QLabel *source;
    };

    QGridLayout *m_grid;
    QList<Labels> m_labels;
};

} // namespace tongchi
