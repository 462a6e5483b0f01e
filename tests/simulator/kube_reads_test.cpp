// Reads as a real API server answers them (the wording is that of recorded exchanges with
// kube-apiserver 1.36.3).

#include "tests/simulator/server_test_pool.h"

#include <QJsonArray>

namespace tongchi::test {
namespace {

using KubeReads = PoolTest;

QStringList names(const QJsonObject &list)
{
    QStringList out;
    for (const QJsonValue &item : list.value(QLatin1String("items")).toArray())
        out << item.toObject()
                   .value(QLatin1String("metadata"))
                   .toObject()
                   .value(QLatin1String("name"))
                   .toString();
    return out;
}

QJsonObject metadata(const QJsonObject &object)
{
    return object.value(QLatin1String("metadata")).toObject();
}

TEST_F(KubeReads, ListsAreCompleteAndOrdered)
{
    const ServerAnswer answer = get("/api/v1/nodes?resourceVersion=0");
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.body.startsWith(
        "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""))
        << answer.text();
    EXPECT_EQ(names(answer.json()).join(u','), QStringLiteral("e-0000,e-0001,e-0002,e-0003,e-0004"));
    EXPECT_FALSE(answer.json()
                     .value(QLatin1String("items"))
                     .toArray()
                     .first()
                     .toObject()
                     .contains(QLatin1String("kind")));
}

TEST_F(KubeReads, OneObjectCarriesItsKindAndVersion)
{
    const QJsonObject node = get("/api/v1/nodes/e-0001").json();
    EXPECT_EQ(node.value(QLatin1String("kind")).toString(), QStringLiteral("Node"));
    EXPECT_FALSE(metadata(node).value(QLatin1String("resourceVersion")).toString().isEmpty());
}

TEST_F(KubeReads, PagesContinueUntilTheEnd)
{
    QByteArray path = "/api/v1/nodes?limit=2";
    QStringList all;
    QList<int> remaining;
    for (int page = 0; page < 5; ++page) {
        const QJsonObject list = get(path).json();
        all << names(list);
        remaining << metadata(list).value(QLatin1String("remainingItemCount")).toInt();
        const QString next = metadata(list).value(QLatin1String("continue")).toString();
        if (next.isEmpty())
            break;
        path = "/api/v1/nodes?limit=2&continue=" + next.toUtf8();
    }
    EXPECT_EQ(all.join(u','), QStringLiteral("e-0000,e-0001,e-0002,e-0003,e-0004"));
    EXPECT_EQ(remaining, (QList<int>{3, 1, 0}));
}

TEST_F(KubeReads, PagesShowOneMomentAlthoughObjectsChange)
{
    const QJsonObject first = get("/api/v1/nodes?limit=2").json();
    ASSERT_EQ(send("DELETE", "/api/v1/nodes/e-0003").status, 200);
    const QByteArray next = metadata(first).value(QLatin1String("continue")).toString().toUtf8();
    EXPECT_EQ(names(get("/api/v1/nodes?limit=9&continue=" + next).json()).join(u','),
              QStringLiteral("e-0002,e-0003,e-0004"));
    EXPECT_EQ(names(get("/api/v1/nodes").json()).size(), 4);
}

TEST_F(KubeReads, LimitIsIgnoredWithVersionZero)
{
    EXPECT_EQ(names(get("/api/v1/nodes?limit=2&resourceVersion=0").json()).size(), 5);
}

TEST_F(KubeReads, CompactedContinueTokensCarryAFreshOne)
{
    // {"v":"meta.k8s.io/v1","rv":3,"start":"/hf-910b-02\u0000"}
    const ServerAnswer answer =
        get("/api/v1/nodes?limit=2&continue="
            "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Mywic3RhcnQiOiIvaGYtOTEwYi0wMlx1MDAwMCJ9");
    EXPECT_EQ(
        answer.text(),
        R"({"kind":"Status","apiVersion":"v1","metadata":{"continue":"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0Ijoi)"
        R"(aGYtOTEwYi0wMlx1MDAwMCJ9"},"status":"Failure","message":"The provided continue parameter is too old to display a )"
        R"(consistent list result. You can start a new list without the continue parameter, or use the continue token in )"
        R"(this response to retrieve the remainder of the results. Continuing with the provided token results in an )"
        R"(inconsistent list - objects that were created, modified, or deleted between the time the first chunk was )"
        R"(returned and now may show up in the list.","reason":"Expired","code":410})");
    EXPECT_EQ(answer.status, 410);
    const QByteArray fresh = metadata(answer.json()).value(QLatin1String("continue")).toString().toUtf8();
    EXPECT_EQ(get("/api/v1/nodes?limit=2&continue=" + fresh).status, 200);
}

