// Writes and their refusals (wording of recorded exchanges with kube-apiserver 1.36.3).

#include "tests/simulator/server_test_pool.h"

namespace tongchi::test {
namespace {

using KubeWrites = PoolTest;

QJsonValue at(const QJsonObject &object, std::initializer_list<const char *> path)
{
    QJsonValue value = object;
    for (const char *step : path)
        value = value.toObject().value(QLatin1String(step));
    return value;
}

TEST_F(KubeWrites, CordonAndUncordonAreMergePatches)
{
    EXPECT_TRUE(at(mergePatch("/api/v1/nodes/e-0001", R"({"spec":{"unschedulable":true}})").json(),
                   {"spec", "unschedulable"})
                    .toBool());
    EXPECT_TRUE(at(get("/api/v1/nodes/e-0001").json(), {"spec", "unschedulable"}).toBool());
    mergePatch("/api/v1/nodes/e-0001", R"({"spec":{"unschedulable":null}})");
    EXPECT_TRUE(at(get("/api/v1/nodes/e-0001").json(), {"spec", "unschedulable"}).isUndefined());
}

TEST_F(KubeWrites, ADryRunChangesNothing)
{
    const ServerAnswer answer =
        mergePatch("/api/v1/nodes/e-0001?dryRun=All&fieldManager=tongchi&fieldValidation=Strict",
                   R"({"metadata":{"labels":{"tongchi.io/business":"mixed"}}})");
    EXPECT_EQ(at(answer.json(), {"metadata", "labels", "tongchi.io/business"}).toString(),
              QStringLiteral("mixed"));
    const QJsonObject stored = get("/api/v1/nodes/e-0001").json();
    EXPECT_TRUE(at(stored, {"metadata", "labels", "tongchi.io/business"}).isUndefined());
    EXPECT_EQ(at(answer.json(), {"metadata", "resourceVersion"}),
              at(stored, {"metadata", "resourceVersion"}));
}

TEST_F(KubeWrites, APatchThatChangesNothingKeepsTheVersion)
{
    const QJsonValue before = at(get("/api/v1/nodes/e-0001").json(), {"metadata", "resourceVersion"});
    EXPECT_EQ(at(mergePatch("/api/v1/nodes/e-0001", "{}").json(), {"metadata", "resourceVersion"}), before);
}

TEST_F(KubeWrites, WhatAClientChangedSurvivesTheFleetsNextVersion)
{
    mergePatch("/api/v1/nodes/e-0001",
               R"({"metadata":{"labels":{"tongchi.io/business":"training"}},"spec":{"unschedulable":true}})");
    fleet->happens({ObjectChange::Kind::Upsert, ScriptedFleet::node("e-0001", R"(,"from":"fleet")")});
    ASSERT_TRUE(waitUntil([this] { return get("/api/v1/nodes/e-0001").body.contains(R"("from":"fleet")"); }));
    const QJsonObject node = get("/api/v1/nodes/e-0001").json();
    EXPECT_EQ(at(node, {"metadata", "labels", "tongchi.io/business"}).toString(), QStringLiteral("training"));
    EXPECT_TRUE(at(node, {"spec", "unschedulable"}).toBool());
}

TEST_F(KubeWrites, ANodeThatAClientDeletedStaysDeleted)
{
    ASSERT_EQ(send("DELETE", "/api/v1/nodes/e-0001").status, 200);
    fleet->happens({ObjectChange::Kind::Upsert, ScriptedFleet::node("e-0001")});
    fleet->happens({ObjectChange::Kind::Upsert, ScriptedFleet::node("e-0777")});
    ASSERT_TRUE(waitUntil([this] { return get("/api/v1/nodes/e-0777").status == 200; }));
    EXPECT_EQ(get("/api/v1/nodes/e-0001").status, 404);
}

TEST_F(KubeWrites, StrategicPatchesMergeKeyedListsAndReplaceOthers)
{
    const QByteArray type = "application/strategic-merge-patch+json";
    send("PATCH", "/api/v1/nodes/e-0001/status",
         R"({"status":{"conditions":[{"type":"Disk","status":"False"}]}})", type);
    send("PATCH", "/api/v1/nodes/e-0001/status",
         R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})", type);
    const QByteArray node = get("/api/v1/nodes/e-0001").body;
    EXPECT_TRUE(node.contains(R"({"type":"Ready","status":"Unknown"},{"type":"Disk","status":"False"})"))
        << node.toStdString();
    send("PATCH", "/api/v1/nodes/e-0001", R"({"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}})", type);
    send("PATCH", "/api/v1/nodes/e-0001", R"({"spec":{"taints":[{"key":"b","effect":"NoSchedule"}]}})", type);
    EXPECT_TRUE(get("/api/v1/nodes/e-0001").body.contains(R"("taints":[{"key":"b","effect":"NoSchedule"}])"));
    send("PATCH", "/api/v1/nodes/e-0001/status",
         R"({"status":{"conditions":[{"type":"Disk","$patch":"delete"}]}})", type);
    EXPECT_FALSE(get("/api/v1/nodes/e-0001").body.contains("Disk"));
}

