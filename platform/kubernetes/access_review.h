#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace tongchi {

/// May the user do this? Empty `nameSpace`: everywhere; empty `name`: with every object.
struct AccessQuestion
{
    QString verb;
    QString group; ///< empty: the core group
    QString resource;
    QString subresource = {};
    QString nameSpace = {};
    QString name = {};

    bool operator==(const AccessQuestion &) const = default;
};

struct AccessAnswer
{
    AccessQuestion question;
    bool allowed = false; ///< "no opinion" counts as no
    QString reason;       ///< the server's, often empty
    /// Set when the question itself could not be asked: then nothing is known about the right.
    std::optional<Error> error;
};

/// Body of a SelfSubjectAccessReview.
QByteArray accessReviewBody(const AccessQuestion &question);
[[nodiscard]] Result<AccessAnswer> parseAccessReview(const QByteArray &json, const AccessQuestion &question);

/// The user name and groups of a SelfSubjectReview.
struct UserIdentity
{
    QString name;
    QStringList groups;
};
[[nodiscard]] Result<UserIdentity> parseSelfSubjectReview(const QByteArray &json);

/// Why an action is grey: what right is missing, and what to ask for.
Error missingRightError(const AccessAnswer &answer);

} // namespace tongchi
