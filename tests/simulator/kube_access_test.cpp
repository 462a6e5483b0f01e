// Who may do what, and what the server says about itself.

#include "tests/simulator/server_test_pool.h"

#include <QFileInfo>
#include <QHostAddress>
#include <QJsonArray>
#include <QNetworkInterface>
#include <QTcpSocket>
#include <QTemporaryDir>

namespace tongchi::test {
namespace {

using KubeAccess = PoolTest;

#define STATUS R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"

TEST_F(KubeAccess, TheViewerReadsAndWritesNothing)
{
    const QByteArray viewer = pool->info().clusters.first().viewerToken;
    EXPECT_EQ(send("GET", "/api/v1/nodes", {}, {}, viewer).status, 200);
    EXPECT_EQ(
        send("PATCH", "/api/v1/nodes/e-0001", R"({"spec":{"unschedulable":true}})",
             "application/merge-patch+json", viewer)
            .text(),
        STATUS
        R"("nodes \"e-0001\" is forbidden: User \"viewer\" cannot patch resource \"nodes\" in API group \"\" at the cluster scope","reason":"Forbidden","details":{"name":"e-0001","kind":"nodes"},"code":403})");
    EXPECT_EQ(
        send("POST", "/api/v1/namespaces/default/configmaps", "{}", "application/json", viewer).text(), STATUS
        R"("configmaps is forbidden: User \"viewer\" cannot create resource \"configmaps\" in API group \"\" in the namespace \"default\"","reason":"Forbidden","details":{"kind":"configmaps"},"code":403})");
}

TEST_F(KubeAccess, RefusedAndUnknownTokensAre401)
{
    constexpr const char *text = STATUS R"("Unauthorized","reason":"Unauthorized","code":401})";
    EXPECT_EQ(send("GET", "/api/v1/nodes", {}, {}, pool->info().clusters.first().refusedToken).text(), text);
    EXPECT_EQ(send("GET", "/version", {}, {}, "nonsense").text(), text);
}

TEST_F(KubeAccess, WithoutATokenOnlyHealthAndVersionAnswer)
{
    EXPECT_EQ(send("GET", "/version", {}, {}, {}).status, 200);
    EXPECT_EQ(send("GET", "/readyz", {}, {}, {}).text(), "ok");
    EXPECT_EQ(
        send("GET", "/api/v1/nodes", {}, {}, {}).text(), STATUS
        R"("nodes is forbidden: User \"system:anonymous\" cannot list resource \"nodes\" in API group \"\" at the cluster scope","reason":"Forbidden","details":{"kind":"nodes"},"code":403})");
    EXPECT_EQ(send("GET", "/apis", {}, {}, {}).status, 403);
}

TEST_F(KubeAccess, ReviewsTellWhatIsAllowed)
{
    const QByteArray viewer = pool->info().clusters.first().viewerToken;
    const QByteArray path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const QByteArray question =
        R"({"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": {"verb": "patch", "resource": "nodes", "group": "", "name": "e-0001"}}})";
    EXPECT_EQ(
        send("POST", path, question, "application/json", viewer).text(),
        R"({"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"resourceAttributes":{"verb":"patch","resource":"nodes","name":"e-0001"}},"status":{"allowed":false}})");
    EXPECT_TRUE(send("POST", path, question).body.contains(R"("status":{"allowed":true})"));
    EXPECT_TRUE(
        send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", "application/json", viewer)
            .body.endsWith(
                R"("status":{"userInfo":{"username":"viewer","uid":"2","groups":["viewers","system:authenticated"]}}})"
                "\n"));
    const ServerAnswer rules = send("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                                    R"({"spec":{"namespace":"default"}})", "application/json", viewer);
    EXPECT_TRUE(rules.body.contains(R"("incomplete":false)"));
}

