#pragma once

#include "platform/core/error.h"

#include <QByteArray>
#include <QString>

namespace tongchi {

/// One line for the person at the terminal, on standard error, in the language of the installed translators.
void tell(const QString &text);
void tell(const Error &error);

/// A result, on standard output. False when it could not be written, which is told unless the reader has just
/// gone away.
[[nodiscard]] bool printResult(const QByteArray &text);

} // namespace tongchi
