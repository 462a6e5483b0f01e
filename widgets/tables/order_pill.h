#pragma once

#include <QPushButton>

namespace tongchi {

class Theme;

/// "12 rows would move · Sort now": shown over a live table whose order is held still while somebody works in
/// it.
class OrderPill final : public QPushButton
{
    Q_OBJECT

public:
    explicit OrderPill(const Theme &theme, QWidget *parent);

    /// 0 hides it.
    void setRows(int rows);
    int rows() const { return m_rows; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    int m_rows = 0;
    QString m_statement;
    QString m_action;
};

} // namespace tongchi
