#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

enum class EmptyPicture : quint8 { NoMatch, NoConnection, NoPermission, NoCards };

/// A pane without rows: line picture of 96 x 64, one sentence of cause, one of remedy, up to two buttons.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(const Theme &theme, QWidget *parent = nullptr);

    void set(EmptyPicture picture, const QString &cause, const QString &remedy,
             const QString &firstAction = {}, const QString &secondAction = {}, bool firstIsPrimary = true);
    QString cause() const;
    QString remedy() const;
    QPushButton *firstButton() const { return m_first; }
    QPushButton *secondButton() const { return m_second; }

Q_SIGNALS:
    void firstTriggered();
    void secondTriggered();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    EmptyPicture m_picture = EmptyPicture::NoMatch;
    QWidget *m_space;
    QLabel *m_cause;
    QLabel *m_remedy;
    QPushButton *m_first;
    QPushButton *m_second;
};

} // namespace tongchi
