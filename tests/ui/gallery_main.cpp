// Paints the component gallery in both themes to PNG files: gallery FOLDER. Not a test; for looking at.

#include "tests/widgets/sample_table.h"
#include "widgets/charts/history_chart.h"
#include "widgets/feedback/empty_state.h"
#include "widgets/feedback/figure_strip.h"
#include "widgets/feedback/labels.h"
#include "widgets/feedback/notice_strip.h"
#include "widgets/feedback/segmented_control.h"
#include "widgets/feedback/skeleton_rows.h"
#include "widgets/feedback/status_chip.h"
#include "widgets/feedback/toast.h"
#include "widgets/filter/facet_list.h"
#include "widgets/filter/filter_field.h"
#include "widgets/tables/card_table_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <cmath>

using namespace tongchi;

namespace {

class GalleryFilter final : public FilterFieldSource
{
public:
    QList<FilterFieldToken> tokens(const QString &text) const override
    {
        QList<FilterFieldToken> list;
        const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
        for (const QString &word : words) {
            const qsizetype colon = word.indexOf(u':');
            const qsizetype less = word.indexOf(u'<');
            const qsizetype split = colon >= 0 ? colon + 1 : qMax<qsizetype>(0, less);
            list.append({word, word.left(split), word.mid(split), {}});
        }
        return list;
    }
    QList<FilterFieldSuggestion> suggestions(const QString &, const QStringList &) const override
    {
        return {};
    }
    QString canonical(const QString &text) const override { return text; }
};

QPushButton *button(const QString &text, const char *kind, QWidget *parent)
{
    auto *made = new QPushButton(text, parent);
    made->setProperty("kind", QString::fromLatin1(kind));
    return made;
}

QWidget *components(const Theme &theme, const FilterFieldSource &filter)
{
    auto *page = new QWidget;
    page->setProperty("role", QStringLiteral("pane"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto *grid = new QVBoxLayout(page);
    grid->setContentsMargins(20, 12, 20, 12);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(button(QStringLiteral("Apply"), "primary", page));
    auto *dry = button(QStringLiteral("Dry run"), "", page);
    dry->setIcon(theme.icon("dry-run", 16, ColorToken::TextPrimary));
    buttons->addWidget(dry);
    buttons->addWidget(button(QStringLiteral("Discard"), "ghost", page));
    buttons->addWidget(button(QStringLiteral("Delete..."), "danger", page));
    buttons->addWidget(button(QStringLiteral("Drain 2 nodes"), "destructive", page));
    auto *off = button(QStringLiteral("Off"), "", page);
    off->setEnabled(false);
    buttons->addWidget(off);
    auto *small = button(QStringLiteral("Small"), "", page);
    small->setProperty("small", true);
    buttons->addWidget(small);
    buttons->addStretch();
    grid->addLayout(buttons);
    auto *inputs = new QHBoxLayout;
    inputs->addWidget(new QLineEdit(QStringLiteral("rest"), page));
    auto *wrong = new QLineEdit(QStringLiteral("error"), page);
    wrong->setProperty("invalid", QStringLiteral("true"));
    inputs->addWidget(wrong);
    auto *combo = new QComboBox(page);
    combo->addItems({QStringLiteral("bj-prod"), QStringLiteral("wlcb-train")});
    inputs->addWidget(combo);
    auto *check = new QCheckBox(QStringLiteral("Check"), page);
    check->setChecked(true);
    inputs->addWidget(check);
    auto *radio = new QRadioButton(QStringLiteral("Radio"), page);
    radio->setChecked(true);
    inputs->addWidget(radio);
    auto *segments = new SegmentedControl(theme, page);
    segments->setChoices({{QStringLiteral("Table"), "view-table"}, {QStringLiteral("Wall"), "view-wall"}});
    inputs->addWidget(segments);
    grid->addLayout(inputs);
    auto *chips = new QHBoxLayout;
    const auto chip = [&](Tone tone, const char *icon, const char *text) {
        auto *made = new StatusChip(theme, page);
        made->set(tone, icon, QString::fromUtf8(text));
        chips->addWidget(made);
    };
    chip(Tone::Inference, "label-inference", "推理");
    chip(Tone::Training, "label-training", "Training");
    chip(Tone::Mixed, "label-mixed", "Mixed");
    chip(Tone::Idle, "label-idle", "Idle");
    chip(Tone::Ok, "status-ok", "Pass");
    chip(Tone::Info, "play", "Running");
    chip(Tone::Warn, "status-warning", "At limit");
    chip(Tone::Crit, "status-critical", "Fault");
    chip(Tone::Neutral, "status-unknown", "Unknown");
    chips->addStretch();
    grid->addLayout(chips);
    auto *field = new FilterField(theme, filter, page);
    field->setText(QStringLiteral("vendor:ascend util<20"));
    field->setCount(QStringLiteral("2,312 of 7,500"));
    grid->addWidget(field);
    auto *strip = new NoticeStrip(theme, page);
    strip->say(
        Tone::Warn, "status-stale",
        QStringLiteral("Prometheus has been silent for 7 min. Values are from 14:35:02; actions still work."),
        QStringLiteral("Check"));
    grid->addWidget(strip);
    auto *figures = new FigureStrip(theme, page);
    QByteArray spark;
    for (int i = 0; i < 60; ++i)
        spark.append(char(60 + int(8 * std::sin(i / 5.0))));
    figures->setFigures({{QStringLiteral("a"),
                          QStringLiteral("Cards available"),
                          {{QStringLiteral("7,455"), nullptr, Tone::Primary}},
                          QStringLiteral("/ 7,500"),
                          {},
                          0,
                          {}},
                         {QStringLiteral("b"),
                          QStringLiteral("Mean utilisation"),
                          {{QStringLiteral("61.8%"), nullptr, Tone::Primary}},
                          {},
                          spark,
                          86,
                          {}},
                         {QStringLiteral("c"),
                          QStringLiteral("Fault / stale"),
                          {{QStringLiteral("5"), "status-critical", Tone::Crit},
                           {QStringLiteral("16"), "status-stale", Tone::Warn}},
                          {},
                          {},
                          0,
                          {}}});
    grid->addWidget(figures);
    auto *row = new QHBoxLayout;
    row->addWidget(new Toast(theme, Tone::Ok, QStringLiteral("2 nodes cordoned"), QStringLiteral("Undo"),
                             std::chrono::seconds(600), page));
    row->addWidget(new Toast(theme, Tone::Crit, QStringLiteral("Drain stopped: 1 pod has no owner"),
                             QStringLiteral("Show"), std::chrono::seconds(600), page));
    grid->addLayout(row);
    auto *chart = new HistoryChart(theme, page);
    std::vector<HistoryQuantity> quantities(2);
    quantities[0].title = QStringLiteral("Utilisation");
    quantities[0].unit = QStringLiteral("%");
    quantities[1].title = QStringLiteral("Temperature");
    quantities[1].unit = QStringLiteral("°C");
    quantities[1].limit = 85;
    quantities[1].limitText = QStringLiteral("throttle 85 °C");
    for (int i = 0; i < 110; ++i) {
        const float value = i > 40 && i < 50 ? NAN : float(50 + 40 * std::sin(i / 9.0));
        quantities[0].points.push_back({1'000'000LL + i * 30'000LL, value});
        quantities[1].points.push_back({1'000'000LL + i * 30'000LL, 30 + value / 3});
    }
    chart->setQuantities(std::move(quantities));
    chart->setRange(1'000'000, 1'000'000 + 3'600'000, 1'000'000 + 109 * 30'000LL);
    chart->setTimeText([](qint64 time) { return QString::number(time / 60'000); });
    chart->setCrosshair(1'000'000 + 2'000'000);
    grid->addWidget(chart);
    grid->addStretch();
    page->resize(720, 560);
    return page;
}

QWidget *tablePage(const Theme &theme, QAbstractItemModel *table, const CellSource *cells, Density density)
{
    auto *page = new QWidget;
    page->setObjectName(QStringLiteral("gallery"));
    auto *layout = new QHBoxLayout(page);
    layout->setContentsMargins(60, 44, 0, 26);
    layout->setSpacing(0);
    auto *facets = new FacetList(theme, page);
    facets->setFixedWidth(196);
    facets->setSections({{0,
                          QStringLiteral("Vendor"),
                          {{QStringLiteral("nvidia"), QStringLiteral("NVIDIA"), QStringLiteral("1,344"),
                            "vendor-nvidia", Tone::Nvidia, 1, false, false, 0},
                           {QStringLiteral("a"), QStringLiteral("Ascend"), QStringLiteral("800"),
                            "vendor-ascend", Tone::Ascend, 0.6, false, false, 0},
                           {QStringLiteral("c"), QStringLiteral("Cambricon"), QStringLiteral("168"),
                            "vendor-cambricon", Tone::Cambricon, 0.12, false, false, 0}}},
                         {1,
                          QStringLiteral("Region"),
                          {{QStringLiteral("b"), QStringLiteral("Beijing"), QStringLiteral("2,312"), "region",
                            Tone::Secondary, 1, true, false, 0},
                           {QStringLiteral("u"), QStringLiteral("Ulanqab"), QStringLiteral("1,968"), "region",
                            Tone::Secondary, 0.85, false, false, 0},
                           {QStringLiteral("i"), QStringLiteral("Idle"), QStringLiteral("296"), "label-idle",
                            Tone::Idle, 0.1, false, true, 0}}}});
    layout->addWidget(facets);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addSpacing(138);
    auto *view = new CardTableView(theme, page);
    view->setModel(table);
    view->setCells(cells, test::SampleTable::columns());
    view->setDensity(density);
    view->sortByColumn(4, Qt::DescendingOrder);
    view->selectRow(6);
    right->addWidget(view);
    layout->addLayout(right);
    page->resize(1440, 900);
    return page;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    QDir().mkpath(folder);
    Theme theme;
    theme.setMode(ThemeMode::Light);
    theme.install(application);
    test::SampleTable table(2000);
    GalleryFilter filter;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
        const QString suffix = dark ? QStringLiteral("-dark.png") : QStringLiteral("-light.png");
        std::unique_ptr<QWidget> page(components(theme, filter));
        page->grab().save(folder + QStringLiteral("/components") + suffix);
        std::unique_ptr<QWidget> sample(
            tablePage(theme, &table, &table, dark ? Density::Compact : Density::Regular));
        sample->grab().save(folder + QStringLiteral("/table") + suffix);
        EmptyState empty(theme);
        empty.set(
            EmptyPicture::NoMatch, QStringLiteral("No card matches"),
            QStringLiteral(
                "vendor:cambricon and region:ulanqab exclude each other: Ulanqab has no Cambricon cards."),
            QStringLiteral("Clear filters"), QStringLiteral("Drop region"), false);
        empty.resize(454, 332);
        empty.grab().save(folder + QStringLiteral("/empty") + suffix);
    }
    return 0;
}
