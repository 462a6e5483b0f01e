#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

namespace tongchi {

/// A QLabel for numbers: tabular digits, plain text, and a second part in text.tertiary ("7,455" "/ 7,500").
class FigureLabel : public QWidget
{
    Q_OBJECT

public:
    FigureLabel(const Theme &theme, TextRole role, QWidget *parent = nullptr);

    void setText(const QString &text, const QString &unit = {});
    QString text() const { return m_text; }
    QString unit() const { return m_unit; }
    void setTone(Tone tone);
    void setUnitRole(TextRole role);
    void setAlignment(Qt::Alignment alignment);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    QString m_text;
    QString m_unit;
    TextRole m_role;
    TextRole m_unitRole = TextRole::Table;
    Tone m_tone = Tone::Primary;
    Qt::Alignment m_alignment = Qt::AlignLeft;
};

} // namespace tongchi
