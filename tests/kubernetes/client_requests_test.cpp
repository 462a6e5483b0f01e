// The client against a scripted server on loopback.

#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/kubernetes_client.h"
#include "tests/kubernetes/kubeconfig_files.h"
#include "tests/support/loopback_server.h"
#include "tests/support/wait.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace test;
using ::testing::HasSubstr;

template <typename T> Result<T> outcome(const QFuture<Result<T>> &future)
{
    EXPECT_FALSE(future.isFinished()) << "finished on return";
    EXPECT_TRUE(waitFor(future));
    return future.resultCount() > 0
               ? future.result()
               : failure({.code = ErrorCode::Cancelled, .detail = QStringLiteral("no result")});
}

class KubernetesClientTest : public ::testing::Test
{
protected:
    KubernetesClient &client()
    {
        if (!m_client)
            m_client = std::make_unique<KubernetesClient>(ConnectionSettings{.server = server.url()});
        return *m_client;
    }

    LoopbackServer server;
    std::unique_ptr<KubernetesClient> m_client;
};

TEST_F(KubernetesClientTest, ReadsTheVersion)
{
    server.on("GET", "/version", Answer::json(R"({"major":"1","minor":"36","gitVersion":"v1.36.3"})"));
    const Result<ServerVersion> version = outcome(client().version());
    ASSERT_OK(version);
    EXPECT_EQ(version->minor, 36);
}

TEST_F(KubernetesClientTest, SignInPagesAreNoServer)
{
    server.on("GET", "/version",
              Answer::text("<html>please sign in</html>").with("Content-Type", "text/html"));
    EXPECT_EQ(outcome(client().version()).error().code, ErrorCode::Protocol);
}

TEST_F(KubernetesClientTest, KnowsItsUser)
{
    server.on(
        "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        Answer::json(
            R"({"kind":"SelfSubjectReview","status":{"userInfo":{"username":"viewer","groups":["viewers","system:authenticated"]}}})",
            201));
    const Result<UserIdentity> user = outcome(client().whoAmI());
    ASSERT_OK(user);
    EXPECT_EQ(user->name, QStringLiteral("viewer"));
    EXPECT_EQ(user->groups.size(), 2);
}

TEST_F(KubernetesClientTest, AsksForRightsInOneBatchAndKeepsTheOrder)
{
    server.on("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
              [](const ReceivedRequest &request) {
                  const QByteArray resource = QJsonDocument::fromJson(request.body)
                                                  .object()
                                                  .value(QStringLiteral("spec"))
                                                  .toObject()
                                                  .value(QStringLiteral("resourceAttributes"))
                                                  .toObject()
                                                  .value(QStringLiteral("resource"))
                                                  .toString()
                                                  .toUtf8();
                  if (resource == "secrets")
                      return Answer::json(
                          R"({"kind":"Status","status":"Failure","message":"boom","code":500})", 500);
                  return Answer::json(R"({"kind":"SelfSubjectAccessReview","status":{"allowed":)" +
                                          QByteArray(resource == "pods" ? "true" : "false") + "}}",
                                      201);
              });
    const Result<QList<AccessAnswer>> answers = outcome(
        client().accessReview({{.verb = QStringLiteral("patch"), .resource = QStringLiteral("nodes")},
                               {.verb = QStringLiteral("list"), .resource = QStringLiteral("pods")},
                               {.verb = QStringLiteral("get"), .resource = QStringLiteral("secrets")}}));
    ASSERT_OK(answers);
    ASSERT_EQ(answers->size(), 3);
    EXPECT_FALSE(answers->at(0).allowed);
    EXPECT_FALSE(answers->at(0).error);
    EXPECT_TRUE(answers->at(1).allowed);
    ASSERT_TRUE(answers->at(2).error); // not known, and not a no
    EXPECT_EQ(englishText(missingRightError(answers->at(0))),
              QStringLiteral("You have no right to patch nodes."));
    EXPECT_OK(outcome(client().accessReview({})));
}

