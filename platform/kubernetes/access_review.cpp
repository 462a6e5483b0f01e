#include "platform/kubernetes/access_review.h"

#include "platform/kubernetes/api_document.h"
#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/permission.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

QByteArray accessReviewBody(const AccessQuestion &question)
{
    QJsonObject attributes{{QStringLiteral("verb"), question.verb},
                           {QStringLiteral("group"), question.group},
                           {QStringLiteral("resource"), question.resource}};
    if (!question.subresource.isEmpty())
        attributes.insert(QStringLiteral("subresource"), question.subresource);
    if (!question.nameSpace.isEmpty())
        attributes.insert(QStringLiteral("namespace"), question.nameSpace);
    if (!question.name.isEmpty())
        attributes.insert(QStringLiteral("name"), question.name);
    return QJsonDocument(
               QJsonObject{
                   {QStringLiteral("apiVersion"), QStringLiteral("authorization.k8s.io/v1")},
                   {QStringLiteral("kind"), QStringLiteral("SelfSubjectAccessReview")},
                   {QStringLiteral("spec"), QJsonObject{{QStringLiteral("resourceAttributes"), attributes}}}})
        .toJson(QJsonDocument::Compact);
}

Result<AccessAnswer> parseAccessReview(const QByteArray &json, const AccessQuestion &question)
{
    ApiDocument document(json, QStringLiteral("SelfSubjectAccessReview"));
    AccessAnswer answer{.question = question};
    ApiNode status;
    if (document.isValid())
        status = document.root().at("status");
    if (!status.isObject())
        return failure(document.error());
    answer.allowed = status.at("allowed").boolean();
    answer.reason = status.at("reason").text();
    if (answer.reason.isEmpty())
        answer.reason = status.at("evaluationError").text();
    return answer;
}

Result<UserIdentity> parseSelfSubjectReview(const QByteArray &json)
{
    ApiDocument document(json, QStringLiteral("SelfSubjectReview"));
    if (!document.isValid())
        return failure(document.error());
    const ApiNode info = document.root().at("status").at("userInfo");
    UserIdentity user{.name = info.at("username").text()};
    info.at("groups").forEach([&user](const ApiNode &group) { user.groups << group.text(); });
    return user;
}

Error missingRightError(const AccessAnswer &answer)
{
    if (answer.error)
        return *answer.error;
    const AccessQuestion &question = answer.question;
    QString resource =
        question.subresource.isEmpty() ? question.resource : question.resource + u'/' + question.subresource;
    resource = resourceWithGroup(resource, question.group);
    const bool everywhere = question.nameSpace.isEmpty();
    return {.code = ErrorCode::Forbidden,
            .text = everywhere
                        ? QT_TRANSLATE_NOOP("Error", "You have no right to %1 %2.")
                        : QT_TRANSLATE_NOOP("Error", "You have no right to %1 %2 in the namespace %3."),
            .arguments = {question.verb, resource, question.nameSpace},
            .remedy = QT_TRANSLATE_NOOP("Error", "Ask the cluster's administrator for the verb %1 on %2."),
            .detail = shortened(answer.reason, 300)};
}

} // namespace tongchi