struct RefusedRead
{
    const char *path;
    int status;
    const char *body;
};
void PrintTo(const RefusedRead &read, std::ostream *out)
{
    *out << read.path;
}

class KubeRefusedReads : public PoolTest, public ::testing::WithParamInterface<RefusedRead>
{
};

TEST_P(KubeRefusedReads, AreWordedAsByARealServer)
{
    const ServerAnswer answer = get(GetParam().path);
    EXPECT_EQ(answer.status, GetParam().status);
    EXPECT_EQ(answer.text(), GetParam().body);
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, KubeRefusedReads,
    ::testing::Values(
        RefusedRead{
            "/api/v1/nodes/nosuch", 404,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes \"nosuch\" not found","reason":"NotFound","details":{"name":"nosuch","kind":"nodes"},"code":404})"},
        RefusedRead{
            "/api/v1/nodes?labelSelector=a%3Db%3Dc", 400,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"found '=', expected: ',' or 'end of string'","reason":"BadRequest","code":400})"},
        RefusedRead{
            "/api/v1/nodes?labelSelector=a+in+b", 400,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"unable to parse requirement: found 'b' expected: '('","reason":"BadRequest","code":400})"},
        RefusedRead{
            "/api/v1/pods?fieldSelector=spec.nosuch%3Dx", 400,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"field label not supported: spec.nosuch","reason":"BadRequest","code":400})"},
        RefusedRead{
            "/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.foo%3Dx", 400,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.foo","reason":"BadRequest","code":400})"},
        RefusedRead{
            "/api/v1/nodes?limit=2&continue=abc", 400,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value","reason":"BadRequest","code":400})"},
        RefusedRead{
            "/api/v1/nodes?resourceVersion=1&resourceVersionMatch=Exact&limit=1", 410,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"The resourceVersion for the provided list is too old.","reason":"Expired","code":410})"},
        RefusedRead{
            "/api/v1/nodes?watch=1&sendInitialEvents=true", 422,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan","reason":"Invalid","details":{"group":"meta.k8s.io","kind":"ListOptions","causes":[{"reason":"FieldValueForbidden","message":"Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan","field":"resourceVersionMatch"}]},"code":422})"},
        RefusedRead{
            "/api/v1/namespaces/default/services/http:nosuch:9090/proxy/api/v1/query?query=up", 404,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"services \"nosuch\" not found","reason":"NotFound","details":{"name":"nosuch","kind":"services"},"code":404})"},
        RefusedRead{
            "/api/v1/namespaces/default/services/kubernetes/proxy/x", 503,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no endpoints available for service \"kubernetes\"","reason":"ServiceUnavailable","code":503})"},
        RefusedRead{
            "/api/v1/namespaces/default/pods/nosuch/log", 404,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \"nosuch\" not found","reason":"NotFound","details":{"name":"nosuch","kind":"pods"},"code":404})"},
        RefusedRead{"/apis/nosuch.example/v1", 404, "404 page not found"},
        RefusedRead{"/apis/metrics.k8s.io/v1beta1/nodes", 404, "404 page not found"}));

TEST_F(KubeReads, WhatCannotBeAcceptedIs406)
{
    const ServerAnswer answer = get("/api/v1/nodes", "application/xml");
    EXPECT_EQ(answer.status, 406);
    EXPECT_TRUE(answer.body.contains("406: Not Acceptable\\n\\nAvailable representations: application/json"))
        << answer.text();
}