TEST_F(KubernetesClientTest, DiscoversWithTwoRequests)
{
    const QByteArray head = R"({"kind":"APIGroupDiscoveryList","items":[)";
    server.on(
        "GET", "/api",
        Answer::json(
            head + R"({"metadata":{},"versions":[{"version":"v1","resources":[{"resource":"nodes"}]}]}]})"));
    server.on(
        "GET", "/apis",
        Answer::json(
            head +
            R"({"metadata":{"name":"keda.sh"},"versions":[{"version":"v1alpha1","resources":[{"resource":"scaledobjects"}]}]}]})"));
    const Result<Discovery> discovery = outcome(client().discovery());
    ASSERT_OK(discovery);
    EXPECT_TRUE(discovery->aggregated);
    EXPECT_EQ(discovery->versionWith({}, QStringLiteral("nodes")), QStringLiteral("v1"));
    EXPECT_TRUE(capabilitiesOf(*discovery).hasKeda());
    EXPECT_EQ(server.requestCount(), 2);
    EXPECT_EQ(server.requests("/apis").front().header("Accept"), aggregatedDiscoveryAccept);
}

TEST_F(KubernetesClientTest, DiscoversOldServersGroupByGroup)
{
    server.on("GET", "/api", Answer::json(R"({"kind":"APIVersions","versions":["v1"]})"));
    server.on(
        "GET", "/apis",
        Answer::json(
            R"({"kind":"APIGroupList","groups":[{"name":"keda.sh","versions":[{"version":"v1alpha1"}]},{"name":"metrics.k8s.io","versions":[{"version":"v1beta1"}]}]})"));
    server.on("GET", "/api/v1", Answer::json(R"({"kind":"APIResourceList","resources":[{"name":"nodes"}]})"));
    server.on("GET", "/apis/keda.sh/v1alpha1",
              Answer::json(R"({"kind":"APIResourceList","resources":[{"name":"scaledobjects"}]})"));
    server.on(
        "GET", "/apis/metrics.k8s.io/v1beta1",
        Answer::json(
            R"({"kind":"Status","message":"the server is currently unable to handle the request","code":503})",
            503));
    const Result<Discovery> discovery = outcome(client().discovery());
    ASSERT_OK(discovery);
    EXPECT_FALSE(discovery->aggregated);
    EXPECT_EQ(discovery->notes.size(), 1);
    const Capabilities capabilities = capabilitiesOf(*discovery);
    EXPECT_TRUE(capabilities.hasKeda());
    EXPECT_EQ(capabilities.unknownGroups, QStringList{QStringLiteral("metrics.k8s.io")});
}

TEST_F(KubernetesClientTest, DiscoveryFailsInTheServersWords)
{
    server.on(
        "GET", "/api*",
        Answer::json(
            R"({"kind":"Status","message":"forbidden: User \"system:anonymous\" cannot get path \"/apis\"","reason":"Forbidden","code":403})",
            403));
    const Result<Discovery> discovery = outcome(client().discovery());
    ASSERT_FALSE(discovery);
    EXPECT_EQ(discovery.error().code, ErrorCode::Forbidden);
    EXPECT_THAT(englishText(discovery.error()).toStdString(), HasSubstr("nobody may get /apis"));
}

TEST_F(KubernetesClientTest, PatchesStrictlyAndHandsWarningsOn)
{
    server.on("PATCH", "/api/v1/nodes/n",
              Answer::json(R"({"kind":"Node"})").with("Warning", R"(299 - "watch out")"));
    const Result<ApiAnswer> answer =
        outcome(client().patch({.path = "/api/v1/nodes/n", .body = "{}", .dryRun = true}));
    ASSERT_OK(answer);
    EXPECT_EQ(answer->warnings, QStringList{QStringLiteral("watch out")});
    const ReceivedRequest request = server.requests().front();
    EXPECT_EQ(request.target, "/api/v1/nodes/n?fieldManager=tongchi&fieldValidation=Strict&dryRun=All");
    EXPECT_EQ(request.header("Content-Type"), "application/merge-patch+json");
}

QByteArray nodeJson(const QByteArray &version, const QByteArray &label, bool unschedulable = false)
{
    return R"({"kind":"Node","metadata":{"name":"n","uid":"u1","resourceVersion":")" + version +
           R"(","labels":{)" + (label.isEmpty() ? QByteArray() : R"("tongchi.io/business":")" + label + '"') +
           R"(}},"spec":{)" + (unschedulable ? R"("unschedulable":true)" : "") + "}}";
}

const NodeEdit kMixed{.label =
                          NodeEdit::Label{QStringLiteral("tongchi.io/business"), QStringLiteral("mixed")}};

