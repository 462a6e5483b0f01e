#pragma once

#include <QString>
#include <optional>

namespace tongchi {

/// What a 403 of the API server says was not allowed (source: its message; the details hold no verb).
struct ForbiddenWords
{
    QString user;
    QString verb;      ///< "list", "patch", ...
    QString resource;  ///< "nodes", "pods/log", "workloads.kueue.x-k8s.io": with its group, as access rules
                       ///< name it
    QString nameSpace; ///< empty: at the cluster scope
};

/// Nothing for messages of another form (webhooks, other authorizers).
std::optional<ForbiddenWords> parseForbidden(const QString &message);

/// "workloads.kueue.x-k8s.io", or "nodes" for the core group.
QString resourceWithGroup(const QString &resource, const QString &group);

} // namespace tongchi
