#pragma once

#include "platform/kubernetes/exec_credential.h"

#include <QObject>

namespace tongchi {

/// Brings what credential plug-ins write to standard error ("open this page and enter the code ...") from the
/// threads of clusters and tests to the GUI thread. Outlives all of them.
class PluginMessages final : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// For ExecOptions::onMessage; may be called in any thread.
    std::function<void(const ExecCommand &, const QString &)> listener()
    {
        return [this](const ExecCommand &command, const QString &text) {
            Q_EMIT said(execConsentKey(command), command.command, text);
        };
    }

Q_SIGNALS:
    /// `key`: execConsentKey() of the command. `text`: all of it so far, one line of plain text from outside.
    void said(const QByteArray &key, const QString &program, const QString &text);
};

} // namespace tongchi
