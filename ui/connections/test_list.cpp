#include "ui/connections/test_list.h"

#include "widgets/feedback/labels.h"
#include "widgets/theme/figure_label.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QToolButton>

namespace tongchi {

namespace {

struct TestMark
{
    const char *icon;
    ColorToken color;
};

TestMark testMark(ConnectionTest::State state)
{
    switch (state) {
    case ConnectionTest::State::Waiting:
        return {"status-unknown", ColorToken::TextTertiary};
    case ConnectionTest::State::Running:
        return {"refresh", ColorToken::AccentText};
    case ConnectionTest::State::Passed:
        return {"check", ColorToken::StatusOk};
    case ConnectionTest::State::Warning:
        return {"status-warning", ColorToken::StatusWarn};
    case ConnectionTest::State::Failed:
        return {"status-critical", ColorToken::StatusCrit};
    }
    return {"status-unknown", ColorToken::TextTertiary};
}

} // namespace

TestList::TestList(const Theme &theme, QWidget *parent) : QScrollArea(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("testList"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto *page = new QWidget;
    page->setProperty("role", QStringLiteral("sunken"));
    page->setAttribute(Qt::WA_StyledBackground);
    m_layout = new QVBoxLayout(page);
    m_layout->setContentsMargins(16, 0, 16, 8);
    m_layout->setSpacing(0);
    m_layout->addStretch();
    setWidget(page);
    connect(&theme, &Theme::changed, this, [this] { setTests(m_tests); });
}

TestList::Row TestList::makeRow()
{
    Row row{};
    row.box = new QWidget(widget());
    row.icon = new QLabel(row.box);
    row.icon->setFixedSize(16, 20);
    row.title = plainLabel("body", row.box);
    row.title->setFont(m_theme.font(TextRole::TableStrong));
    row.latency = new FigureLabel(m_theme, TextRole::Caption, row.box);
    row.latency->setTone(Tone::Tertiary);
    row.latency->setAlignment(Qt::AlignRight);
    row.fact = plainLabel("smallSecondary", row.box);
    row.fact->setWordWrap(true);
    row.fact->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row.remedy = plainLabel("smallSecondary", row.box);
    row.remedy->setWordWrap(true);
    row.action = new QToolButton(row.box);
    row.action->setProperty("role", QStringLiteral("link"));
    auto *grid = new QGridLayout(row.box);
    grid->setContentsMargins(0, 8, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->addWidget(row.icon, 0, 0, Qt::AlignTop);
    grid->addWidget(row.title, 0, 1);
    grid->addWidget(row.latency, 0, 2, Qt::AlignRight);
    grid->addWidget(row.fact, 1, 1, 1, 2);
    grid->addWidget(row.remedy, 2, 1, 1, 2);
    grid->addWidget(row.action, 3, 1, 1, 2, Qt::AlignLeft);
    grid->setRowMinimumHeight(4, 6);
    grid->addWidget(hairline(row.box), 5, 0, 1, 3);
    grid->setColumnStretch(1, 1);
    return row;
}

void TestList::setTests(const QList<ConnectionTest> &tests)
{
    m_tests = tests;
    while (m_rows.size() < tests.size()) {
        const Row row = makeRow();
        const qsizetype number = m_rows.size();
        row.action->setObjectName(QStringLiteral("testAction%1").arg(number));
        connect(row.action, &QToolButton::clicked, this,
                [this, number] { Q_EMIT actionTriggered(m_tests.value(number).id); });
        m_layout->insertWidget(int(number), row.box);
        m_rows.append(row);
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        row.box->setVisible(i < tests.size());
        if (i >= tests.size())
            continue;
        const ConnectionTest &test = tests[i];
        const TestMark mark = testMark(test.state);
        row.icon->setPixmap(m_theme.pixmap(mark.icon, 16, m_theme.color(mark.color), devicePixelRatioF()));
        row.title->setText(test.title);
        row.latency->setText(test.state == ConnectionTest::State::Running ? QStringLiteral("\u2026")
                                                                          : test.latency);
        row.fact->setText(test.fact);
        row.fact->setVisible(!test.fact.isEmpty());
        row.remedy->setText(test.remedy);
        row.remedy->setVisible(!test.remedy.isEmpty());
        row.action->setText(test.action);
        row.action->setVisible(!test.action.isEmpty());
    }
}

} // namespace tongchi
