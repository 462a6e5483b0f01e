#pragma once

#include "platform/core/error.h"

#include <tl/expected.hpp>

namespace tongchi {

/// A value or the reason why there is none. Functions returning it are marked [[nodiscard]].
template <typename T> using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// For `return failure({.code = ..., .text = QT_TRANSLATE_NOOP("Error", "...")});`
inline tl::unexpected<Error> failure(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace tongchi
