#pragma once

#include <QList>
#include <QPlainTextEdit>

namespace tongchi {

class Theme;

struct DiffLine
{
    enum class Kind { Context, Head, Removed, Added, Problem };
    Kind kind = Kind::Context;
    QString text;
};

/// Read-only lines in the code font with a sign in the gutter; added and removed lines on their tints.
/// Selectable.
class DiffView final : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit DiffView(const Theme &theme, QWidget *parent = nullptr);

    void setLines(const QList<DiffLine> &lines);

private:
    void colour();

    const Theme &m_theme;
    QList<DiffLine> m_lines;
};

} // namespace tongchi
