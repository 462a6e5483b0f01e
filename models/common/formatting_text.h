#pragma once

#include <QCoreApplication>

namespace tongchi {

/// The translation context of numbers with words.
struct FormattingText
{
    Q_DECLARE_TR_FUNCTIONS(Formatting)
};

} // namespace tongchi
