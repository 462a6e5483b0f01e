#include "ui/shell/palette_command.h"

namespace tongchi {

int paletteScore(const QString &query, const QString &text)
{
    if (query.isEmpty())
        return 0;
    const QString wanted = query.toCaseFolded();
    const QString there = text.toCaseFolded();
    if (const qsizetype at = there.indexOf(wanted); at >= 0)
        return 1000 - int(qMin<qsizetype>(at, 200)) + (at == 0 || there[at - 1] == u' ' ? 300 : 0);
    int score = 0;
    qsizetype from = 0;
    qsizetype previous = -2;
    for (const QChar c : wanted) {
        if (c == u' ')
            continue;
        const qsizetype at = there.indexOf(c, from);
        if (at < 0)
            return -1;
        score += at == previous + 1 ? 12 : at == 0 || there[at - 1] == u' ' ? 8 : 1;
        previous = at;
        from = at + 1;
    }
    return score;
}

} // namespace tongchi
