#pragma once

#include <QString>

namespace tongchi {

class Theme;

/// Puts the theme's values in for @token@ (colours), @font.caption@ (pixels) and @image:NAME:TOKEN:SIZE@ (a
/// picture file, since style sheets cannot draw; the files live in a temporary folder until the program
/// ends).
QString renderStyleSheet(const QString &pattern, const Theme &theme);

} // namespace tongchi
