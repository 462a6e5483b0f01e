// Cutter and parsers against QJsonDocument on generated lists: two readers that have nothing in common.

#include "platform/kubernetes/node_parser.h"
#include "platform/kubernetes/uid_set.h"

#include "tests/kubernetes/case_data.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace tongchi {
namespace {

class ListGenerator
{
public:
    explicit ListGenerator(unsigned seed) : m_random(seed) {}

    QString text()
    {
        static const QStringList pieces = {QStringLiteral("a"),        QStringLiteral("{"),
                                           QStringLiteral("}"),        QStringLiteral("["),
                                           QStringLiteral("]"),        QStringLiteral("\""),
                                           QStringLiteral("\\"),       QStringLiteral("\n"),
                                           QStringLiteral("items"),    QStringLiteral("中"),
                                           QStringLiteral("é"),        QString(QChar(1)),
                                           QStringLiteral("metadata"), QStringLiteral(":"),
                                           QStringLiteral(","),        QString::fromUcs4(U"\U0001F600"),
                                           QStringLiteral("/"),        QStringLiteral("\\\"")};
        QString result;
        for (unsigned length = m_random() % 12; length > 0; --length)
            result += pieces.at(qsizetype(m_random() % unsigned(pieces.size())));
        return result;
    }

    QJsonValue anything(int depth)
    {
        switch (m_random() % (depth > 4 ? 5 : 7)) {
        case 0:
            return QJsonValue::Null;
        case 1:
            return bool(m_random() % 2);
        case 2:
            return double(m_random()) / 3;
        case 3:
        case 4:
            return text();
        case 5: {
            QJsonArray array;
            for (unsigned size = m_random() % 4; size > 0; --size)
                array.append(anything(depth + 1));
            return array;
        }
        default: {
            QJsonObject object;
            for (unsigned size = m_random() % 4; size > 0; --size)
                object.insert(text(), anything(depth + 1));
            return object;
        }
        }
    }

    QJsonObject texts()
    {
        QJsonObject object;
        for (unsigned size = m_random() % 5; size > 0; --size)
            object.insert(text() + QString::number(m_random() % 100), text());
        return object;
    }

    QJsonObject node(int number)
    {
        QJsonObject metadata{
            {QStringLiteral("name"), QString(QStringLiteral("node-%1").arg(number) + text())},
            {QStringLiteral("uid"), text()},
            {QStringLiteral("labels"), texts()},
            {QStringLiteral("annotations"), texts()},
            {QString(text() + u'!'), anything(0)}};
        QJsonObject spec{{QStringLiteral("unschedulable"), bool(m_random() % 2)},
                         {QString(text() + u'!'), anything(0)}};
        QJsonObject amounts{{QStringLiteral("cpu"), QStringLiteral("8")},
                            {QStringLiteral("nvidia.com/gpu"), QString::number(m_random() % 9)}};
        QJsonObject status{{QStringLiteral("capacity"), amounts},
                           {QStringLiteral("images"), anything(0)},
                           {QString(text() + u'!'), anything(0)}};
        return {{QStringLiteral("metadata"), metadata},
                {QStringLiteral("spec"), spec},
                {QStringLiteral("status"), status},
                {QString(text() + u'!'), anything(0)}};
    }

    QByteArray list(int size)
    {
        QJsonArray items;
        for (int i = 0; i < size; ++i)
            items.append(node(i));
        QJsonObject list{{QStringLiteral("kind"), QStringLiteral("NodeList")},
                         {QStringLiteral("items"), items},
                         {QString(text() + u'!'), anything(0)},
                         {QStringLiteral("metadata"),
                          QJsonObject{{QStringLiteral("resourceVersion"), QString::number(m_random())},
                                      {QStringLiteral("continue"), text()}}}};
        return QJsonDocument(list).toJson(m_random() % 2 ? QJsonDocument::Compact : QJsonDocument::Indented);
    }

