#include "app/command_line.h"
#include "app/console.h"
#include "app/languages.h"
#include "app/runtime_folder.h"
#include "app/terminal.h"
#include "app/verb_inventory.h"
#include "app/verb_pool_serve.h"

#include <QApplication>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace tongchi;

int runWithoutScreen(int argc, char **argv, const CommandLine &command)
{
    QCoreApplication application(argc, argv);
    Languages languages;
    languages.use(command.language);
    switch (command.verb) {
    case Verb::Help:
        return printResult(helpText(command.topic).toUtf8()) ? ExitDone : ExitFailed;
    case Verb::Version:
        return printResult("tongchi " TONGCHI_VERSION "\n") ? ExitDone : ExitFailed;
    case Verb::PoolServe:
        return runPoolServe(command);
    case Verb::Inventory:
    case Verb::Console:
    case Verb::Screenshot:
        break;
    }
    return runInventory(command, languages);
}

/// Says why nothing is started. Texts have a language only with an application.
int refuse(int argc, char **argv, const CommandLine &command, const Error &error, int exitCode)
{
    QCoreApplication application(argc, argv);
    Languages languages;
    languages.use(command.language);
    tell(error);
    return exitCode;
}

/// What the handler below says; Qt ends the program from within the making of its application.
QByteArray displayRefusal;

/// A display that cannot be reached is no reason for a core file.
void refuseDisplay(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtFatalMsg) {
        std::fputs(displayRefusal.constData(), stderr);
        std::_Exit(ExitFailed);
    }
    displayRefusal += "    " + message.toUtf8() + '\n'; // why, told only when it matters
}

QByteArray displayRefusalIn(const QString &language)
{
    const QString sentence =
        Languages::errorSentence(language, QT_TRANSLATE_NOOP("Error", "The display cannot be reached."));
    const QString remedy = Languages::errorSentence(
        language,
        QT_TRANSLATE_NOOP("Error", "Use “tongchi inventory”, or “tongchi screenshot” for a picture."));
    return "tongchi: " + sentence.toUtf8() + ' ' + remedy.toUtf8() + '\n';
}

int runWithScreen(int argc, char **argv, const CommandLine &command)
{
    const bool picture = command.verb == Verb::Screenshot;
    // A picture needs no display, and none would make it better.
    if (picture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!picture && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") &&
        qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        return refuse(argc, argv, command,
                      {.code = ErrorCode::NotSupported,
                       .text = QT_TRANSLATE_NOOP("Error", "There is no display."),
                       .remedy = QT_TRANSLATE_NOOP("Error", "Use “tongchi inventory”, or “tongchi "
                                                            "screenshot” for a picture.")},
                      ExitFailed);
    }
    // A compositor's socket is in the folder that is set, whatever its permissions.
    if (picture || qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        provideRuntimeFolder();
    if (picture && command.scale != 1.0)
        qputenv("QT_SCALE_FACTOR", QByteArray::number(command.scale));
    displayRefusal = displayRefusalIn(command.language);
    const QtMessageHandler usual = qInstallMessageHandler(refuseDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(usual);
    QGuiApplication::setDesktopFileName(QStringLiteral("tongchi"));
    Console console(application, command);
    return picture ? console.screenshot() : console.run();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setApplicationName(QStringLiteral("tongchi"));
    QCoreApplication::setOrganizationName(QString());
    QCoreApplication::setApplicationVersion(QStringLiteral(TONGCHI_VERSION));
    const Result<QStringList> arguments = decodeArguments(QList<QByteArray>(argv + 1, argv + argc));
    if (!arguments)
        return refuse(argc, argv, {}, arguments.error(), ExitUsage);
    const auto [command, error] = parseCommandLine(*arguments);
    if (error)
        return refuse(argc, argv, command, *error, ExitUsage);
    return command.verb == Verb::Console || command.verb == Verb::Screenshot
               ? runWithScreen(argc, argv, command)
               : runWithoutScreen(argc, argv, command);
}
