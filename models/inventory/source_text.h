#pragma once

#include <QString>

namespace tongchi {

/// What the platform says about where a value comes from, or about a node, in the interface's language:
/// "label nvidia.com/gpu.product", "model of the chip", "the node reports no state; ...". Platform knows no
/// language and writes these in English; a text that is not among those it writes stays as it is. Names of
/// labels, fields and resources are never translated. GUI thread.
QString sourceText(const QString &english);

} // namespace tongchi
