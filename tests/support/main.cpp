// The main of every test program: a QApplication on the offscreen platform, settings in a folder of their
// own, and every Qt warning that nobody expected fails the test that caused it.

#include "tests/support/wait.h"

#include <QApplication>
#include <QLocale>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace {

QtMessageHandler previousHandler = nullptr;

bool isHarmless(const QString &message)
{
    return message.contains(QLatin1String("propagateSizeHints")) ||
           message.contains(QLatin1String("plugin does not support"));
}

void failOnWarnings(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    if ((type == QtWarningMsg || type == QtCriticalMsg) && !isHarmless(message) &&
        !tongchi::test::takeExpectedWarning(message)) {
        ADD_FAILURE() << "unexpected Qt warning [" << (context.category ? context.category : "")
                      << "]: " << message.toStdString();
    }
    if (type != QtDebugMsg && type != QtInfoMsg && previousHandler)
        previousHandler(type, context, message);
}

} // namespace

int main(int argc, char **argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    QTemporaryDir home;
    qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", (home.path() + QStringLiteral("/config")).toUtf8());
    qputenv("XDG_DATA_HOME", (home.path() + QStringLiteral("/data")).toUtf8());
    qputenv("XDG_CACHE_HOME", (home.path() + QStringLiteral("/cache")).toUtf8());
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    previousHandler = qInstallMessageHandler(failOnWarnings);
    const int result = RUN_ALL_TESTS();
    // No event loop ever ran, so what was to be deleted later still waits; a leak checker would count it.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    qInstallMessageHandler(previousHandler);
    return result;
}
