#pragma once

#include "platform/simulator/api_call.h"

#include <optional>

namespace tongchi::simulator {

/// The tokens of one cluster. Random at every start; never logged.
struct ClusterTokens
{
    QByteArray administrator;
    QByteArray viewer;
    QByteArray stranger; ///< known, and may nothing but look at what there is
    QByteArray refused;  ///< a well-formed token that every request is refused with
};

/// Who somebody is and what he may do: the administrator everything, the viewer reads, the anonymous look at
/// health and version.
class AccessControl
{
public:
    AccessControl();

    const ClusterTokens &tokens() const { return m_tokens; }
    /// The tokens that were good so far are refused from now on; new ones take their place.
    void renewTokens();
    /// Refuses every token until told otherwise.
    void setExpired(bool expired) { m_expired = expired; }

    /// 401 for a token that is unknown; anonymous without one.
    [[nodiscard]] ApiResult<ApiUser> authenticate(const HttpRequest &request) const;
    /// Nothing when allowed.
    [[nodiscard]] std::optional<ApiError> authorize(const ApiCall &call) const;

    /// POST on selfsubjectaccessreviews, selfsubjectrulesreviews and selfsubjectreviews.
    [[nodiscard]] ApiResult<QByteArray> review(const ApiCall &call, const QByteArray &now) const;

private:
    ClusterTokens m_tokens;
    bool m_expired = false;
};

} // namespace tongchi::simulator
