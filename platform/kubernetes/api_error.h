#pragma once

#include "platform/core/error.h"
#include "platform/http/http_message.h"

#include <QString>
#include <string_view>

namespace tongchi {

/// The error for an answer of the API server other than success. `body` may be a Status object, plain text or
/// a page of something in between; `subject` names what was asked for. A 403 names the user, the verb and the
/// resource, a 409 the owners of the fields, a 422 the fields, a refusal on admission the webhook or the
/// policy. The advice is that for a request that is made once; whoever asks again by himself says so himself.
Error apiError(int httpStatus, const HeaderList &headers, std::string_view body, const QString &subject);

} // namespace tongchi
