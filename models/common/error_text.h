#pragma once

#include "platform/core/error.h"

#include <QString>

namespace tongchi {

/// What a person reads of an Error, in the language of the installed translators: what happened, to what,
/// what to do next. Plain text; arguments are shown as they are, control characters made visible. Any thread
/// that may translate.
struct ErrorText
{
    QString sentence; ///< what happened, to what
    QString remedy;   ///< what to do next; may be empty only for Cancelled
};

ErrorText errorText(const Error &error);

/// Sentence and remedy in one line, for a status strip or standard error.
QString errorLine(const Error &error);

} // namespace tongchi
