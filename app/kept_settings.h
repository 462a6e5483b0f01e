#pragma once

#include "app/connections_controller.h"
#include "models/inventory/node_action_controller.h"
#include "ui/common/window_settings.h"

#include <QStringList>
#include <memory>

namespace tongchi {

/// What survives the program: window settings, connection profiles, agreed plug-ins, the audit log. In a
/// throw-away run (screenshots) everything stays in memory.
class KeptSettings
{
public:
    explicit KeptSettings(bool throwAway);
    ~KeptSettings();

    WindowSettings &window();
    ConnectionMemory &connections();
    AuditWriter auditWriter();
    /// What the operator has to be told once: a spoiled file set aside, settings that cannot be saved.
    QStringList notes() const;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tongchi
