#pragma once

#include "platform/simulator/api_error.h"
#include "platform/simulator/http_exchange.h"

#include <QList>
#include <utility>

namespace tongchi::simulator {

struct ResourceType;

/// Who asks.
struct ApiUser
{
    QByteArray name = "system:anonymous";
    QByteArray uid;
    QList<QByteArray> groups;
    bool mayWrite = false;
    bool mayRead = false;
    bool isAnonymous() const { return groups.isEmpty(); }
};

/// In which shape an object or list is wanted.
enum class Representation { Json, Table, PartialMetadata, PartialMetadataList };

/// One alternative of an Accept header.
struct AcceptedForm
{
    QByteArray media; ///< in lower case, without its parameters
    QByteArray as;    ///< the parameters that the API server knows
    QByteArray group;
    QByteArray version;
    bool isJson() const { return media == "application/json" || media == "*/*"; }
};

/// A request, taken apart.
struct ApiCall
{
    HttpExchangePointer exchange;
    QList<QByteArray> segments; ///< of the path, decoded
    QByteArray path;            ///< decoded
    std::vector<std::pair<QByteArray, QByteArray>> parameters;
    ApiUser user;
    const ResourceType *type = nullptr;
    QByteArray group;
    QByteArray version;
    QByteArray resource; ///< as in the path, also when there is no such type
    QByteArray nameSpace;
    QByteArray name;
    QByteArray subresource;
    QByteArray proxyPath;    ///< what follows .../proxy, still percent-encoded
    QByteArray verb;         ///< get, list, watch, create, update, patch, delete, deletecollection
    bool isResource = false; ///< below /api/v1 or /apis/GROUP/VERSION

    const HttpRequest &http() const { return exchange->request(); }
    QByteArray parameter(const char *name) const;
    bool hasParameter(const char *name) const;
    bool flag(const char *name) const; ///< "1", "true", or given without a value
    QByteArray key() const;            ///< of the object in its collection
    QByteArray mediaType() const;      ///< of the body, in lower case
    bool acceptsGzip() const;
    std::vector<AcceptedForm> acceptedForms() const;
    ApiError notAcceptable() const; ///< 406
    /// Answers 406 when nothing that the client takes can be made: the pool writes JSON alone.
    [[nodiscard]] ApiResult<Representation> representation() const;
};

/// Takes path and query apart and finds the type; user is left to the caller.
ApiCall parseCall(const HttpExchangePointer &exchange);

QByteArray percentDecoded(const QByteArray &text, bool plusIsSpace);

} // namespace tongchi::simulator
