#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QString>

namespace tongchi {

/// The encodings in which people's configuration files arrive.
enum class TextEncoding { Utf8, Utf8WithMark, Utf16LittleEndian, Utf16BigEndian };

struct DecodedText
{
    QByteArray utf8; ///< without a byte order mark; line ends as in the file
    TextEncoding encoding = TextEncoding::Utf8;
};

/// Reads UTF-8 (with or without mark) and UTF-16 with mark. Anything else is refused with the offset of the
/// first byte that fits neither; nothing is guessed. `subject` names the file in the error.
[[nodiscard]] Result<DecodedText> decodeText(const QByteArray &bytes, const QString &subject);

/// Offset of the first byte that is not valid UTF-8, or -1.
qsizetype firstInvalidUtf8(const QByteArray &bytes);

/// For showing text from outside: control characters become visible pictures (U+2400 block), bidirectional
/// controls and line breaks are dropped or made visible, so that a name can neither break a row nor turn it
/// around.
QString visibleText(const QString &text);

} // namespace tongchi
