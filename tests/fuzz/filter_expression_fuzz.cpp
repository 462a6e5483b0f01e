// What an operator types or pastes into the filter, and what `--filter` is given.

#include "models/inventory/filter_expression.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace tongchi;
    const QString text = QString::fromUtf8(reinterpret_cast<const char *>(data), qsizetype(size));
    const QList<FilterToken> tokens = parseFilter(text);
    for (const FilterToken &token : tokens) {
        if (token.error)
            return 0;
    }
    // The canonical form means the same.
    const QString canonical = canonicalFilter(tokens);
    const QList<FilterToken> again = parseFilter(canonical);
    if (again.size() != tokens.size() || canonicalFilter(again) != canonical)
        std::abort();
    return 0;
}
