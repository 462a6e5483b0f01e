#pragma once

#include "models/common/formatting.h"
#include "platform/inventory/inventory_delta.h"
#include "widgets/tables/cell_paint.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QToolButton;
QT_END_NAMESPACE

namespace tongchi {

class Theme;

/// One source in the status bar: dot, name, latency or age.
struct SourceItem
{
    QString id;                ///< handed back with a click
    QString name;              ///< "Kubernetes"
    QString detail;            ///< "3 clusters · 18 ms"
    Tone tone = Tone::Neutral; ///< of the dot
    QString toolTip;
    bool operator==(const SourceItem &) const = default;
};

/// What the sources of all clusters come to, one item a kind of source: the worst state gives the colour.
QList<SourceItem> sourceItems(const QList<ClusterStatus> &clusters, Instant now,
                              const Formatting &formatting);

/// Draws a dot, a name and a detail as one small button.
class SourceButton;

/// The bar at the foot: sources at the left; totals, data age, density, language, theme and clock at the
/// right. What does not fit leaves from the middle: totals first.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLine(const Theme &theme, QWidget *parent = nullptr);

    static constexpr int lineHeight = 26;

    void setSources(const QList<SourceItem> &items);
    void setTotals(const QString &totals, const QString &dataAge);
    void setChoices(const QString &density, const QString &language, const QString &themeName);
    void setClock(const QString &clock, const QString &note);
    QToolButton *densityButton() const { return m_density; }
    QToolButton *languageButton() const { return m_language; }
    QToolButton *themeButton() const { return m_themeButton; }

Q_SIGNALS:
    void sourceClicked(const QString &id);
    void densityClicked();
    void languageClicked();
    void themeClicked();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void layOut();
    void retranslate();

    const Theme &m_theme;
    QList<SourceButton *> m_sources;
    QString m_totals;
    QString m_dataAge;
    QString m_clock;
    QRect m_totalsPlace;
    QRect m_clockPlace;
    QToolButton *m_density;
    QToolButton *m_language;
    QToolButton *m_themeButton;
};

} // namespace tongchi
