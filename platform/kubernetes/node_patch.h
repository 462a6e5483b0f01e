#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QString>
#include <optional>

namespace tongchi {

/// The fields of a node that are changed here. Unset members stay as they are.
struct NodeEdit
{
    struct Label
    {
        QString key;
        std::optional<QString> value; ///< nothing: the label is not there
        bool operator==(const Label &) const = default;
    };
    std::optional<bool> unschedulable;
    std::optional<Label> label;

    bool isEmpty() const { return !unschedulable && !label; }
    bool operator==(const NodeEdit &) const = default;
};

/// What a node object says about the fields of an edit, and what a guarded change needs.
struct NodeState
{
    QString name;
    QString uid;
    QString resourceVersion;
    NodeEdit fields;
};

/// "/api/v1/nodes/NAME".
QByteArray nodePath(const QString &name);

/// A merge patch. With a resource version the server refuses it (409) when anybody changed the node since,
/// whatever field: nothing is ever overwritten unseen.
QByteArray nodePatchBody(const NodeEdit &edit, const QString &resourceVersion = {});

/// Reads a Node. Only the members that `wanted` sets are filled in.
[[nodiscard]] Result<NodeState> parseNodeState(const QByteArray &json, const NodeEdit &wanted);

/// Nothing when the node is the one meant and the guard's fields still have their values; else Conflict in
/// words.
[[nodiscard]] Status checkNodeGuard(const NodeState &now, const QString &uid,
                                    const std::optional<NodeEdit> &guard);

} // namespace tongchi
