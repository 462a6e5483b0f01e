#pragma once

#include "platform/kubernetes/object_parser.h"
#include "tests/kubernetes/list_collector.h"
#include "tests/support/paths.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <memory>
#include <string>
#include <vector>

namespace tongchi::test {

/// What a case's server answers on a route: the body of each answer in turn.
inline std::vector<std::string> caseAnswers(const QString &name, const QString &route)
{
    std::vector<std::string> bodies;
    const QJsonObject replay =
        QJsonDocument::fromJson(readData(QStringLiteral("kubernetes/%1/replay.json").arg(name))).object();
    for (const QJsonValue &server : replay.value(QLatin1String("servers")).toArray()) {
        for (const QJsonValue &entry : server.toObject().value(QLatin1String("routes")).toArray()) {
            if (entry.toObject().value(QLatin1String("name")).toString() != route)
                continue;
            for (const QJsonValue &answer : entry.toObject().value(QLatin1String("answers")).toArray()) {
                const QJsonObject fields = answer.toObject();
                std::string body = fields.value(QLatin1String("body")).toString().toStdString();
                if (fields.contains(QLatin1String("json")))
                    body = QJsonDocument(fields.value(QLatin1String("json")).toObject())
                               .toJson(QJsonDocument::Compact)
                               .toStdString();
                for (const QJsonValue &step : fields.value(QLatin1String("steps")).toArray()) {
                    if (const QJsonValue event = step.toObject().value(QLatin1String("send_json"));
                        event.isObject())
                        body += QJsonDocument(event.toObject()).toJson(QJsonDocument::Compact).toStdString() +
                                '\n';
                }
                bodies.push_back(body);
            }
        }
    }
    EXPECT_FALSE(bodies.empty()) << "no answers on route " << route.toStdString();
    return bodies;
}

/// A text with the padding that parsers need behind it, in memory that a sanitizer guards.
class PaddedText
{
public:
    explicit PaddedText(std::string_view text)
        : m_bytes(new char[text.size() + kJsonPadding]()), m_size(text.size())
    {
        std::copy(text.begin(), text.end(), m_bytes.get());
    }
    std::string_view view() const { return {m_bytes.get(), m_size}; }

private:
    std::unique_ptr<char[]> m_bytes;
    std::size_t m_size;
};

template <typename Record> struct ParsedList
{
    std::vector<Record> records;
    std::vector<UnreadableObject> unreadable;

    const Record *named(std::string_view name) const
    {
        for (const Record &record : records) {
            if (record.key.name == name)
                return &record;
        }
        return nullptr;
    }
};

/// Cuts a whole list and parses each of its elements into one reused record.
template <typename Record, typename Parser> ParsedList<Record> parseList(const std::string &body)
{
    ItemCutter cutter;
    ListCollector collector;
    feedInPieces(cutter, body, 4096, collector);
    EXPECT_TRUE(cutter.finish().has_value());
    ParsedList<Record> result;
    Parser parser;
    Record record;
    for (const std::string &item : collector.items) {
        UnreadableObject why;
        if (parser.parse(PaddedText(item).view(), record, why))
            result.records.push_back(record);
        else
            result.unreadable.push_back(why);
    }
    return result;
}

/// One object; fails the test when it cannot be read.
template <typename Record, typename Parser> Record parseOne(std::string_view json)
{
    Parser parser;
    Record record;
    UnreadableObject why;
    EXPECT_TRUE(parser.parse(PaddedText(json).view(), record, why)) << why.reason << " in " << json;
    return record;
}

} // namespace tongchi::test