TEST_F(KubeWrites, JsonPatchesWorkOrAreUnprocessable)
{
    const QByteArray type = "application/json-patch+json";
    EXPECT_EQ(
        send(
            "PATCH", "/api/v1/nodes/e-0001",
            R"([{"op":"test","path":"/metadata/labels/kubernetes.io~1hostname","value":"e-0001"},)"
            R"({"op":"add","path":"/metadata/labels/x","value":"y"},{"op":"remove","path":"/metadata/labels/kubernetes.io~1hostname"}])",
            type)
            .status,
        200);
    EXPECT_TRUE(get("/api/v1/nodes/e-0001").body.contains(R"("labels":{"x":"y"})"));
    EXPECT_EQ(
        send("PATCH", "/api/v1/nodes/e-0001", R"([{"op":"test","path":"/metadata/labels/x","value":"z"}])",
             type)
            .text(),
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our request due to an error in our request","reason":"Invalid","details":{},"code":422})");
}

constexpr const char *calendar = "/api/v1/namespaces/default/configmaps/calendar";

TEST_F(KubeWrites, ServerSideApplyCreatesConflictsAndForces)
{
    const QByteArray path = calendar;
    EXPECT_EQ(apply(path + "?fieldManager=tongchi&fieldValidation=Strict",
                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: calendar, namespace: default}\ndata: "
                    "{week: \"a\"}\n")
                  .status,
              201);
    const QByteArray other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: calendar, namespace: "
                             "default}\ndata: {week: \"b\"}\n";
    EXPECT_EQ(
        apply(path + "?fieldManager=other", other).text(),
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Apply failed with 1 conflict: conflict with \"tongchi\": .data.week","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"tongchi\"","field":".data.week"}]},"code":409})");
    EXPECT_EQ(apply(path + "?fieldManager=other&force=true", other).status, 200);
    const QJsonObject stored = get(path).json();
    EXPECT_EQ(at(stored, {"data", "week"}).toString(), QStringLiteral("b"));
    EXPECT_FALSE(get(path).body.contains("tongchi")); // owns nothing any more
}

TEST_F(KubeWrites, WhatAManagerStopsApplyingIsRemoved)
{
    const QByteArray path = calendar;
    const QByteArray head = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"calendar"},"data":)";
    apply(path + "?fieldManager=a", head + R"({"x":"1","y":"2"}})");
    apply(path + "?fieldManager=b", head + R"({"y":"2"}})");
    apply(path + "?fieldManager=a", head + R"({"z":"3"}})");
    const QJsonObject data = at(get(path).json(), {"data"}).toObject();
    EXPECT_EQ(data.keys().join(u','), QStringLiteral("y,z")); // b still wants y
}

TEST_F(KubeWrites, ApplyingWhatIsThereAlreadyChangesNothing)
{
    const QByteArray path = QByteArray(calendar) + "?fieldManager=a";
    const QByteArray body =
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"calendar"},"data":{"x":"1"}})";
    const QJsonObject first = apply(path, body).json();
    EXPECT_EQ(at(apply(path, body).json(), {"metadata", "resourceVersion"}),
              at(first, {"metadata", "resourceVersion"}));
}

TEST_F(KubeWrites, FieldsOfTheFleetBelongToWhoeverWasBeforeTheFirstApply)
{
    const QByteArray body =
        R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"e-0001","labels":{"kubernetes.io/hostname":"x","mine":"1"}}})";
    const ServerAnswer refused = apply("/api/v1/nodes/e-0001?fieldManager=tongchi", body);
    EXPECT_EQ(at(refused.json(), {"message"}).toString(),
              QStringLiteral("Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: "
                             ".metadata.labels.kubernetes.io/hostname"));
    EXPECT_EQ(apply("/api/v1/nodes/e-0001?fieldManager=tongchi&force=true", body).status, 200);
}

TEST_F(KubeWrites, WarningsNameUnknownFields)
{
    const ServerAnswer answer =
        mergePatch("/api/v1/nodes/e-0001?fieldValidation=Warn&dryRun=All", R"({"spec":{"nosuch":1}})");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Warning"), QByteArray(R"(299 - "unknown field \"spec.nosuch\"")"));
    EXPECT_FALSE(answer.body.contains("nosuch"));
}