TEST_F(KubeReads, SelectorsChoose)
{
    EXPECT_EQ(
        names(get("/api/v1/nodes?labelSelector=kubernetes.io/hostname%20in%20(e-0001,e-0003),!nosuch").json())
            .join(u','),
        QStringLiteral("e-0001,e-0003"));
    EXPECT_EQ(names(get("/api/v1/nodes?fieldSelector=metadata.name%3De-0002").json()).join(u','),
              QStringLiteral("e-0002"));
    EXPECT_EQ(names(get("/api/v1/pods?fieldSelector=spec.nodeName%3De-0001,status.phase!%3DFailed").json())
                  .join(u','),
              QStringLiteral("p-0002,p-0003"));
    EXPECT_EQ(names(get("/api/v1/namespaces/kube-system/pods").json()).size(), 0);
}

TEST_F(KubeReads, TablesHaveKubectlsColumns)
{
    const QByteArray accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const QJsonObject table = get("/api/v1/nodes?limit=1", accept).json();
    EXPECT_EQ(table.value(QLatin1String("kind")).toString(), QStringLiteral("Table"));
    const QJsonObject row = table.value(QLatin1String("rows")).toArray().first().toObject();
    const QJsonArray cells = row.value(QLatin1String("cells")).toArray();
    ASSERT_EQ(cells.size(), table.value(QLatin1String("columnDefinitions")).toArray().size());
    EXPECT_EQ(cells.at(1).toString(), QStringLiteral("Ready"));
    EXPECT_EQ(cells.at(4).toString(), QStringLiteral("v1.36.3"));
    EXPECT_EQ(row.value(QLatin1String("object")).toObject().value(QLatin1String("kind")).toString(),
              QStringLiteral("PartialObjectMetadata"));
}

TEST_F(KubeReads, MetadataAloneIsServedWhenWanted)
{
    const QJsonObject list =
        get("/api/v1/nodes?limit=1", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
            .json();
    EXPECT_EQ(list.value(QLatin1String("kind")).toString(), QStringLiteral("PartialObjectMetadataList"));
    const QJsonObject item = list.value(QLatin1String("items")).toArray().first().toObject();
    EXPECT_FALSE(item.contains(QLatin1String("status")));
}

TEST_F(KubeReads, PrometheusIsBehindItsServiceAndOnItsOwn)
{
    EXPECT_EQ(get("/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy/api/v1/"
                  "query?query=up%7B%7D")
                  .text(),
              "0 GET /api/v1/query query=up%7B%7D");
    QNetworkReply *reply = manager.get(QNetworkRequest(
        QUrl(pool->info().clusters.at(1).prometheus + QStringLiteral("/api/v1/query?query=up"))));
    ASSERT_TRUE(waitUntil([reply] { return reply->isFinished(); }));
    EXPECT_EQ(reply->readAll(), QByteArray("1 GET /api/v1/query query=up "));
    delete reply;
}

TEST_F(KubeReads, LargeListsComeAsOneGzipStreamAndFollowChanges)
{
    pool.reset();
    startPool(1500, 2);
    ASSERT_EQ(names(get("/api/v1/nodes?resourceVersion=0").json()).size(), 1500); // unpacked by the client
    ASSERT_EQ(mergePatch("/api/v1/nodes/e-0700", R"({"metadata":{"labels":{"x":"y"}}})").status, 200);
    const QJsonArray items =
        get("/api/v1/nodes?resourceVersion=0").json().value(QLatin1String("items")).toArray();
    ASSERT_EQ(items.size(), 1500);
    EXPECT_EQ(metadata(items.at(700).toObject())
                  .value(QLatin1String("labels"))
                  .toObject()
                  .value(QLatin1String("x"))
                  .toString(),
              QStringLiteral("y"));
    QNetworkRequest raw = request("/api/v1/pods?resourceVersion=0", administrator());
    raw.setRawHeader("Accept-Encoding", "gzip"); // set by hand: the client leaves the bytes alone
    QNetworkReply *reply = manager.get(raw);
    ASSERT_TRUE(waitUntil([reply] { return reply->isFinished(); }));
    EXPECT_EQ(reply->rawHeader("Content-Encoding"), QByteArray("gzip"));
    delete reply;
}

} // namespace
} // namespace tongchi::test
