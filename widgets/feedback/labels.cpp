#include "widgets/feedback/labels.h"

#include <QStyle>
#include <QVariant>

namespace tongchi {

QLabel *plainLabel(const char *role, QWidget *parent, const QString &text)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QString::fromLatin1(role));
    label->setText(text);
    return label;
}

void setStyleRole(QWidget *widget, const char *property, const QString &value)
{
    if (widget->property(property).toString() == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

void fitWrapped(QLabel *label, int width)
{
    label->ensurePolished();
    label->setWordWrap(true);
    label->setFixedWidth(width);
    label->setFixedHeight(label->heightForWidth(width));
}

QString buttonText(const QString &text)
{
    return QString(text).replace(u'&', QLatin1String("&&"));
}

QWidget *hairline(QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setProperty("role", QStringLiteral("line"));
    line->setFixedHeight(1);
    return line;
}

} // namespace tongchi