TEST_F(KubeWrites, StrictPatchesShowThePatchedObject)
{
    const ServerAnswer answer =
        mergePatch("/api/v1/nodes/e-0001?fieldValidation=Strict", R"({"spec":{"nosuch":1}})");
    EXPECT_EQ(answer.status, 422);
    const QString message = at(answer.json(), {"message"}).toString();
    EXPECT_TRUE(
        message.startsWith(QStringLiteral(" \"\" is invalid: patch: Invalid value: "
                                          "\"{\\\"apiVersion\\\":\\\"v1\\\",\\\"kind\\\":\\\"Node\\\"")));
    EXPECT_TRUE(message.endsWith(QStringLiteral("\": strict decoding error: unknown field \"spec.nosuch\"")));
}

TEST_F(KubeWrites, InvalidLabelsAreRefusedAsOftenAsARealServerSaysIt)
{
    const ServerAnswer answer =
        mergePatch("/api/v1/nodes/e-0001", R"({"metadata":{"labels":{"x":"not valid!"}}})");
    EXPECT_EQ(answer.status, 422);
    EXPECT_TRUE(answer.body.startsWith(
        R"x({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Node \"e-0001\" is invalid: metadata.labels: Invalid value: \"not valid!\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')","reason":"Invalid","details":{"name":"e-0001","kind":"Node","causes":[)x"))
        << answer.text();
    EXPECT_EQ(answer.body.count(R"("field":"metadata.labels")"), 4);
}

TEST_F(KubeWrites, AnnotationsHaveALimit)
{
    const ServerAnswer answer = mergePatch("/api/v1/nodes/e-0001", R"({"metadata":{"annotations":{"a":")" +
                                                                       QByteArray(300'000, 'x') + R"("}}})");
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(
        at(answer.json(), {"message"}).toString(),
        QStringLiteral(
            "Node \"e-0001\" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes"));
}

TEST_F(KubeWrites, PodsStopBeforeTheyAreGone)
{
    const ServerAnswer answer = send("DELETE", "/api/v1/namespaces/default/pods/p-0001");
    EXPECT_FALSE(at(answer.json(), {"metadata", "deletionTimestamp"}).isUndefined());
    EXPECT_EQ(get("/api/v1/namespaces/default/pods/p-0001").status, 200);
    EXPECT_TRUE(waitUntil([this] { return get("/api/v1/namespaces/default/pods/p-0001").status == 404; }));
}

TEST_F(KubeWrites, EvictionRespectsTheBudget)
{
    mergePatch("/api/v1/namespaces/default/pods/p-0001", R"({"metadata":{"labels":{"app":"svc"}}})");
    send(
        "POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
        R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"svc"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"svc"}}}})");
    const QByteArray eviction =
        R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p-0001"}})";
    EXPECT_EQ(
        send("POST", "/api/v1/namespaces/default/pods/p-0001/eviction", eviction).text(),
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Cannot evict pod as it would violate the pod's disruption budget.","reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget","message":"The disruption budget svc needs 1 healthy pods and has 1 currently"}]},"code":429})");
    EXPECT_EQ(send("DELETE", "/apis/policy/v1/namespaces/default/poddisruptionbudgets/svc").status, 200);
    EXPECT_EQ(send("POST", "/api/v1/namespaces/default/pods/p-0001/eviction", eviction).text(),
              R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})");
}

struct RefusedWrite
{
    const char *name;
    const char *method;
    const char *path;
    const char *type;
    const char *body;
    int status;
    const char *answer;
};
void PrintTo(const RefusedWrite &write, std::ostream *out)
{
    *out << write.name;
}

class KubeRefusedWrites : public PoolTest, public ::testing::WithParamInterface<RefusedWrite>
{
};

TEST_P(KubeRefusedWrites, AreWordedAsByARealServer)
{
    const RefusedWrite &write = GetParam();
    send("POST", "/api/v1/namespaces/default/configmaps",
         R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"calendar"}})");
    const ServerAnswer answer = send(write.method, write.path, write.body, write.type);
    EXPECT_EQ(answer.status, write.status);
    EXPECT_EQ(answer.text(), write.answer);
}

#define STATUS R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
constexpr const char *json = "application/json";
constexpr const char *merge = "application/merge-patch+json";
constexpr const char *applyType = "application/apply-patch+yaml";

