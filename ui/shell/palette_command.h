#pragma once

#include <QString>
#include <functional>

namespace tongchi {

/// Something the command palette can do.
struct PaletteCommand
{
    enum class Group { Selection, Command, Card, Workload, Help };
    Group group = Group::Command;
    QString text;       ///< in the interface's language
    QString otherNames; ///< the other language, pinyin initials ("fs"); searched, not shown
    QString hint;
    QString keys; ///< "Ctrl+Shift+L"
    const char *icon = nullptr;
    bool enabled = true; ///< listed in grey with the reason as hint
    std::function<void()> run;
};

/// How well a query fits a text: greater is better, negative not at all. Letters must occur in order;
/// beginnings of words and runs count more. Case is ignored, without the locale's rules.
int paletteScore(const QString &query, const QString &text);

} // namespace tongchi
