#include "widgets/feedback/diff_view.h"

#include "widgets/theme/theme.h"

#include <QTextBlock>

namespace tongchi {

DiffView::DiffView(const Theme &theme, QWidget *parent) : QPlainTextEdit(parent), m_theme(theme)
{
    setObjectName(QStringLiteral("diffView"));
    setProperty("role", QStringLiteral("code"));
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(12);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    connect(&theme, &Theme::changed, this, [this] { colour(); });
}

void DiffView::setLines(const QList<DiffLine> &lines)
{
    m_lines = lines;
    QString text;
    for (const DiffLine &line : lines) {
        const char16_t sign = line.kind == DiffLine::Kind::Added     ? u'+'
                              : line.kind == DiffLine::Kind::Removed ? u'\u2212'
                              : line.kind == DiffLine::Kind::Head    ? u'~'
                              : line.kind == DiffLine::Kind::Problem ? u'!'
                                                                     : u' ';
        if (!text.isEmpty())
            text += u'\n';
        QString shown = line.text.left(500);
        shown.replace(u'\n', u' ');
        text += QChar(sign) + QStringLiteral(" ") + shown;
    }
    if (text != toPlainText())
        setPlainText(text);
    colour();
}

void DiffView::colour()
{
    QList<QTextEdit::ExtraSelection> selections;
    QTextBlock block = document()->firstBlock();
    for (const DiffLine &line : std::as_const(m_lines)) {
        if (!block.isValid())
            break;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        switch (line.kind) {
        case DiffLine::Kind::Added:
            selection.format.setBackground(m_theme.color(ColorToken::StatusOkBg));
            break;
        case DiffLine::Kind::Removed:
            selection.format.setBackground(m_theme.color(ColorToken::StatusCritBg));
            break;
        case DiffLine::Kind::Problem:
            selection.format.setBackground(m_theme.color(ColorToken::StatusWarnBg));
            break;
        case DiffLine::Kind::Head:
        case DiffLine::Kind::Context:
            selection.format.setBackground(m_theme.color(ColorToken::BgSunken));
            break;
        }
        selections.append(selection);
        block = block.next();
    }
    setExtraSelections(selections);
}

} // namespace tongchi
