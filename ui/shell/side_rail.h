#pragma once

#include <QWidget>

namespace tongchi {

class RailButton;
class Theme;

/// The bar at the left: product mark, panes, and at the foot connections and settings. Only panes that exist
/// are in it; always with a word under the icon.
class SideRail final : public QWidget
{
    Q_OBJECT

public:
    explicit SideRail(const Theme &theme, QWidget *parent = nullptr);

    static constexpr int railWidth = 60;

    void setConnectActive(bool active);
    void setSettingsActive(bool active);
    RailButton *cardsButton() const { return m_cards; }

Q_SIGNALS:
    void cardsRequested();
    void connectRequested();
    void settingsRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    const Theme &m_theme;
    RailButton *m_cards;
    RailButton *m_connect;
    RailButton *m_settings;
};

} // namespace tongchi
