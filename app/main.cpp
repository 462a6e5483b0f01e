#include "app/command_line.h"
#include "app/console.h"
#include "app/languages.h"
#include "app/verb_inventory.h"
#include "app/verb_pool_serve.h"

#include <QApplication>
#include <cstdio>

namespace {

int runWithoutScreen(int argc, char **argv, const tongchi::CommandLine &command)
{
    QCoreApplication application(argc, argv);
    tongchi::Languages languages;
    languages.use(command.language);
    return command.verb == tongchi::Verb::PoolServe ? tongchi::runPoolServe(command)
                                                    : tongchi::runInventory(command, languages);
}

int runWithScreen(int argc, char **argv, const tongchi::CommandLine &command)
{
    const bool picture = command.verb == tongchi::Verb::Screenshot;
    // A picture needs no display, and none would make it better.
    if (picture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!picture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") &&
        qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        std::fputs(
            "tongchi: there is no display. Use “tongchi inventory”, or “tongchi screenshot” for a picture.\n",
            stderr);
        return tongchi::ExitFailed;
    }
    if (picture &&
        double(command.size.width()) * command.size.height() * command.scale * command.scale > 100e6) {
        std::fputs("tongchi: a picture has at most 100 million pixels; make --size or --scale smaller\n",
                   stderr);
        return tongchi::ExitUsage;
    }
    if (picture && command.scale != 1.0)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(command.scale));
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("tongchi"));
    tongchi::Console console(application, command);
    return picture ? console.screenshot() : console.run();
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
    case Verb::Help:
        std::fputs(helpText().toUtf8().constData(), stdout);
        return ExitDone;
    case Verb::Version:
        std::puts("tongchi " TONGCHI_VERSION);
        return ExitDone;
    case Verb::PoolServe:
    case Verb::Inventory:
        return runWithoutScreen(argc, argv, parsed.command);
    case Verb::Console:
    case Verb::Screenshot:
        return runWithScreen(argc, argv, parsed.command);
    }
    return ExitFailed;
}
