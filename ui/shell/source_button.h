#pragma once

#include "ui/shell/status_line.h"

#include <QAbstractButton>

namespace tongchi {

class SourceButton final : public QAbstractButton
{
    Q_OBJECT

public:
    SourceButton(const Theme &theme, QWidget *parent);

    void set(const SourceItem &item);
    const SourceItem &item() const { return m_item; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    SourceItem m_item;
};

} // namespace tongchi
