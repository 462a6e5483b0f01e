#include "widgets/charts/history_chart.h"

#include "widgets/charts/history_plot.h"
#include "widgets/feedback/labels.h"
#include "widgets/theme/figure_label.h"
#include "widgets/theme/tabular.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <cmath>

namespace tongchi {

namespace {

constexpr int historyPlotHeight = 46;
constexpr int historyAxisHeight = 22;
constexpr int historyTicks = 5;

} // namespace

HistoryChart::HistoryChart(const Theme &theme, QWidget *parent) : QWidget(parent), m_theme(theme)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, historyAxisHeight);
    layout->setSpacing(0);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void HistoryChart::setRange(qint64 from, qint64 to, qint64 staleFrom)
{
    m_from = from;
    m_to = to;
    m_staleFrom = staleFrom;
    for (const Row &row : m_rows) {
        row.plot->setRange(from, to);
        row.plot->setStaleFrom(staleFrom);
    }
    update();
}

void HistoryChart::setTimeText(std::function<QString(qint64)> text)
{
    m_timeText = std::move(text);
    update();
}

void HistoryChart::setGapAfter(qint64 milliseconds)
{
    m_gapAfter = milliseconds;
    for (const Row &row : m_rows)
        row.plot->setGapAfter(milliseconds);
}

void HistoryChart::setQuantities(std::vector<HistoryQuantity> quantities)
{
    m_quantities = std::move(quantities);
    while (m_rows.size() < m_quantities.size()) {
        Row row{};
        auto *head = new QHBoxLayout;
        head->setContentsMargins(0, 6, 0, 3);
        row.title = plainLabel("smallSecondary", this);
        row.value = new FigureLabel(m_theme, TextRole::TableStrong, this);
        row.value->setAlignment(Qt::AlignRight);
        head->addWidget(row.title);
        head->addStretch();
        head->addWidget(row.value);
        row.plot = new HistoryPlot(m_theme, this);
        row.plot->setFixedHeight(historyPlotHeight);
        row.plot->setGapAfter(m_gapAfter);
        row.plot->setRange(m_from, m_to);
        row.plot->setStaleFrom(m_staleFrom);
        row.instead = plainLabel("smallTertiary", this);
        row.instead->setWordWrap(true);
        auto *box = qobject_cast<QVBoxLayout *>(layout());
        box->addLayout(head);
        box->addWidget(row.plot);
        box->addWidget(row.instead);
        connect(row.plot, &HistoryPlot::hovered, this, &HistoryChart::setCrosshair);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        const bool used = i < m_quantities.size();
        const bool plotted = used && m_quantities[i].instead.isEmpty();
        row.title->setVisible(used);
        row.value->setVisible(plotted);
        row.plot->setVisible(plotted);
        row.instead->setVisible(used && !plotted);
        if (!used)
            continue;
        const HistoryQuantity &quantity = m_quantities[i];
        row.title->setText(quantity.title);
        row.instead->setText(quantity.instead);
        row.plot->setValues(quantity.points, quantity.low, quantity.high);
        row.plot->setLimit(quantity.limit, quantity.limitText);
    }
    showValues();
}

void HistoryChart::setCrosshair(qint64 time)
{
    m_crosshair = time;
    for (const Row &row : m_rows)
        row.plot->setCrosshair(time);
    showValues();
    update();
}

void HistoryChart::showValues()
{
    QStringList sentences;
    for (std::size_t i = 0; i < m_quantities.size(); ++i) {
        const HistoryQuantity &quantity = m_quantities[i];
        std::optional<double> shown;
        double least = NAN;
        double greatest = NAN;
        for (const HistoryPoint &point : quantity.points) {
            if (std::isnan(point.value))
                continue;
            if (m_crosshair <= 0)
                shown = double(point.value);
            least = std::isnan(least) ? double(point.value) : std::min(least, double(point.value));
            greatest = std::isnan(greatest) ? double(point.value) : std::max(greatest, double(point.value));
        }
        if (m_crosshair > 0) {
            if (const auto value = m_rows[i].plot->valueAt(m_crosshair))
                shown = double(*value);
        }
        const auto text = [&quantity](double value) {
            return quantity.text ? quantity.text(value) : QString::number(value, 'f', 0);
        };
        m_rows[i].value->setText(shown ? text(*shown) : QStringLiteral("\u2014"),
                                 shown ? quantity.unit : QString());
        if (!std::isnan(least)) {
            //: For a screen reader: quantity, least and greatest value with their unit.
            sentences.append(
                tr("%1 from %2 to %3 %4").arg(quantity.title, text(least), text(greatest), quantity.unit));
        }
    }
    setAccessibleDescription(sentences.join(QStringLiteral("; ")));
}

void HistoryChart::paintEvent(QPaintEvent *)
{
    if (!m_timeText || m_rows.empty())
        return;
    QPainter painter(this);
    const QFont &font = m_theme.font(TextRole::Caption);
    const double top = height() - historyAxisHeight + 3;
    for (int tick = 0; tick < historyTicks; ++tick) {
        const qint64 time = m_from + (m_to - m_from) * tick / (historyTicks - 1);
        const bool last = tick == historyTicks - 1;
        const qint64 shown = last && m_crosshair > 0 ? m_crosshair : time;
        const QString text = m_timeText(shown);
        const double textWide = tabularWidth(font, text);
        const double x =
            qBound(0.0, width() * tick / double(historyTicks - 1) - textWide / 2, width() - textWide);
        painter.setPen(m_theme.color(last ? ColorToken::AccentText : ColorToken::ChartAxis));
        drawTabular(painter, QRectF(x, top, textWide, 16), Qt::AlignLeft, text, font);
    }
}

} // namespace tongchi
