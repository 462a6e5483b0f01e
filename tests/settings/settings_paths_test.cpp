// DA-07: Chinese names, blanks, long names.

#include "platform/settings/audit_log.h"
#include "platform/settings/settings_store.h"
#include "tests/support/qt_printers.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <dirent.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

std::vector<std::string> namesIn(const QString &folder)
{
    std::vector<std::string> names;
    DIR *const handle = opendir(folder.toUtf8().constData());
    while (const dirent *entry = handle ? readdir(handle) : nullptr)
        names.emplace_back(entry->d_name);
    if (handle)
        closedir(handle);
    return names;
}

TEST(SettingsPaths, OddFoldersWorkAndTheirBytesStayTheSame)
{
    QTemporaryDir root;
    ManualClock clock;
    const QString composed = QStringLiteral("caf\u00e9"), decomposed = QStringLiteral("cafe\u0301");
    for (const QString &name : {QStringLiteral("张伟 测试"), QStringLiteral("a b\t'\"$x"), composed,
                                decomposed, QStringLiteral("-rf"), QStringLiteral("a\\b"),
                                QStringLiteral("%41%2F"), QString(80, QChar(0x6a21)), QString(240, u'x')}) {
        const QString folder = root.path() + u'/' + name;
        const QString path = folder + QStringLiteral("/配置 文件/settings.json");
        {
            SettingsStore settings(path, &clock);
            settings.setValue(QStringLiteral("k"), name);
            EXPECT_OK(settings.flush());
            EXPECT_TRUE(settings.notes().isEmpty());
        }
        EXPECT_EQ(SettingsStore(path, &clock).value<QString>(QStringLiteral("k")), name);
        AuditLog log(folder + QStringLiteral("/日志"), &clock);
        EXPECT_OK(log.append({.verb = QStringLiteral("patch"), .object = name}));
        const auto page = AuditLog::read(folder + QStringLiteral("/日志"), {});
        ASSERT_OK(page);
        EXPECT_EQ(page->lines.at(0).object, name);
        const auto names = namesIn(root.path());
        EXPECT_NE(std::find(names.begin(), names.end(), name.toUtf8().toStdString()), names.end());
    }
    EXPECT_EQ(namesIn(root.path()).size(), 9u + 2u);
}

TEST(SettingsPaths, ATooLongNameIsANoteAndNoCrash)
{
    QTemporaryDir root;
    ManualClock clock;
    SettingsStore settings(root.path() + u'/' + QString(256, u'x') + QStringLiteral("/settings.json"),
                           &clock);
    settings.setValue(QStringLiteral("k"), 1);
    (void)settings.flush();
    ASSERT_EQ(settings.notes().size(), 1);
    EXPECT_EQ(settings.value(QStringLiteral("k"), 0), 1);
}

} // namespace
} // namespace tongchi
