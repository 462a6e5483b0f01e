#include "platform/kubernetes/node_patch.h"

#include "platform/kubernetes/api_document.h"
#include "platform/kubernetes/kubeconfig_fields.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

QByteArray nodePath(const QString &name)
{
    return "/api/v1/nodes/" + QUrl::toPercentEncoding(name);
}

QByteArray nodePatchBody(const NodeEdit &edit, const QString &resourceVersion)
{
    QJsonObject patch;
    QJsonObject metadata;
    if (!resourceVersion.isEmpty())
        metadata.insert(QStringLiteral("resourceVersion"), resourceVersion);
    if (edit.label) {
        const QJsonValue value =
            edit.label->value ? QJsonValue(*edit.label->value) : QJsonValue(QJsonValue::Null);
        metadata.insert(QStringLiteral("labels"), QJsonObject{{edit.label->key, value}});
    }
    if (!metadata.isEmpty())
        patch.insert(QStringLiteral("metadata"), metadata);
    if (edit.unschedulable) {
        // False is written as absence, as kubectl uncordon does.
        const QJsonValue value = *edit.unschedulable ? QJsonValue(true) : QJsonValue(QJsonValue::Null);
        patch.insert(QStringLiteral("spec"), QJsonObject{{QStringLiteral("unschedulable"), value}});
    }
    return QJsonDocument(patch).toJson(QJsonDocument::Compact);
}

Result<NodeState> parseNodeState(const QByteArray &json, const NodeEdit &wanted)
{
    const ApiDocument document(json, QStringLiteral("Node"));
    if (!document.isValid())
        return failure(document.error());
    const ApiNode metadata = document.root().at("metadata");
    NodeState state{.name = metadata.at("name").text(),
                    .uid = metadata.at("uid").text(),
                    .resourceVersion = metadata.at("resourceVersion").text()};
    if (wanted.unschedulable)
        state.fields.unschedulable = document.root().at("spec").at("unschedulable").boolean();
    if (wanted.label) {
        const ApiNode value = metadata.at("labels").at(wanted.label->key.toStdString());
        state.fields.label =
            NodeEdit::Label{wanted.label->key, value.isThere() ? std::optional(value.text()) : std::nullopt};
    }
    return state;
}

Status checkNodeGuard(const NodeState &now, const QString &uid, const std::optional<NodeEdit> &guard)
{
    if (!uid.isEmpty() && now.uid != uid) {
        return failure(
            {.code = ErrorCode::Conflict,
             .text = QT_TRANSLATE_NOOP(
                 "Error",
                 "The node %1 is no longer the one that was chosen: it was removed and added again."),
             .arguments = {shortened(now.name)},
             .remedy = QT_TRANSLATE_NOOP("Error", "Look at its present state and decide again.")});
    }
    if (!guard)
        return {};
    const bool sameScheduling = !guard->unschedulable || guard->unschedulable == now.fields.unschedulable;
    const bool sameLabel = !guard->label || guard->label == now.fields.label;
    if (sameScheduling && sameLabel)
        return {};
    return failure(
        {.code = ErrorCode::Conflict,
         .text = QT_TRANSLATE_NOOP(
             "Error", "Somebody else changed the node %1 in the meantime, so nothing was done to it."),
         .arguments = {shortened(now.name)},
         .remedy = QT_TRANSLATE_NOOP("Error", "Look at its present state and decide again.")});
}

} // namespace tongchi
