#pragma once

namespace tongchi::simulator {

/// Names and shapes of the fields of every kind that the pool serves; format in schema_table.cpp.
extern const char *const schemaTable;

} // namespace tongchi::simulator
