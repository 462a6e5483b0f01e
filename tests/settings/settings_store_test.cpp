#include "platform/settings/settings_store.h"
#include "tests/support/locales.h"
#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using namespace std::chrono_literals;

class SettingsStoreTest : public ::testing::Test
{
protected:
    QString path() const { return folder.path() + QStringLiteral("/tongchi/settings.json"); }
    QByteArray bytes() const
    {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QTemporaryDir folder;
    ManualClock clock;
};

TEST_F(SettingsStoreTest, KeepsEveryKindOfValue)
{
    const QByteArray geometry("\x01\xd9\x00\xff", 4);
    {
        SettingsStore settings(path(), &clock);
        settings.setValue(QStringLiteral("a.bool"), true);
        settings.setValue(QStringLiteral("a.int"), -7);
        settings.setValue(QStringLiteral("a.long"), qint64(1) << 40);
        settings.setValue(QStringLiteral("a.double"), 0.95);
        settings.setValue(QStringLiteral("a.text"), QStringLiteral("北京 \"一区\""));
        settings.setValue(QStringLiteral("a.bytes"), geometry);
        settings.setValue(QStringLiteral("a.list"), QStringList{QStringLiteral("x"), QString()});
        settings.setValue(QStringLiteral("gone"), 1);
        settings.remove(QStringLiteral("gone"));
        EXPECT_OK(settings.flush());
    }
    SettingsStore settings(path(), &clock);
    EXPECT_TRUE(settings.value(QStringLiteral("a.bool"), false));
    EXPECT_EQ(settings.value(QStringLiteral("a.int"), 0), -7);
    EXPECT_EQ(settings.value(QStringLiteral("a.long"), qint64(0)), qint64(1) << 40);
    EXPECT_EQ(settings.value(QStringLiteral("a.double"), 0.0), 0.95);
    EXPECT_EQ(settings.value<QString>(QStringLiteral("a.text")), QStringLiteral("北京 \"一区\""));
    EXPECT_EQ(settings.value<QByteArray>(QStringLiteral("a.bytes")), geometry);
    EXPECT_EQ(settings.value<QStringList>(QStringLiteral("a.list")).size(), 2);
    EXPECT_FALSE(settings.contains(QStringLiteral("gone")));
    EXPECT_EQ(settings.value(QStringLiteral("gone"), 5), 5);
    EXPECT_TRUE(settings.notes().isEmpty());
}

TEST_F(SettingsStoreTest, AValueOfAnotherKindFallsBackAlone)
{
    SettingsStore settings(QString(), &clock);
    const QString key = QStringLiteral("k");
    for (const QJsonValue &wrong :
         {QJsonValue(QStringLiteral("perhaps")), QJsonValue(QJsonObject{{QStringLiteral("x"), 1}}),
          QJsonValue(QJsonArray{1, 2}), QJsonValue(QJsonValue::Null)}) {
        settings.setJson(key, wrong);
        EXPECT_TRUE(settings.value(key, true));
        EXPECT_EQ(settings.value(key, 3), 3);
        EXPECT_EQ(settings.value(key, 2.5), 2.5);
    }
    settings.setJson(key, 1e300);
    EXPECT_EQ(settings.value(key, 3), 3);
    settings.setJson(key, 2.5);
    EXPECT_EQ(settings.value(key, 3), 3);
    settings.setJson(key, 3e9);
    EXPECT_EQ(settings.value(key, 3), 3);
    EXPECT_EQ(settings.value(key, qint64(3)), 3'000'000'000);
    settings.setJson(key, QStringLiteral("not base64!"));
    EXPECT_EQ(settings.value<QByteArray>(key, "f"), "f");
    settings.setJson(key, QJsonArray{QStringLiteral("a"), 5, QJsonValue(), QStringLiteral("b")});
    EXPECT_EQ(settings.value<QStringList>(key), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    settings.setJson(key, 5);
    EXPECT_EQ(settings.value<QString>(key, QStringLiteral("f")), QStringLiteral("f"));
}

TEST_F(SettingsStoreTest, WritesByItselfInAThreadOfItsOwn)
{
    SettingsStore settings(path(), &clock);
    bool saved = false;
    QObject::connect(&settings, &SettingsStore::saved, &settings, [&saved] { saved = true; });
    settings.setQuietTime(50ms);
    settings.setValue(QStringLiteral("a"), 1);
    EXPECT_TRUE(bytes().isEmpty()); // not at once
    ASSERT_TRUE(test::waitUntil([&saved] { return saved; }));
    EXPECT_TRUE(bytes().contains("\"a\": 1"));
    EXPECT_EQ(QFile::permissions(path()) & (QFileDevice::ReadOther | QFileDevice::ReadGroup),
              QFileDevice::Permissions());
}

TEST_F(SettingsStoreTest, ConstantChangesDoNotPutOffSavingForEver)
{
    SettingsStore settings(path(), &clock);
    bool saved = false;
    QObject::connect(&settings, &SettingsStore::saved, &settings, [&saved] { saved = true; });
    settings.setValue(QStringLiteral("a"), 1);
    clock.advance(61s);
    settings.setValue(QStringLiteral("a"), 2); // the minute is over: now
    ASSERT_TRUE(test::waitUntil([&saved] { return saved; }, 3s));
    EXPECT_TRUE(bytes().contains("\"a\": 2"));
}

TEST_F(SettingsStoreTest, WhatDidNotChangeIsNotWritten)
{
    SettingsStore settings(path(), &clock);
    settings.setValue(QStringLiteral("a"), 1);
    EXPECT_OK(settings.flush());
    QFile::remove(path());
    settings.setValue(QStringLiteral("a"), 1);
    settings.remove(QStringLiteral("never there"));
    EXPECT_OK(settings.flush());
    EXPECT_FALSE(QFile::exists(path()));
}

TEST_F(SettingsStoreTest, TwoConsolesKeepEachOthersChanges)
{
    SettingsStore first(path(), &clock), second(path(), &clock);
    first.setValue(QStringLiteral("first"), 1);
    EXPECT_OK(first.flush());
    second.setValue(QStringLiteral("second"), 2);
    EXPECT_OK(second.flush());
    first.setValue(QStringLiteral("first"), 3);
    EXPECT_OK(first.flush());
    SettingsStore third(path(), &clock);
    EXPECT_EQ(third.value(QStringLiteral("first"), 0), 3);
    EXPECT_EQ(third.value(QStringLiteral("second"), 0), 2);
}

TEST_F(SettingsStoreTest, NothingIsReadOrWrittenWithoutAPath)
{
    SettingsStore settings(QString(), &clock);
    settings.setValue(QStringLiteral("a"), 1);
    EXPECT_OK(settings.flush());
    EXPECT_EQ(settings.value(QStringLiteral("a"), 0), 1);
    EXPECT_FALSE(settings.isSaving());
    EXPECT_TRUE(settings.notes().isEmpty());
}

TEST_F(SettingsStoreTest, TheFileIsTheSameUnderEveryLocale)
{
    const QJsonObject wire =
        QJsonDocument::fromJson(test::readData(QStringLiteral("settings/wire.json"))).object();
    ASSERT_EQ(wire.size(), 5);
    QByteArray first;
    for (const char *name : test::everyLocale) {
        test::LocaleScope locale(name);
        QTemporaryDir own;
        const QString file = own.path() + QStringLiteral("/settings.json");
        {
            SettingsStore settings(file, &clock);
            for (auto number = wire.begin(); number != wire.end(); ++number)
                settings.setValue(number.key(), number.value().toDouble());
            settings.setValue(QStringLiteral("DISK.ITEM"), 1234567);
            EXPECT_OK(settings.flush());
        }
        QFile written(file);
        ASSERT_TRUE(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        EXPECT_TRUE(text.contains("12.5")) << name;
        EXPECT_TRUE(text.contains("1234567")) << name;
        if (first.isEmpty())
            first = text;
        EXPECT_EQ(text, first) << name;
        SettingsStore settings(file, &clock);
        for (auto number = wire.begin(); number != wire.end(); ++number)
            EXPECT_EQ(settings.value(number.key(), 0.0), number.value().toDouble()) << name;
        EXPECT_EQ(settings.value(QStringLiteral("DISK.ITEM"), 0), 1234567) << name;
    }
}

} // namespace
} // namespace tongchi