    unsigned next() { return m_random(); }

private:
    std::mt19937 m_random;
};

std::map<std::string, std::string> asMap(const QJsonObject &object)
{
    std::map<std::string, std::string> map;
    for (auto it = object.begin(); it != object.end(); ++it)
        map[it.key().toStdString()] = it.value().toString().toStdString();
    return map;
}

std::map<std::string, std::string> asMap(const StringPairs &pairs)
{
    return {pairs.begin(), pairs.end()};
}

TEST(ListDifferential, AgreesWithAnotherReaderOnGeneratedLists)
{
    NodeParser parser;
    NodeRecord record;
    for (unsigned seed = 0; seed < 300; ++seed) {
        ListGenerator generator(seed);
        const QByteArray body = generator.list(int(seed % 7));
        const QJsonObject expected = QJsonDocument::fromJson(body).object();
        const QJsonArray items = expected.value(QLatin1String("items")).toArray();

        ItemCutter cutter;
        test::ListCollector collector;
        for (std::size_t at = 0; at < std::size_t(body.size());) {
            const std::size_t size = 1 + generator.next() % (seed % 3 == 0 ? 10 : 400);
            test::feedExactly(cutter,
                              std::string_view(body.constData(), std::size_t(body.size())).substr(at, size),
                              collector);
            at += size;
        }
        ASSERT_TRUE(cutter.finish().has_value()) << "seed " << seed;
        ASSERT_EQ(collector.items.size(), std::size_t(items.size())) << "seed " << seed;
        const QJsonObject metadata = expected.value(QLatin1String("metadata")).toObject();
        EXPECT_EQ(cutter.header().resourceVersion,
                  metadata.value(QLatin1String("resourceVersion")).toString().toStdString());
        EXPECT_EQ(cutter.header().continueToken,
                  metadata.value(QLatin1String("continue")).toString().toStdString());

        for (qsizetype i = 0; i < items.size(); ++i) {
            UnreadableObject why;
            ASSERT_TRUE(parser.parse(test::PaddedText(collector.items[std::size_t(i)]).view(), record, why))
                << "seed " << seed << ": " << why.reason << " in " << collector.items[std::size_t(i)];
            const QJsonObject node = items.at(i).toObject();
            const QJsonObject nodeMetadata = node.value(QLatin1String("metadata")).toObject();
            EXPECT_EQ(record.key.name, nodeMetadata.value(QLatin1String("name")).toString().toStdString());
            EXPECT_EQ(record.key.uid, nodeMetadata.value(QLatin1String("uid")).toString().toStdString());
            EXPECT_EQ(asMap(record.labels), asMap(nodeMetadata.value(QLatin1String("labels")).toObject()));
            EXPECT_EQ(asMap(record.annotations),
                      asMap(nodeMetadata.value(QLatin1String("annotations")).toObject()));
            EXPECT_EQ(
                record.unschedulable,
                node.value(QLatin1String("spec")).toObject().value(QLatin1String("unschedulable")).toBool());
            ASSERT_EQ(record.resources.size(), 1u);
            EXPECT_EQ(record.resources[0].rawCapacity, node.value(QLatin1String("status"))
                                                           .toObject()
                                                           .value(QLatin1String("capacity"))
                                                           .toObject()
                                                           .value(QLatin1String("nvidia.com/gpu"))
                                                           .toString()
                                                           .toStdString());
        }
    }
}

TEST(ListDifferential, NeverBreaksOnSpoiledLists)
{
    NodeParser parser;
    NodeRecord record;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        ListGenerator generator(seed);
        QByteArray body = generator.list(3);
        for (unsigned changes = 1 + generator.next() % 4; changes > 0; --changes) {
            const qsizetype at = qsizetype(generator.next() % unsigned(body.size()));
            if (generator.next() % 2)
                body[at] = "{}[]\",:\\\x80\xff"[generator.next() % 10];
            else
                body.remove(at, qsizetype(1 + generator.next() % 20));
            if (body.isEmpty())
                body = "{";
        }
        ItemCutter cutter;
        test::ListCollector collector;
        test::feedInPieces(cutter, {body.constData(), std::size_t(body.size())}, 100, collector);
        for (const std::string &item : collector.items) {
            UnreadableObject why;
            if (!parser.parse(test::PaddedText(item).view(), record, why)) {
                EXPECT_FALSE(why.reason.empty());
            }
        }
    }
}

TEST(UidSet, CountsLikeASetOfStrings)
{
    std::mt19937 random(5);
    UidSet uids;
    std::set<std::string> reference;
    for (int i = 0; i < 20'000; ++i) {
        const std::string uid = "uid-" + std::to_string(random() % 3000);
        if (random() % 2)
            EXPECT_EQ(uids.insert({.uid = uid}), reference.insert(uid).second);
        else
            EXPECT_EQ(uids.remove({.uid = uid}), reference.erase(uid) == 1);
        ASSERT_EQ(uids.size(), reference.size());
    }
    uids.clear();
    EXPECT_EQ(uids.size(), 0u);
    EXPECT_FALSE(uids.remove({.uid = "x"}));
    EXPECT_TRUE(uids.insert({.nameSpace = "a", .name = "b"}));
    EXPECT_TRUE(uids.insert({.nameSpace = "b", .name = "a"}));
}

} // namespace
} // namespace tongchi
