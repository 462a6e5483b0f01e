// The twins find a lie wherever it is told: a server against a copy of itself that lies in one place.

#include "tests/real/twins/lying_proxy.h"
#include "tests/real/twins/reviewed_list.h"
#include "tests/real/twins/twin_tests.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace tongchi::twins {
namespace {

/// One pool for all of these tests.
class LiarsPool : public ::testing::Environment
{
public:
    void TearDown() override { m_twin.reset(); }
    const TwinServer &server()
    {
        if (!m_twin) {
            m_twin = std::make_unique<EmbeddedTwin>();
            QString problem = m_twin->problem();
            prepare(m_twin->server(), "kubernetes", &problem);
            EXPECT_TRUE(problem.isEmpty()) << problem.toStdString();
        }
        return m_twin->server();
    }

private:
    std::unique_ptr<EmbeddedTwin> m_twin;
};
auto *const liarsPool = static_cast<LiarsPool *>(::testing::AddGlobalTestEnvironment(new LiarsPool));

const TwinCall &callNamed(const QByteArray &id)
{
    for (const TwinCall &call : twinCalls()) {
        if (call.id == id)
            return call;
    }
    ADD_FAILURE() << "there is no call " << id.toStdString();
    return twinCalls().front();
}

/// What the twins say of a server and a liar beside it.
std::vector<Difference> differencesWith(const QByteArray &id, const LyingProxy::Lie &lie)
{
    const TwinCall &call = callNamed(id);
    const TwinServer &truth = liarsPool->server();
    const LyingProxy liar(truth, call.engine, lie);
    QString problem;
    const Transcript honest = run(call, truth, &problem);
    const Transcript told = run(call, liar.server(), &problem);
    EXPECT_TRUE(problem.isEmpty()) << problem.toStdString();
    return differencesOf(call, honest, told);
}

/// Changes the JSON of a body.
LyingProxy::Lie inJson(const std::function<void(QJsonObject &body)> &change)
{
    return [change](RawAnswer &answer) {
        QJsonObject body = QJsonDocument::fromJson(answer.body).object();
        change(body);
        answer.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    };
}

/// Another text for a part of a body.
LyingProxy::Lie inText(const QByteArray &part, const QByteArray &other)
{
    return [part, other](RawAnswer &answer) { answer.body.replace(part, other); };
}

LyingProxy::Lie inHeader(const QByteArray &name, const QByteArray &value)
{
    return [name, value](RawAnswer &answer) {
        for (auto &header : answer.headers) {
            if (header.first.compare(name, Qt::CaseInsensitive) == 0)
                header.second = value;
        }
    };
}

QJsonObject changed(const QJsonValue &object, const char *key, const QJsonValue &value)
{
    QJsonObject copy = object.toObject();
    if (value.isUndefined())
        copy.remove(QLatin1String(key));
    else
        copy.insert(QLatin1String(key), value);
    return copy;
}

void swapItems(QJsonObject &body)
{
    QJsonArray items = body[QLatin1String("items")].toArray();
    if (items.size() < 2)
        return;
    const QJsonValue first = items.first();
    items.replace(0, items.at(1));
    items.replace(1, first);
    body.insert(QStringLiteral("items"), items);
}

void swapLines(RawAnswer &answer)
{
    QList<QByteArray> lines = answer.body.split('\n');
    if (lines.size() > 2)
        lines.swapItemsAt(0, 1);
    answer.body = lines.join('\n');
}

struct PlantedLie
{
    const char *name;
    const char *call;
    LyingProxy::Lie lie;
    Place place;
    const char *path; ///< a pattern
};

std::ostream &operator<<(std::ostream &out, const PlantedLie &lie)
{
    return out << lie.name;
}

const QJsonValue gone(QJsonValue::Undefined);

const std::vector<PlantedLie> &plantedLies()
{
    static const std::vector<PlantedLie> lies{
        {"Status", "get_objects",
         [](RawAnswer &answer) { answer.status = answer.status == 404 ? 410 : answer.status; }, Place::Status,
         "status"},
        {"StatusOfAnAnswerOfQueries", "query_errors", [](RawAnswer &answer) { answer.status = 422; },
         Place::Status, "status"},
        {"Header", "get_objects", inHeader("Content-Type", "text/json"), Place::Header, "content-type"},
        {"HeaderGone", "get_objects",
         [](RawAnswer &answer) {
             answer.headers.removeIf([](const auto &header) { return header.first == "Cache-Control"; });
         },
         Place::Header, "cache-control"},
        {"HeaderInvented", "query_kinds",
         [](RawAnswer &answer) {
             answer.headers.append(std::pair<QByteArray, QByteArray>("Retry-After", "1"));
         },
         Place::Header, "retry-after"},
        {"Warning", "create_unknown_fields", inHeader("Warning", "299 - \"other\""), Place::Header,
         "warning"},
        {"MemberGone", "list_all", inJson([](QJsonObject &body) {
             body.insert(QStringLiteral("metadata"),
                         changed(body[QLatin1String("metadata")], "resourceVersion", gone));
         }),
         Place::Shape, "/metadata/resourceVersion"},
        {"MemberInvented", "list_all",
         inJson([](QJsonObject &body) { body.insert(QStringLiteral("more"), 1); }), Place::Shape, "/more"},
        {"NumberAsText", "list_pages", inJson([](QJsonObject &body) {
             const QJsonValue metadata = body[QLatin1String("metadata")];
             if (!metadata[QLatin1String("remainingItemCount")].isUndefined())
                 body.insert(QStringLiteral("metadata"),
                             changed(metadata, "remainingItemCount", QStringLiteral("3")));
         }),
         Place::Shape, "/metadata/remainingItemCount"},
        {"TimeWithAFraction", "get_objects",
         [](RawAnswer &answer) {
             answer.body.replace(QByteArray("Z\",\"labels\""), QByteArray(".5Z\",\"labels\""));
         },
         Place::Value, "/metadata/creationTimestamp"},
        {"ShapeBehindMaskedValues", "query_kinds", inText("\"matrix\"", "\"vector\",\"more\":1"),
         Place::Shape, "/data/more"},
        {"ShapeWhereOnlyTheShapeCounts", "targets", inText("\"lastError\":", "\"lastFault\":"), Place::Shape,
         "/data/activeTargets/0/lastError"},
        {"NotEvenJson", "list_all", [](RawAnswer &answer) { answer.body.chop(3); }, Place::Shape, "body"},
        {"Value", "get_objects", inText("\"week\":\"a\"", "\"week\":\"b\""), Place::Value, "/data/week"},
        {"AmountNotCanonical", "quantities", inText("\"500m\"", "\"0.5\""), Place::Value, "/spec/**"},
        {"ElementOfAPart", "core_resources", inText("\"singularName\":\"node\"", "\"singularName\":\"\""),
         Place::Value, "/resources/nodes/singularName"},
        {"ElementInventedInAPart", "core_resources", inText("\"name\":\"nodes\"", "\"name\":\"knots\""),
         Place::Shape, "/resources/knots"},
        {"Reason", "get_objects", inText("\"reason\":\"NotFound\"", "\"reason\":\"Gone\""), Place::ErrorClass,
         "/reason"},
        {"ReasonGone", "get_objects", inText("\"reason\":\"NotFound\",", ""), Place::ErrorClass, "/reason"},
        {"Code", "get_objects", inText("\"code\":404", "\"code\":400"), Place::ErrorClass, "/code"},
        {"Details", "get_objects", inText("\"kind\":\"pods\"}", "\"kind\":\"nodes\"}"), Place::ErrorClass,
         "/details/kind"},
        {"FieldOfACause", "patch_invalid", inText("\"field\":\"metadata.labels\"", "\"field\":\"labels\""),
         Place::ErrorClass, "/details/causes/*/field"},
        {"ErrorType", "query_errors", inText("\"bad_data\"", "\"execution\""), Place::ErrorClass,
         "/errorType"},
        {"SuccessInsteadOfAFailure", "query_errors",
         [](RawAnswer &answer) {
             answer.status = 200;
             answer.body = R"({"status":"success","data":{"resultType":"vector","result":[]}})";
         },
         Place::ErrorClass, "/"},
        {"Message", "get_objects", inText(" not found\"", " is not there\""), Place::Words, "/message"},
        {"MessageOfACause", "patch_invalid", inText("a valid label must", "a label should"), Place::Words,
         "/details/causes/*/message"},
        {"ErrorOfAQuery", "query_errors", inText("parse error", "syntax error"), Place::Words, "/error"},
        {"PlainText", "prometheus_health", inText("Healthy", "Well"), Place::Words, "text"},
        {"ItemsOfAList", "list_all", inJson(swapItems), Place::Order, "/items"},
        {"PointsOfASeries", "query_range",
         [](RawAnswer &answer) {
             answer.body.replace("[1700000000,\"1\"],[1700000010,\"1\"]",
                                 "[1700000010,\"1\"],[1700000000,\"1\"]");
         },
         Place::Order, "/data/result/0/values"},
        {"OrderOfAPart", "group_resources",
         [](RawAnswer &answer) {
             answer.body.replace("\"name\":\"daemonsets\"", "\"name\":\"@\"");
             answer.body.replace("\"name\":\"deployments\"", "\"name\":\"daemonsets\"");
             answer.body.replace("\"name\":\"@\"", "\"name\":\"deployments\"");
         },
         Place::Order, "/resources/daemonsets"},
        {"Events", "watch_from_a_version", swapLines, Place::Order, "events"},
        {"TypeOfAnEvent", "watch_from_a_version", inText("\"MODIFIED\"", "\"ADDED\""), Place::Shape,
         "events"},
        {"ObjectOfAnEvent", "watch_from_a_version", inText("\"week\":\"b\"", "\"week\":\"c\""), Place::Value,
         "/*/object/data/week"},
        {"EventLeftOut", "watch_from_a_version",
         [](RawAnswer &answer) { answer.body.remove(0, answer.body.indexOf('\n') + 1); }, Place::Shape,
         "events"},
        {"CutBody", "list_all", [](RawAnswer &answer) { answer.complete = false; }, Place::Transport,
         "connection"},
    };
    return lies;
}

class PlantedLies : public ::testing::TestWithParam<PlantedLie>
{
};

TEST_P(PlantedLies, AreFoundInTheirPlace)
{
    const PlantedLie &lie = GetParam();
    const std::vector<Difference> found = differencesWith(lie.call, lie.lie);
    QByteArray all;
    bool there = false;
    for (const Difference &difference : found) {
        all += describe(difference);
        there = there || (difference.place == lie.place && pathMatches(difference.path, lie.path));
    }
    EXPECT_TRUE(there) << "not found at " << lie.path << ", only:\n" << all.toStdString();
}

INSTANTIATE_TEST_SUITE_P(All, PlantedLies, ::testing::ValuesIn(plantedLies()),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(Twins, FindNothingWhereNobodyLies)
{
    QList<QByteArray> calls;
    for (const PlantedLie &lie : plantedLies()) {
        if (!calls.contains(lie.call))
            calls.append(lie.call);
    }
    for (const QByteArray &call : calls) {
        QByteArray all;
        for (const Difference &difference : differencesWith(call, [](RawAnswer &) {}))
            all += describe(difference);
        EXPECT_TRUE(all.isEmpty()) << call.toStdString() << ":\n" << all.toStdString();
    }
}

TEST(ReviewedListTest, CoversWhatItNamesAndNothingElse)
{
    const Difference words{"first", Place::Words, "/message", "a", "b"};
    const Difference header{"first", Place::Header, "etag", "a", "b"};
    const ReviewedList list({{{"call"}, "first", Place::Words, "/message", "a reason"}});
    EXPECT_TRUE(list.complaints("call", {words}).isEmpty());
    EXPECT_EQ(list.complaints("call", {words, header}).size(), 1);
    EXPECT_EQ(list.complaints("other", {words}).size(), 1);
    Difference second = words;
    second.step = "second";
    EXPECT_EQ(list.complaints("call", {words, second}).size(), 1);
}

TEST(ReviewedListTest, ComplainsOfWhatIsNoLongerSo)
{
    const ReviewedList list({{{"call"}, {}, Place::Value, "/data/**", "a reason"}});
    EXPECT_TRUE(list.complaints("call", {{{}, Place::Value, "/data/a/b", "1", "2"}}).isEmpty());
    EXPECT_EQ(list.complaints("call", {}).size(), 1);
    EXPECT_TRUE(list.complaints("other", {}).isEmpty());
}

TEST(ReviewedListTest, ComplainsOfCallsThatAreInNoTable)
{
    const ReviewedList list({{{"version", "nosuch"}, {}, Place::Value, "/", "a reason"}});
    EXPECT_EQ(list.withoutCall(twinCalls()), QList<QByteArray>{"nosuch"});
}

/// A file with this content; says what the reader makes of it.
QString complaintAbout(const QByteArray &content)
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("reviewed.yaml")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QString problem;
    (void)ReviewedList::read(file.fileName(), &problem);
    return problem;
}

TEST(ReviewedListTest, WantsAReasonAndAPlace)
{
    EXPECT_TRUE(
        complaintAbout("[{calls: [a], place: words, at: text, reason: somebody has thought about it}]")
            .isEmpty());
    EXPECT_FALSE(complaintAbout("[{calls: [a], place: words, at: text}]").isEmpty());
    EXPECT_FALSE(complaintAbout("[{calls: [a], place: words, at: text, reason: so}]").isEmpty());
    EXPECT_FALSE(
        complaintAbout("[{calls: [a], place: nowhere, at: text, reason: somebody has thought about it}]")
            .isEmpty());
    EXPECT_FALSE(
        complaintAbout("[{place: words, at: text, reason: somebody has thought about it}]").isEmpty());
    EXPECT_FALSE(complaintAbout("[{calls: [a").isEmpty());
}

/// A folder of tables with one call of this one step.
QString complaintAboutStep(const QByteArray &step)
{
    QTemporaryDir folder;
    for (const auto &[name, content] :
         {std::pair(QStringLiteral("fixtures.yaml"), QByteArray("fixtures: {}")),
          std::pair(
              QStringLiteral("a-b.yaml"),
              QByteArray("engine: kubernetes\npoint: x\ncalls:\n- {id: one, steps: [" + step + "]}"))}) {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QString problem;
    (void)readTwinCalls(folder.path(), &problem);
    return problem;
}

TEST(TwinTableTest, IsReadStrictly)
{
    EXPECT_TRUE(complaintAboutStep("{GET: /x}").isEmpty());
    EXPECT_FALSE(complaintAboutStep("{GET: /x, sharpe: true}").isEmpty())
        << "a misspelt word would compare nothing";
    EXPECT_FALSE(complaintAboutStep("{name: x}").isEmpty());
    EXPECT_FALSE(complaintAboutStep("").isEmpty());
    EXPECT_FALSE(complaintAboutStep("{GET: ").isEmpty());
}

TEST(TwinTableTest, FillsVariablesAndMissesNone)
{
    QString problem;
    EXPECT_EQ(filledIn("/a/{id}?x={\"y\":{}}&z={id}", {{"id", "1"}}, &problem),
              QByteArray("/a/1?x={\"y\":{}}&z=1"));
    EXPECT_TRUE(problem.isEmpty());
    (void)filledIn("{nosuch}", {}, &problem);
    EXPECT_TRUE(problem.contains(QLatin1String("nosuch")));
}

TEST(TwinAnswerTest, WhatDiffersFromRunToRunIsTakenOut)
{
    EXPECT_EQ(normalisedText("at 2026-12-01T10:00:00Z and 2026-12-01T10:00:00.123456Z"),
              QByteArray("at <time> and <time with a fraction>"));
    EXPECT_EQ(normalisedText("127.0.0.1:4711 de305d54-75b4-431b-adb2-eb6b9e546014 current: 815"),
              QByteArray("<address> <uid> current: <version>"));
    RawAnswer raw;
    raw.status = 200;
    raw.headers = {{"Date", "x"}, {"Audit-Id", "y"}, {"ETag", "z"}};
    raw.body =
        R"({"metadata":{"resourceVersion":"7","name":"7","uid":"de305d54-75b4-431b-adb2-eb6b9e546014"}})";
    const TwinAnswer answer = normalised("s", raw, false);
    EXPECT_EQ(answer.headers, (QMap<QByteArray, QByteArray>{{"etag", "<tag>"}}));
    EXPECT_EQ(valueAt(answer.body, "/metadata/resourceVersion").toString(), QStringLiteral("<version>"));
    EXPECT_EQ(valueAt(answer.body, "/metadata/name").toString(), QStringLiteral("7"));
    EXPECT_EQ(TwinAnswer::fromJson(answer.toJson()).toJson(), answer.toJson());
}

} // namespace
} // namespace tongchi::twins