INSTANTIATE_TEST_SUITE_P(
    Recorded, KubeRefusedWrites,
    ::testing::Values(
        RefusedWrite{
            "old version", "PATCH", "/api/v1/nodes/e-0001", merge,
            R"({"metadata":{"resourceVersion":"1","labels":{"x":"y"}}})", 409,
            STATUS
            R"("Operation cannot be fulfilled on nodes \"e-0001\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"e-0001","kind":"nodes"},"code":409})"},
        RefusedWrite{
            "unknown patch type", "PATCH", "/api/v1/nodes/e-0001", "application/x-nosuch", "{}", 415,
            STATUS
            R"("415: Unsupported Media Type","reason":"UnsupportedMediaType","details":{},"code":415})"},
        RefusedWrite{
            "bad JSON", "PATCH", "/api/v1/nodes/e-0001", merge, R"({"metadata":)", 400,
            STATUS
            R"("error decoding patch: unexpected end of JSON input","reason":"BadRequest","code":400})"},
        RefusedWrite{
            "exists", "POST", "/api/v1/namespaces/default/configmaps", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"calendar"}})", 409,
            STATUS
            R"("configmaps \"calendar\" already exists","reason":"AlreadyExists","details":{"name":"calendar","kind":"configmaps"},"code":409})"},
        RefusedWrite{
            "strict", "POST", "/api/v1/namespaces/default/configmaps?fieldValidation=Strict", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","foo":1},"bar":2})", 400,
            STATUS
            R"("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"metadata.foo\", unknown field \"bar\"","reason":"BadRequest","code":400})"},
        RefusedWrite{
            "duplicates", "POST", "/api/v1/namespaces/default/configmaps?fieldValidation=Strict", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","name":"y"},"data":{"a":"1","a":"2"}})",
            400,
            STATUS
            R"("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: duplicate field \"metadata.name\", duplicate field \"data.a\"","reason":"BadRequest","code":400})"},
        RefusedWrite{
            "wrong type", "POST", "/api/v1/namespaces/default/configmaps", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":1}})", 400,
            STATUS
            R"("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string","reason":"BadRequest","code":400})"},
        RefusedWrite{
            "other namespace", "POST", "/api/v1/namespaces/default/configmaps", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"other"}})", 400,
            STATUS
            R"("the namespace of the provided object does not match the namespace sent on the request","reason":"BadRequest","code":400})"},
        RefusedWrite{
            "no namespace", "POST", "/api/v1/namespaces/nosuch/configmaps", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}})", 404,
            STATUS
            R"("namespaces \"nosuch\" not found","reason":"NotFound","details":{"name":"nosuch","kind":"namespaces"},"code":404})"},
        RefusedWrite{
            "other name", "PUT", "/api/v1/namespaces/default/configmaps/calendar", json,
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"}})", 400,
            STATUS
            R"x("the name of the object (d) does not match the name on the URL (calendar)","reason":"BadRequest","code":400})x"},
        RefusedWrite{
            "unknown pod", "POST", "/api/v1/namespaces/default/pods/nosuch/eviction", json,
            R"({"metadata":{"name":"nosuch"}})", 404,
            STATUS
            R"("pods \"nosuch\" not found","reason":"NotFound","details":{"name":"nosuch","kind":"pods"},"code":404})"},
        RefusedWrite{
            "apply without manager", "PATCH", "/api/v1/nodes/e-0001", applyType,
            R"({"apiVersion":"v1","kind":"Node"})", 422,
            STATUS
            R"("PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for apply patch","reason":"Invalid","details":{"group":"meta.k8s.io","kind":"PatchOptions","causes":[{"reason":"FieldValueRequired","message":"Required value: is required for apply patch","field":"fieldManager"}]},"code":422})"},
        RefusedWrite{
            "apply unknown field", "PATCH", "/api/v1/namespaces/default/configmaps/c2?fieldManager=m",
            applyType, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c2"},"nosuch":1})", 500,
            STATUS
            R"("failed to create typed patch object (/c2; /v1, Kind=ConfigMap): .nosuch: field not declared in schema","code":500})"},
        RefusedWrite{
            "apply wrong type", "PATCH", "/api/v1/nodes/e-0001?fieldManager=m", applyType,
            R"({"apiVersion":"v1","kind":"Node","spec":{"unschedulable":"x"}})", 500,
            STATUS
            R"("failed to create typed patch object (/; /v1, Kind=Node): .spec.unschedulable: expected boolean, got \u0026{x}","code":500})"},
        RefusedWrite{
            "method", "POST", "/version", json, "{}", 405,
            STATUS
            R"("the server does not allow this method on the requested resource","reason":"MethodNotAllowed","details":{},"code":405})"}));
#undef STATUS

} // namespace
} // namespace tongchi::test
