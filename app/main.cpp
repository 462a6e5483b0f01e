#include "app/command_line.h"
#include "app/languages.h"
#include "app/verb_inventory.h"
#include "app/verb_pool_serve.h"

#include <QCoreApplication>
#include <cstdio>

namespace {

int runWithoutScreen(int argc, char **argv, const tongchi::CommandLine &command)
{
    QCoreApplication application(argc, argv);
    tongchi::Languages languages;
    languages.use(command.language);
    return command.verb == tongchi::Verb::PoolServe ? tongchi::runPoolServe(command) : tongchi::runInventory(command, languages);
}

} // namespace

int main(int argc, char **argv)
{
    using namespace tongchi;
    QCoreApplication::setApplicationName(QStringLiteral("tongchi"));
    QCoreApplication::setOrganizationName(QString());
    QCoreApplication::setApplicationVersion(QStringLiteral(TONGCHI_VERSION));
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const ParsedCommandLine parsed = parseCommandLine(arguments);
    if (!parsed.error.isEmpty()) {
        std::fprintf(stderr, "tongchi: %s\nTry “tongchi help”.\n", parsed.error.toUtf8().constData());
        return ExitUsage;
    }
    switch (parsed.command.verb) {
    case Verb::Help: std::fputs(helpText().toUtf8().constData(), stdout); return ExitDone;
    case Verb::Version: std::puts("tongchi " TONGCHI_VERSION); return ExitDone;
    case Verb::PoolServe:
    case Verb::Inventory: return runWithoutScreen(argc, argv, parsed.command);
    case Verb::Console:
    case Verb::Screenshot: break;
    }
    return ExitFailed;
}
