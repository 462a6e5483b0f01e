#pragma once

#include "models/common/formatting.h"
#include "platform/core/clock.h"
#include "widgets/tables/cell_paint.h"

#include <QTimeZone>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class LiveSwitch;
class PaletteField;
class StatusChip;
class Theme;

/// Pools at the left, the command field in the middle, at the right the live switch with the data's age and
/// refresh.
class TopBar final : public QWidget
{
    Q_OBJECT

public:
    explicit TopBar(const Theme &theme, QWidget *parent = nullptr);

    /// Names of the connected clusters; "All pools" stands for more than one.
    void setPools(const QStringList &clusters, int regions, const Formatting &formatting);
    /// Which of the connected clusters are simulated.
    void setSimulated(const QStringList &clusters);
    struct Liveness
    {
        int clusters = 0;   ///< connected ones
        int live = 0;       ///< of them, those that answer
        int connecting = 0; ///< of them, those that have not answered yet
        QString age;        ///< of the newest sample in view
        QString frozenAt;   ///< time of the frozen picture while paused; else empty
    };
    void setLive(const Liveness &liveness);
    QToolButton *poolButton() const { return m_pools; }

Q_SIGNALS:
    void paletteRequested();
    void poolsRequested();
    void pauseToggled();
    void refreshRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void showSimulated();
    void layOut();

    const Theme &m_theme;
    QToolButton *m_pools;
    StatusChip *m_simulated;
    PaletteField *m_field;
    LiveSwitch *m_live;
    QToolButton *m_refresh;
    QStringList m_clusters, m_simulatedClusters;
    int m_regions = 0;
    Formatting m_formatting;
};

} // namespace tongchi