TEST_F(KubernetesClientTest, ChangesExactlyTheVersionItLookedAt)
{
    server.on("GET", "/api/v1/nodes/n", Answer::json(nodeJson("5", "training")));
    server.on("PATCH", "/api/v1/nodes/n", Answer::json(nodeJson("6", "mixed")));
    const Result<NodeChangeAnswer> answer =
        outcome(client().changeNode(QStringLiteral("n"), QStringLiteral("u1"), kMixed, false));
    ASSERT_OK(answer);
    EXPECT_EQ(answer->before.fields.label->value, QStringLiteral("training"));
    EXPECT_EQ(answer->after.fields.label->value, QStringLiteral("mixed"));
    EXPECT_FALSE(answer->before.fields.unschedulable);
    EXPECT_EQ(server.requests().back().body,
              R"({"metadata":{"labels":{"tongchi.io/business":"mixed"},"resourceVersion":"5"}})");
}

TEST_F(KubernetesClientTest, LooksAgainWhenSomebodyWasFaster)
{
    const Answer old = Answer::json(
        R"({"kind":"Status","message":"Operation cannot be fulfilled on nodes \"n\": the object has been modified","reason":"Conflict","code":409})",
        409);
    server.onSequence("GET", "/api/v1/nodes/n",
                      {Answer::json(nodeJson("5", "training")), Answer::json(nodeJson("9", "inference"))});
    server.onSequence("PATCH", "/api/v1/nodes/n", {old, Answer::json(nodeJson("10", "mixed"))});
    const Result<NodeChangeAnswer> answer =
        outcome(client().changeNode(QStringLiteral("n"), QStringLiteral("u1"), kMixed, false));
    ASSERT_OK(answer);
    EXPECT_EQ(answer->before.fields.label->value,
              QStringLiteral("inference")); // what an undo has to bring back
}

TEST_F(KubernetesClientTest, GivesUpWhenOthersNeverStop)
{
    server.on("GET", "/api/v1/nodes/n", Answer::json(nodeJson("5", "training")));
    server.on("PATCH", "/api/v1/nodes/n",
              Answer::json(R"({"kind":"Status","message":"modified","reason":"Conflict","code":409})", 409));
    EXPECT_EQ(outcome(client().changeNode(QStringLiteral("n"), {}, kMixed, false)).error().code,
              ErrorCode::Conflict);
    EXPECT_EQ(server.requestCount(), 10);
}

TEST_F(KubernetesClientTest, UndoIsRefusedWhenSomebodyElseWasThere)
{
    server.on("GET", "/api/v1/nodes/n", Answer::json(nodeJson("7", "inference")));
    const NodeEdit back{
        .label = NodeEdit::Label{QStringLiteral("tongchi.io/business"), QStringLiteral("training")}};
    const Result<NodeChangeAnswer> answer =
        outcome(client().changeNode(QStringLiteral("n"), QStringLiteral("u1"), back, false, kMixed));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::Conflict);
    EXPECT_EQ(server.requestCount(), 1); // nothing was written
    EXPECT_EQ(
        outcome(client().changeNode(QStringLiteral("n"), QStringLiteral("u0"), back, false)).error().code,
        ErrorCode::Conflict);
}

TEST_F(KubernetesClientTest, MissingRightToChangeIsInWords)
{
    server.on("GET", "/api/v1/nodes/n", Answer::json(nodeJson("5", "")));
    server.on(
        "PATCH", "/api/v1/nodes/n",
        Answer::json(
            R"({"kind":"Status","message":"nodes \"n\" is forbidden: User \"viewer\" cannot patch resource \"nodes\" in API group \"\" at the cluster scope","reason":"Forbidden","code":403})",
            403));
    const Result<NodeChangeAnswer> answer =
        outcome(client().changeNode(QStringLiteral("n"), {}, {.unschedulable = true}, true));
    ASSERT_FALSE(answer);
    EXPECT_THAT(englishText(answer.error()).toStdString(), HasSubstr("no right to patch nodes"));
}

