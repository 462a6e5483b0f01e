#pragma once

#include "app/command_line.h"
#include "platform/core/result.h"

#include <QList>
#include <functional>

namespace tongchi {

/// Where an option stands in the help text.
enum class OptionGroup { Clusters, Inventory, Pool, Screenshot, Common };

/// The verbs that know an option, as bits.
enum OptionVerbs : unsigned {
    InConsole = 1,
    InInventory = 2,
    InPoolServe = 4,
    InScreenshot = 8,
    InHelp = 16,
    InCards = InConsole | InInventory | InScreenshot, ///< whatever shows clusters
    InAll = 31,
};

/// One option: the parser, the help text and the refusals all read this table.
struct CommandOption
{
    const char *name;
    const char *value; ///< as the help text writes it; null: it takes none
    OptionGroup group;
    unsigned verbs;
    const char *help; ///< English source text, context "Help"
    std::function<bool(CommandLine &, const QString &)> set;
    /// What a wrong value is told, with %1 the value, %2 the option and from %3 on `limits`.
    const char *refusal = nullptr;
    QStringList limits = {};
};

const QList<CommandOption> &commandOptions();
const CommandOption *findCommandOption(const QString &name);
OptionVerbs optionVerb(Verb verb);

} // namespace tongchi
