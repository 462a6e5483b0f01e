#pragma once

#include "platform/simulator/http_exchange.h"

#include <tl/expected.hpp>

namespace tongchi::simulator {

struct ResourceType;

/// What the API server answers instead of an object: its Status.
struct ApiError
{
    int code = 500;
    QByteArray reason;
    QByteArray message;
    QByteArray details;       ///< raw JSON object; empty: the member is left out
    int retryAfter = 0;       ///< seconds for the Retry-After header; 0: none
    QByteArray continueToken; ///< for metadata.continue
};

template <typename T> using ApiResult = tl::expected<T, ApiError>;

inline tl::unexpected<ApiError> apiFailure(ApiError error)
{
    return tl::unexpected<ApiError>(std::move(error));
}

/// One field of a 422.
struct FieldCause
{
    QByteArray reason;  ///< "FieldValueInvalid"
    QByteArray message; ///< "Invalid value: ..."
    QByteArray field;
};

QByteArray statusBody(const ApiError &error);
HttpAnswer errorAnswer(const ApiError &error);
HttpAnswer jsonAnswer(QByteArray body, int status = 200);
HttpAnswer textAnswer(QByteArray body, int status = 200);

ApiError badRequest(QByteArray message);
ApiError internalError(QByteArray message);
ApiError notFound(const ResourceType &type, const QByteArray &name);
ApiError resourceNotFound(); ///< "the server could not find the requested resource"
ApiError methodNotAllowed();
ApiError unauthorized();
ApiError conflict(const ResourceType &type, const QByteArray &name, const QByteArray &why);
ApiError alreadyExists(const ResourceType &type, const QByteArray &name);
/// 422 for an object of `kind`; `group` is empty for the core group.
ApiError invalid(const QByteArray &group, const QByteArray &kind, const QByteArray &name,
                 const std::vector<FieldCause> &causes);
ApiError optionsInvalid(const char *optionsKind, FieldCause cause);
ApiError tooOldVersion(const QByteArray &message);

/// Go's %q of a string.
QByteArray quoted(QByteArrayView text);

} // namespace tongchi::simulator
