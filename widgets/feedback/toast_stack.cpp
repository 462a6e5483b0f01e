#include "widgets/feedback/toast_stack.h"

#include "widgets/feedback/toast.h"
#include "widgets/theme/theme.h"

namespace tongchi {

ToastStack::ToastStack(const Theme &theme, QWidget *window, std::chrono::milliseconds life)
    : QWidget(window), m_theme(theme), m_life(life)
{
    setObjectName(QStringLiteral("toastStack"));
    hide();
}

void ToastStack::add(Tone tone, const QString &text, const QString &action, std::function<void()> done)
{
    m_history.append(text);
    if (m_history.size() > 200)
        m_history.removeFirst();
    auto *toast = new Toast(m_theme, tone, text, action, m_life, this);
    connect(toast, &Toast::actionTriggered, this, [done = std::move(done)] {
        if (done)
            done();
    });
    connect(toast, &Toast::finished, this, [this, toast] {
        if (m_toasts.removeOne(toast)) {
            toast->hide();
            toast->deleteLater();
            layOut();
        }
    });
    m_toasts.append(toast);
    while (m_toasts.size() > 3) {
        Toast *oldest = m_toasts.takeFirst();
        oldest->hide();
        oldest->deleteLater();
    }
    toast->show();
    layOut();
}

int ToastStack::count() const
{
    return int(m_toasts.size());
}

QStringList ToastStack::texts() const
{
    QStringList list;
    for (const Toast *toast : m_toasts)
        list.append(toast->text());
    return list;
}

void ToastStack::placeAt(const QPoint &bottomLeft)
{
    m_bottomLeft = bottomLeft;
    layOut();
}

void ToastStack::layOut()
{
    // Cards overlap by their shadow's margin, so that 8 px of air stay between them.
    constexpr int step = 2 * Toast::margin - 8;
    int height = 0;
    int width = 0;
    for (Toast *toast : std::as_const(m_toasts)) {
        const QSize size = toast->sizeHint();
        toast->resize(size);
        toast->move(0, height);
        height += size.height() - step;
        width = qMax(width, size.width());
    }
    height += m_toasts.isEmpty() ? 0 : step;
    setVisible(!m_toasts.isEmpty());
    setGeometry(m_bottomLeft.x() - Toast::margin, m_bottomLeft.y() - height + Toast::margin, width, height);
    raise();
}

} // namespace tongchi