TEST_F(KubernetesClientTest, FindsPrometheusBehindTheServiceProxy)
{
    server.on(
        "GET", "/api/v1/services",
        Answer::json(
            R"({"kind":"ServiceList","items":[{"metadata":{"name":"prometheus","namespace":"a"},"spec":{"ports":[{"port":9090}]}},{"metadata":{"name":"prometheus-operated","namespace":"b","labels":{"operated-prometheus":"true"}},"spec":{"ports":[{"port":9090}]}}]})"));
    server.on(
        "GET", "/api/v1/namespaces/a/services/http:prometheus:9090/proxy/api/v1/status/buildinfo",
        Answer::json(
            R"({"kind":"Status","message":"no endpoints available for service \"prometheus\"","reason":"ServiceUnavailable","code":503})",
            503));
    server.on("GET",
              "/api/v1/namespaces/b/services/http:prometheus-operated:9090/proxy/api/v1/status/buildinfo",
              Answer::json(R"({"status":"success","data":{"version":"2.53.1"}})"));
    const Result<PrometheusService> found = outcome(client().findPrometheus());
    ASSERT_OK(found);
    EXPECT_EQ(found->nameSpace, QStringLiteral("b"));
    EXPECT_EQ(found->version, QStringLiteral("2.53.1"));
    EXPECT_EQ(found->pathPrefix(), "/api/v1/namespaces/b/services/http:prometheus-operated:9090/proxy");
}

TEST_F(KubernetesClientTest, SaysWhenThereIsNoPrometheus)
{
    server.on("GET", "/api/v1/services", Answer::json(R"({"kind":"ServiceList","items":[]})"));
    const Result<PrometheusService> found = outcome(client().findPrometheus());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::NotFound);
}

TEST_F(KubernetesClientTest, WithoutTheRightToListTheUsualPlacesAreTried)
{
    server.on(
        "GET", "/api/v1/*",
        Answer::json(
            R"({"kind":"Status","message":"services is forbidden: User \"v\" cannot list resource \"services\" in API group \"\" at the cluster scope","reason":"Forbidden","code":403})",
            403));
    server.on(
        "GET",
        "/api/v1/namespaces/monitoring/services/http:prometheus-server:80/proxy/api/v1/status/buildinfo",
        Answer::json(R"({"status":"success","data":{"version":"2.42.0"}})"));
    const Result<PrometheusService> found = outcome(client().findPrometheus());
    ASSERT_OK(found);
    EXPECT_EQ(found->service, QStringLiteral("http:prometheus-server:80"));
}

TEST_F(KubernetesClientTest, CancellingEndsTheRequest)
{
    server.on("GET", "/version", Answer::silence());
    QFuture<Result<ServerVersion>> future = client().version();
    ASSERT_TRUE(waitUntil([this] { return server.requestCount() == 1; }));
    future.cancel();
    EXPECT_TRUE(waitUntil([this] { return server.openConnections() == 0; }));
}

TEST_F(KubernetesClientTest, DyingClientEndsItsFutures)
{
    server.on("GET", "/*", Answer::silence());
    const QFuture<Result<Discovery>> discovery = client().discovery();
    const QFuture<Result<ApiAnswer>> raw = client().getRaw("/readyz");
    ASSERT_TRUE(waitUntil([this] { return server.requestCount() == 3; }));
    m_client.reset();
    EXPECT_TRUE(waitFor(discovery));
    EXPECT_TRUE(discovery.isCanceled());
    EXPECT_TRUE(raw.isCanceled());
}

TEST_F(KubernetesClientTest, ServerThatIsNotThereIsANetworkError)
{
    (void)client();
    server.stop();
    EXPECT_EQ(outcome(client().version()).error().code, ErrorCode::Network);
    EXPECT_EQ(outcome(client().discovery()).error().code, ErrorCode::Network);
    EXPECT_EQ(outcome(client().findPrometheus()).error().code, ErrorCode::Network);
}

class AllowEverything final : public ExecConsent
{
public:
    bool isAllowed(const ExecCommand &) const override { return true; }
};

/// From the file to the answer: a plug-in's token that the server refuses is renewed once.
TEST_F(KubernetesClientTest, AsksAgainButNeverChangesAgainWhenAKeptConnectionDies)
{
    Answer leaving;
    leaving.silent = true;
    leaving.then = Answer::Then::Close;
    const char *reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    server.on("GET", "/version", Answer::json(R"({"major":"1","minor":"36","gitVersion":"v1.36.3"})"));
    server.onSequence(
        "POST", reviews,
        {leaving, Answer::json(R"({"kind":"SelfSubjectReview","status":{"userInfo":{"username":"a"}}})")});
    server.onSequence("PATCH", "/api/v1/nodes/n", {leaving});
    ASSERT_OK(outcome(client().version()));
    ASSERT_OK(outcome(client().whoAmI())); // a POST that changes nothing
    EXPECT_EQ(server.requests(reviews).size(), 2u);
    const Result<ApiAnswer> patched = outcome(client().patch({.path = "/api/v1/nodes/n", .body = "{}"}));
    ASSERT_FALSE(patched);
    EXPECT_THAT(patched.error().remedy, HasSubstr("whether it was done"));
    EXPECT_EQ(server.requests("/api/v1/nodes/n").size(), 1u);
}

