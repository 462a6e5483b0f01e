#include "tests/support/qt_printers.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTranslator>
#include <QXmlStreamReader>
#include <gtest/gtest.h>

namespace {

struct Message
{
    QString context, source, comment, type;
    QStringList translations; ///< one, or the plural forms
    bool isPlural = false;
};

QList<Message> messagesOf(const QString &file)
{
    QFile in(QStringLiteral(TONGCHI_SOURCE_DIR "/translations/") + file);
    EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file.toStdString();
    QXmlStreamReader xml(&in);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            Message message;
            message.context = context;
            message.isPlural = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
            while (!(xml.isEndElement() && xml.name() == QLatin1String("message"))) {
                xml.readNext();
                if (!xml.isStartElement())
                    continue;
                if (xml.name() == QLatin1String("source"))
                    message.source = xml.readElementText();
                else if (xml.name() == QLatin1String("comment"))
                    message.comment = xml.readElementText();
                else if (xml.name() == QLatin1String("translation")) {
                    message.type = xml.attributes().value(QLatin1String("type")).toString();
                    if (!message.isPlural)
                        message.translations << xml.readElementText();
                } else if (xml.name() == QLatin1String("numerusform"))
                    message.translations << xml.readElementText();
            }
            messages << message;
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return messages;
}

QSet<QString> placeholders(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("%(\\d|n|L\\d)"));
    QSet<QString> found;
    auto matches = pattern.globalMatch(text);
    while (matches.hasNext())
        found << matches.next().captured(0);
    return found;
}

class TranslationsTest : public ::testing::TestWithParam<const char *>
{
};

TEST_P(TranslationsTest, IsWholeAndKeepsPlaceholders)
{
    const QList<Message> messages = messagesOf(QString::fromLatin1(GetParam()));
    ASSERT_FALSE(messages.isEmpty());
    for (const Message &message : messages) {
        const std::string where = message.context.toStdString() + ": " + message.source.toStdString();
        EXPECT_TRUE(message.type.isEmpty()) << where << " is " << message.type.toStdString();
        for (const QString &translation : message.translations) {
            EXPECT_FALSE(translation.trimmed().isEmpty()) << where;
            EXPECT_EQ(translation, translation.trimmed()) << where;
            QSet<QString> wanted = placeholders(message.source);
            QSet<QString> got = placeholders(translation);
            if (message.isPlural) { // "one card" may leave the number out
                wanted.remove(QStringLiteral("%n"));
                got.remove(QStringLiteral("%n"));
            }
            EXPECT_EQ(got, wanted) << where << " -> " << translation.toStdString();
            EXPECT_FALSE(translation.contains(u'<') && !message.source.contains(u'<')) << where;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, TranslationsTest, ::testing::Values("tongchi_zh_CN.ts", "tongchi_en.ts"));

TEST(TranslationsTest, ChineseFollowsTheCopyRules)
{
    static const QRegularExpression cjkThenLatin(
        QStringLiteral("[\\x{4e00}-\\x{9fff}][A-Za-z0-9]|[A-Za-z0-9][\\x{4e00}-\\x{9fff}]"));
    for (const Message &message : messagesOf(QStringLiteral("tongchi_zh_CN.ts"))) {
        for (const QString &translation : message.translations) {
            const std::string where = message.source.toStdString() + " -> " + translation.toStdString();
            EXPECT_FALSE(translation.contains(QStringLiteral("您"))) << where;
            EXPECT_FALSE(translation.contains(QStringLiteral("请勿"))) << where;
            EXPECT_FALSE(translation.contains(QStringLiteral("使用率"))) << where;
            EXPECT_FALSE(translation.contains(QStringLiteral("报警"))) << where;
            EXPECT_FALSE(translation.contains(cjkThenLatin))
                << "one space between Chinese and Latin: " << where;
        }
    }
}

TEST(TranslationsTest, KnowsEveryTextOfTheCode)
{
    QProcess update;
    update.setWorkingDirectory(QStringLiteral(TONGCHI_SOURCE_DIR));
    update.start(QStringLiteral(TONGCHI_SOURCE_DIR "/tools/update-translations"),
                 {QStringLiteral("--check")});
    ASSERT_TRUE(update.waitForFinished(50'000));
    EXPECT_EQ(update.exitCode(), 0) << update.readAll().toStdString();
}

TEST(TranslationsTest, IsCompiledIn)
{
    for (const char *file : {":/i18n/tongchi_zh_CN.qm", ":/i18n/tongchi_en.qm"}) {
        QTranslator translator;
        EXPECT_TRUE(translator.load(QString::fromLatin1(file))) << file;
    }
}

} // namespace
