#pragma once

#include "widgets/theme/text_cache.h"

#include <QHeaderView>
#include <vector>

namespace tongchi {

class Theme;
struct ColumnSpec;

/// Column heads: 12 px 500 in text.tertiary, the sorted one in text.primary with a 12 px chevron. Painted,
/// since a style sheet would turn them bold with the selection. Columns are dragged, resized and sorted as
/// usual.
class CardHeader final : public QHeaderView
{
    Q_OBJECT

public:
    explicit CardHeader(const Theme &theme, QWidget *parent = nullptr);

    /// Owned by the view.
    void setSpecs(const std::vector<ColumnSpec> *specs) { m_specs = specs; }
    /// The width that shows the title and the chevron.
    int neededWidth(int logicalIndex);

protected:
    void paintSection(QPainter *painter, const QRect &rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent *event) override;
    QSize sectionSizeFromContents(int logicalIndex) const override;

private:
    const Theme &m_theme;
    const std::vector<ColumnSpec> *m_specs = nullptr;
    mutable TextCache m_texts;
};

} // namespace tongchi
