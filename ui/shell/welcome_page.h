#pragma once

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// What is shown before any cluster was connected: what the program does, and the two ways in.
class WelcomePage final : public QWidget
{
    Q_OBJECT

public:
    explicit WelcomePage(const Theme &theme, QWidget *parent = nullptr);

Q_SIGNALS:
    void connectRequested();
    void demoRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    QWidget *m_markPlace;
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_demo;
    QPushButton *m_connect;
    QLabel *m_note;
};

} // namespace tongchi
