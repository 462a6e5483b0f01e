#pragma once

#include "platform/simulator/json_value.h"

namespace tongchi::simulator {

/// A request body that may be JSON or YAML (apply patches are sent as either). `problem` is empty when it
/// worked.
JsonValue readYamlBody(const QByteArray &body, QByteArray *problem);

} // namespace tongchi::simulator