TEST_F(KubeAccess, DiscoveryIsAggregatedOrOld)
{
    const ServerAnswer aggregated =
        get("/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");
    EXPECT_EQ(aggregated.json().value(QLatin1String("kind")).toString(),
              QStringLiteral("APIGroupDiscoveryList"));
    EXPECT_TRUE(aggregated.body.contains(R"("resource":"resourceslices")"));
    EXPECT_EQ(aggregated.header("Vary"), QByteArray("Accept"));
    EXPECT_EQ(get("/apis").json().value(QLatin1String("kind")).toString(), QStringLiteral("APIGroupList"));
    EXPECT_TRUE(get("/api/v1").body.contains(R"("name":"pods/log")"));
    EXPECT_EQ(get("/version").json().value(QLatin1String("gitVersion")).toString(),
              QStringLiteral("v1.36.3"));
}

TEST_F(KubeAccess, OpenApiNamesTheParametersThatClientsLookFor)
{
    const QJsonObject paths = get("/openapi/v3").json().value(QLatin1String("paths")).toObject();
    ASSERT_TRUE(paths.contains(QLatin1String("api/v1")));
    const QByteArray url = paths.value(QLatin1String("api/v1"))
                               .toObject()
                               .value(QLatin1String("serverRelativeURL"))
                               .toString()
                               .toUtf8();
    const QJsonObject patch = get(url)
                                  .json()
                                  .value(QLatin1String("paths"))
                                  .toObject()
                                  .value(QLatin1String("/api/v1/nodes/{name}"))
                                  .toObject()
                                  .value(QLatin1String("patch"))
                                  .toObject();
    QStringList names;
    for (const QJsonValue &parameter : patch.value(QLatin1String("parameters")).toArray())
        names << parameter.toObject().value(QLatin1String("name")).toString();
    EXPECT_TRUE(names.contains(QLatin1String("dryRun")) && names.contains(QLatin1String("fieldValidation")));
}

TEST_F(KubeAccess, TheKubeconfigIsPrivateAndReplacesWhatWasThere)
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("config"));
    ASSERT_OK(pool->writeKubeconfig(path));
    ASSERT_OK(pool->writeKubeconfig(path));
    EXPECT_EQ(QFileInfo(path).permissions() & ~(QFile::ReadUser | QFile::WriteUser),
              QFile::ReadOwner | QFile::WriteOwner);
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    const QByteArray text = pool->kubeconfig();
    EXPECT_TRUE(text.contains("current-context: \"east\"") && text.contains("- name: \"west\""));
}

TEST_F(KubeAccess, AKubeconfigThatCannotBeWrittenIsOneClearError)
{
    const Status status = pool->writeKubeconfig(QStringLiteral("/nonexistent/folder/config"));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Storage);
    EXPECT_EQ(status.error().subject, QStringLiteral("/nonexistent/folder/config"));
}

TEST_F(KubeAccess, NothingIsReachableFromOutside)
{
    const quint16 port = quint16(QUrl(pool->info().clusters.first().server).port());
    for (const QHostAddress &address : QNetworkInterface::allAddresses()) {
        if (address.isLoopback() || !address.scopeId().isEmpty())
            continue;
        QTcpSocket socket;
        socket.connectToHost(address, port);
        EXPECT_TRUE(waitUntil([&] { return socket.error() == QAbstractSocket::ConnectionRefusedError; },
                              std::chrono::seconds(2)))
            << address.toString().toStdString();
    }
}

TEST_F(KubeAccess, APortThatIsTakenIsNamed)
{
    PoolOptions taken;
    taken.port = quint16(QUrl(pool->info().clusters.first().server).port());
    EmbeddedPool second(taken, [this](const PoolOptions &, const SimulatedClock &) {
        return PoolSources{fleet, nullptr};
    });
    std::optional<Error> error;
    QObject::connect(&second, &EmbeddedPool::failed, &second, [&](const Error &failed) { error = failed; });
    second.start();
    ASSERT_TRUE(waitUntil([&] { return error.has_value(); }));
    EXPECT_EQ(error->code, ErrorCode::Network);
    EXPECT_EQ(error->arguments, QStringList{QString::number(taken.port)});
}
#undef STATUS

} // namespace
} // namespace tongchi::test
