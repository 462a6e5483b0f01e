#pragma once

#include "ui/connections/connections_view.h"

#include <QAbstractButton>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QVBoxLayout;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// One profile: icon, name, context, and a dot while it is connected.
class ProfileButton final : public QAbstractButton
{
    Q_OBJECT

public:
    ProfileButton(const Theme &theme, QWidget *parent);

    void set(const ConnectionProfile &profile, bool current);
    const ConnectionProfile &profile() const { return m_profile; }
    QSize sizeHint() const override { return {200, 50}; }

Q_SIGNALS:
    void moveRequested(int by);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    const Theme &m_theme;
    ConnectionProfile m_profile;
    bool m_current = false;
};

/// The profiles at the left of the connections dialog, the demo pool first and set apart by a line.
class ProfileList final : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileList(const Theme &theme, QWidget *parent = nullptr);

    void setProfiles(const QList<ConnectionProfile> &profiles, const QString &current);
    QList<ProfileButton *> buttons() const { return m_buttons; }
    ProfileButton *currentButton() const;

Q_SIGNALS:
    void chosen(const QString &id);

private:
    const Theme &m_theme;
    QVBoxLayout *m_layout;
    QList<ProfileButton *> m_buttons;
    QWidget *m_line;
    QString m_current;
};

} // namespace tongchi
