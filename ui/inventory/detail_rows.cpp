#include "ui/inventory/detail_rows.h"

#include "models/common/formatting.h"
#include "widgets/feedback/labels.h"
#include "widgets/theme/plain_tool_tip.h"

#include <QGridLayout>

namespace tongchi {

namespace {

constexpr qsizetype longestDetail = 240; // a 200 KB value is cut before it is laid out

void fillDetail(QLabel *label, const QString &text, const QString &tip = {})
{
    const QString shown = text.size() > longestDetail ? text.left(longestDetail) + QChar(0x2026) : text;
    if (label->text() != shown)
        label->setText(shown);
    label->setToolTip(plainToolTip(text.size() > longestDetail ? text : tip));
    label->setVisible(!shown.isEmpty());
}

/// Long names without blanks (resources, queries) may break after punctuation, so that they never widen the
/// drawer.
QString breakable(QString text)
{
    static constexpr char16_t zeroWidthSpace = 0x200B;
    for (const char16_t mark : {u'/', u'.', u'_', u',', u'{', u'=', u'-'})
        text.replace(QChar(mark), QString(QChar(mark)) + QChar(zeroWidthSpace));
    return text;
}

} // namespace

DetailRows::DetailRows(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, 98);
    m_grid->setColumnStretch(1, 1);
}

void DetailRows::setRows(const QList<DetailRow> &rows)
{
    while (m_labels.size() < rows.size()) {
        const int line = int(m_labels.size()) * 2;
        Labels labels{plainLabel("smallTertiary", this), plainLabel("small", this),
                      plainLabel("smallTertiary", this), plainLabel("caption", this)};
        labels.value->setWordWrap(true);
        labels.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        labels.source->setWordWrap(true);
        labels.source->setTextInteractionFlags(Qt::TextSelectableByMouse);
        labels.name->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        labels.age->setAlignment(Qt::AlignTop | Qt::AlignRight);
        labels.name->setContentsMargins(0, 3, 0, 0);
        labels.value->setContentsMargins(0, 3, 0, 0);
        labels.age->setContentsMargins(0, 3, 0, 0);
        m_grid->addWidget(labels.name, line, 0);
        m_grid->addWidget(labels.value, line, 1);
        m_grid->addWidget(labels.age, line, 2);
        m_grid->addWidget(labels.source, line + 1, 1, 1, 2);
        m_labels.append(labels);
    }
    for (qsizetype i = 0; i < m_labels.size(); ++i) {
        const DetailRow row = rows.value(i);
        const Labels &labels = m_labels[i];
        fillDetail(labels.name, row.label);
        const bool used = i < rows.size();
        fillDetail(labels.value, !used                 ? QString()
                                 : row.value.isEmpty() ? Formatting::missing()
                                                       : breakable(row.value));
        fillDetail(labels.age, row.age);
        fillDetail(labels.source, breakable(row.source));
        setStyleRole(labels.value, "role",
                     row.tone == CellTone::Warn   ? QStringLiteral("warn")
                     : row.tone == CellTone::Crit ? QStringLiteral("error")
                                                  : QStringLiteral("small"));
    }
}

} // namespace tongchi