TEST(KubeconfigConnectionTest, PluginIsAskedAgainAfterA401)
{
    const TestAuthority authority;
    LoopbackServer server({.tls = authority.issue()});
    server.on("GET", "/prefix/version", [](const ReceivedRequest &request) {
        return request.header("Authorization") == "Bearer t2"
                   ? Answer::json(R"({"gitVersion":"v1.36.3","major":"1","minor":"36"})")
                   : Answer::json(
                         R"({"kind":"Status","message":"Unauthorized","reason":"Unauthorized","code":401})",
                         401);
    });
    TestFolder folder;
    folder.program(QStringLiteral("bin/login"),
                   "#!/bin/sh\nn=$(cat \"$0.n\" 2>/dev/null || echo 0); n=$((n+1)); echo $n > \"$0.n\"\n"
                   "printf "
                   "'{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/"
                   "v1beta1\",\"status\":{\"token\":\"t%s\"}}' $n\n");
    folder.write(QStringLiteral("ca.crt"), authority.pem());
    folder.write(
        QStringLiteral("config"),
        oneContext("{server: 'https://127.0.0.1:" + QByteArray::number(server.port()) +
                       "/prefix', certificate-authority: ca.crt}",
                   "{exec: {command: bin/login, apiVersion: client.authentication.k8s.io/v1beta1}}"));
    const Kubeconfig config = loadKubeconfig({.explicitFiles = {folder.bytes(QStringLiteral("config"))}});
    ASSERT_EQ(config.contexts.size(), 1);
    ASSERT_TRUE(config.contexts.first().isUsable()) << problemOf(config.contexts.first()).toStdString();
    const SystemClock clock;
    const Result<ConnectionSettings> connection = makeConnection(
        config.contexts.first(), {.clock = &clock, .variables = {}}, std::make_shared<AllowEverything>());
    ASSERT_OK(connection);
    KubernetesClient client(*connection);
    EXPECT_OK(outcome(client.version()));
    EXPECT_OK(outcome(client.version()));
    EXPECT_EQ(server.requestCount(), 3); // refused, renewed, and again with the same token
}

TEST(KubeconfigConnectionTest, ARefusedTokenIsToldOfWithItsUser)
{
    LoopbackServer server;
    server.on("GET", "/version",
              Answer::json(R"({"kind":"Status","message":"Unauthorized","reason":"Unauthorized","code":401})",
                           401));
    const KubeContext context =
        contextOf(oneContext("{server: '" + server.url().toEncoded() + "'}", "{token: stale}"));
    const SystemClock clock;
    const Result<ConnectionSettings> connection =
        makeConnection(context, {.clock = &clock, .variables = {}}, nullptr);
    ASSERT_OK(connection);
    KubernetesClient client(*connection);
    const Result<ServerVersion> version = outcome(client.version());
    ASSERT_FALSE(version);
    EXPECT_EQ(version.error().code, ErrorCode::Unauthorized);
    EXPECT_THAT(englishText(version.error()).toStdString(), HasSubstr("refuses the token of u"));
}

TEST(KubeconfigConnectionTest, Ipv6SpellingsReachTheSameServerWithBracketsInHost)
{
    LoopbackServer server({.family = LoopbackListener::Family::V6});
    if (!server.isListening())
        GTEST_SKIP() << "this machine has no ::1";
    server.on("GET", "/version", Answer::json(R"({"gitVersion":"v1.34.1","major":"1","minor":"34"})"));
    QByteArray text = readData(QStringLiteral("kubernetes/kubeconfig/ipv6/v6.yaml"));
    text.replace("@PORT:api@", QByteArray::number(server.port()));
    const Kubeconfig config = mergeTexts({text});
    const SystemClock clock;
    for (const char *name : {"bracketed", "padded"}) {
        const Result<ConnectionSettings> connection = makeConnection(
            *config.find(QString::fromLatin1(name)), {.clock = &clock, .variables = {}}, nullptr);
        ASSERT_OK(connection);
        KubernetesClient client(*connection);
        EXPECT_OK(outcome(client.version()));
        EXPECT_EQ(server.requests().back().header("Host"), "[::1]:" + QByteArray::number(server.port()));
    }
}

} // namespace
} // namespace tongchi
