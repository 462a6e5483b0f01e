#include "widgets/feedback/empty_state.h"

#include "widgets/feedback/labels.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

namespace tongchi {

namespace {

constexpr QSize pictureSize(96, 64);

void paintEmptyPicture(QPainter &painter, const Theme &theme, EmptyPicture picture, const QRectF &box)
{
    const QColor line = theme.color(ColorToken::BorderStrong);
    const QColor faint = theme.color(ColorToken::BgPressed);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto at = [&box](double x, double y) { return box.topLeft() + QPointF(x, y); };
    const auto bars = [&](double x, double y, std::initializer_list<double> widths) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(faint);
        for (const double width : widths) {
            painter.drawRoundedRect(QRectF(at(x, y), QSizeF(width, 4)), 2, 2);
            y += 9;
        }
        painter.setBrush(Qt::NoBrush);
    };
    switch (picture) {
    case EmptyPicture::NoMatch:
    case EmptyPicture::NoCards: {
        QPen dashed(line, 1.4);
        dashed.setDashPattern({3, 2.4});
        painter.setPen(dashed);
        painter.drawRoundedRect(QRectF(at(8, 8), QSizeF(80, 44)), 3, 3);
        bars(18, 20, {28, 40, 20});
        if (picture == EmptyPicture::NoMatch) {
            painter.setBrush(theme.color(ColorToken::BgPanel));
            painter.setPen(QPen(line, 1.5));
            painter.drawEllipse(at(70, 41), 11, 11);
            painter.drawLine(at(78, 49), at(87, 58));
        }
        break;
    }
    case EmptyPicture::NoConnection:
        painter.setPen(QPen(line, 1.5));
        painter.drawRoundedRect(QRectF(at(8, 14), QSizeF(29, 35)), 4, 4);
        painter.drawRoundedRect(QRectF(at(59, 14), QSizeF(29, 35)), 4, 4);
        bars(14, 22, {17, 17});
        bars(65, 22, {17, 17});
        painter.setPen(QPen(theme.color(ColorToken::StatusCritMark), 1.8));
        painter.drawLine(at(38, 31.5), at(43, 31.5));
        painter.drawLine(at(53, 31.5), at(58, 31.5));
        painter.drawLine(at(44.5, 28), at(51.5, 35));
        painter.drawLine(at(51.5, 28), at(44.5, 35));
        break;
    case EmptyPicture::NoPermission: {
        painter.setPen(QPen(line, 1.6));
        painter.drawRoundedRect(QRectF(at(32, 28), QSizeF(32, 26)), 4, 4);
        QPainterPath shackle;
        shackle.moveTo(at(38, 28));
        shackle.lineTo(at(38, 21));
        shackle.arcTo(QRectF(at(38, 11), QSizeF(20, 20)), 180, -180);
        shackle.lineTo(at(58, 28));
        painter.drawPath(shackle);
        painter.drawLine(at(48, 38), at(48, 45));
        break;
    }
    }
}

} // namespace

EmptyState::EmptyState(const Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_space(new QWidget(this)), m_cause(plainLabel("section", this)),
      m_remedy(plainLabel("smallSecondary", this)), m_first(new QPushButton(this)),
      m_second(new QPushButton(this))
{
    setObjectName(QStringLiteral("emptyState"));
    m_space->setFixedSize(pictureSize);
    m_cause->setObjectName(QStringLiteral("emptyCause"));
    m_cause->setAlignment(Qt::AlignCenter);
    m_cause->setWordWrap(true);
    m_remedy->setObjectName(QStringLiteral("emptyRemedy"));
    m_remedy->setAlignment(Qt::AlignCenter);
    m_remedy->setWordWrap(true);
    m_first->setObjectName(QStringLiteral("emptyFirst"));
    m_second->setObjectName(QStringLiteral("emptySecond"));
    for (QPushButton *button : {m_first, m_second})
        button->setProperty("small", true);
    m_second->setProperty("kind", QStringLiteral("ghost"));
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_first);
    buttons->addWidget(m_second);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(5);
    layout->addWidget(m_space, 0, Qt::AlignHCenter);
    layout->addSpacing(14);
    layout->addWidget(m_cause, 0, Qt::AlignHCenter);
    layout->addSpacing(2);
    layout->addWidget(m_remedy, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addStretch(6);
    connect(m_first, &QPushButton::clicked, this, &EmptyState::firstTriggered);
    connect(m_second, &QPushButton::clicked, this, &EmptyState::secondTriggered);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void EmptyState::set(EmptyPicture picture, const QString &cause, const QString &remedy,
                     const QString &firstAction, const QString &secondAction, bool firstIsPrimary)
{
    m_picture = picture;
    m_cause->setText(cause);
    m_remedy->setText(remedy);
    fitWrapped(m_cause, 420);
    fitWrapped(m_remedy, 420);
    m_remedy->setVisible(!remedy.isEmpty());
    setStyleRole(m_first, "kind", firstIsPrimary ? QStringLiteral("primary") : QString());
    m_first->setText(buttonText(firstAction));
    m_first->setVisible(!firstAction.isEmpty());
    m_second->setText(buttonText(secondAction));
    m_second->setVisible(!secondAction.isEmpty());
    update();
}

QString EmptyState::cause() const
{
    return m_cause->text();
}

QString EmptyState::remedy() const
{
    return m_remedy->text();
}

void EmptyState::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorToken::BgPanel));
    paintEmptyPicture(painter, m_theme, m_picture, QRectF(m_space->geometry()));
}

} // namespace tongchi
