// Every field of a kubeconfig, good and broken.

#include "platform/kubernetes/kubeconfig_connection.h"
#include "tests/kubernetes/kubeconfig_files.h"
#include "tests/support/test_certificates.h"
#include "tests/support/wait.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace test;
using ::testing::HasSubstr;

const QByteArray kCertificate = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const QByteArray kKey = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n";
const QByteArray kLockedKey =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n";

QByteArray data(const QByteArray &pem)
{
    return pem.toBase64();
}

struct BrokenEntry
{
    const char *name;
    QByteArray cluster;
    QByteArray user;
    ErrorCode code;
    const char *says;
};

class KubeconfigBrokenEntryTest : public ::testing::TestWithParam<BrokenEntry>
{
};

TEST_P(KubeconfigBrokenEntryTest, IsAnErrorOfItsContextInWords)
{
    const BrokenEntry &entry = GetParam();
    const KubeContext context = contextOf(oneContext(entry.cluster, entry.user));
    ASSERT_TRUE(context.problem);
    EXPECT_EQ(context.problem->code, entry.code);
    EXPECT_THAT(problemOf(context).toStdString(), HasSubstr(entry.says));
    EXPECT_TRUE(context.problem->remedy);
}

const QByteArray kServer = "{server: 'https://a.example:6443'}";

QByteArray exec(const QByteArray &fields)
{
    return "{exec: {" + fields + "}}";
}

const BrokenEntry kBrokenEntries[] = {
    {"NoServer", "{}", "{}", ErrorCode::Invalid, "no server address"},
    {"CutAuthority",
     "{server: 'https://a.example', certificate-authority-data: " +
         data("-----BEGIN CERTIFICATE-----\nAAAA") + "}",
     "{}", ErrorCode::Invalid, "certificate-authority-data of k is cut off"},
    {"NullServer", "{server: ~}", "{}", ErrorCode::Invalid, "no server address"},
    {"ListServer", "{server: [a, b]}", "{}", ErrorCode::Invalid,
     "The field server of k has a value of the wrong kind"},
    {"NoScheme", "{server: 'a.example:6443'}", "{}", ErrorCode::Invalid, "has no scheme"},
    {"OtherScheme", "{server: 'ftp://a.example'}", "{}", ErrorCode::Invalid, "neither https nor http"},
    {"PasswordInServer", "{server: 'https://root:hunter2@a.example'}", "{}", ErrorCode::Invalid,
     "holds a user name"},
    {"InsecureWithAuthority",
     "{server: 'https://a.example', insecure-skip-tls-verify: true, certificate-authority: ca.crt}", "{}",
     ErrorCode::Invalid, "insecure-skip-tls-verify at once"},
    {"FlagOfWrongKind", "{server: 'https://a.example', insecure-skip-tls-verify: maybe}", "{}",
     ErrorCode::Invalid, "insecure-skip-tls-verify of k has a value of the wrong kind"},
    {"AuthorityNoPem", "{server: 'https://a.example', certificate-authority-data: " + data("hello") + "}",
     "{}", ErrorCode::Invalid, "certificate-authority-data of k holds no certificate"},
    {"AuthorityRawPem",
     "{server: 'https://a.example', certificate-authority-data: '-----BEGIN CERTIFICATE-----'}", "{}",
     ErrorCode::Invalid, "holds PEM text where base64"},
    {"AuthorityCutOff", "{server: 'https://a.example', certificate-authority-data: 'LS0tL'}", "{}",
     ErrorCode::Invalid, "is cut off after 5"},
    {"FieldTwice", "{server: 'https://a.example', server: 'https://b.example'}", "{}", ErrorCode::Invalid,
     "server of k stands there twice"},
    {"BadProxy", "{server: 'https://a.example', proxy-url: 'ftp://user:hunter2@p'}", "{}", ErrorCode::Invalid,
     "proxy-url of the cluster k"},
    {"TokenAndBasic", kServer, "{token: t, username: n, password: p}", ErrorCode::Invalid, "at once"},
    {"TokenFileAndBasic", kServer, "{tokenFile: t, username: n, password: p}", ErrorCode::Invalid, "at once"},
    {"TokenWithLineBreak", kServer, "{token: \"a\\nX-Evil: 1\"}", ErrorCode::Invalid, "line break"},
    {"CertificateAlone", kServer, "{client-certificate-data: " + data(kCertificate) + "}", ErrorCode::Invalid,
     "no client-key"},
    {"KeyAlone", kServer, "{client-key: k.pem}", ErrorCode::Invalid, "no client-certificate"},
    {"KeyLocked", kServer,
     "{client-certificate-data: " + data(kCertificate) + ", client-key-data: " + data(kLockedKey) + "}",
     ErrorCode::NotSupported, "needs a password"},
    {"GroupsWithoutAs", kServer, "{token: t, as-groups: [a]}", ErrorCode::Invalid, "without as"},
    {"AsWithLineBreak", kServer, "{token: t, as: \"a\\r\\nb\"}", ErrorCode::Invalid,
     "acts as holds a line break"},
    {"AuthProvider", kServer, "{auth-provider: {name: oidc, config: {id-token: secret}}}",
     ErrorCode::NotSupported, "auth-provider oidc"},
    {"ExecWithoutCommand", kServer,
     exec("apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never"), ErrorCode::Invalid,
     "names no command"},
    {"ExecWithoutVersion", kServer, exec("command: x"), ErrorCode::NotSupported, "names no apiVersion"},
    {"ExecOldVersion", kServer, exec("command: x, apiVersion: client.authentication.k8s.io/v1alpha1"),
     ErrorCode::NotSupported, "the user u in /one/1.yaml asks for client.authentication.k8s.io/v1alpha1"},
    {"ExecV1WithoutMode", kServer, exec("command: x, apiVersion: client.authentication.k8s.io/v1"),
     ErrorCode::Invalid, "interactiveMode"},
    {"ExecAlwaysInteractive", kServer,
     exec("command: x, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always"),
     ErrorCode::NotSupported, "terminal"},
    {"ExecVariableWithoutName", kServer,
     exec("command: x, apiVersion: client.authentication.k8s.io/v1beta1, env: [{value: v}]"),
     ErrorCode::Invalid, "env entry"},
};

INSTANTIATE_TEST_SUITE_P(Fields, KubeconfigBrokenEntryTest, ::testing::ValuesIn(kBrokenEntries),
                         [](const auto &parameter) { return std::string(parameter.param.name); });

TEST(KubeconfigEntryTest, NoErrorRepeatsASecret)
{
    for (const BrokenEntry &entry : kBrokenEntries) {
        const KubeContext context = contextOf(oneContext(entry.cluster, entry.user));
        ASSERT_TRUE(context.problem);
        const QString all =
            englishText(*context.problem) + context.problem->detail + context.problem->arguments.join(u' ');
        EXPECT_FALSE(all.contains(QStringLiteral("hunter2"))) << entry.name;
        EXPECT_FALSE(all.contains(QStringLiteral("secret"))) << entry.name;
    }
}

TEST(KubeconfigEntryTest, ReadsEveryFieldOfACluster)
{
    const KubeContext context = contextOf(oneContext(
        "{server: 'https://Rancher.Example/k8s/clusters/c-9f/?x=1#y', certificate-authority-data: " +
            data(kCertificate) +
            ", certificate-authority: unused.crt, tls-server-name: kubernetes, proxy-url: "
            "'socks5://p.example:1080', disable-compression: true, "
            "extensions: [{name: client.authentication.k8s.io/exec, extension: {region: cn-north-4, n: 3, "
            "ok: true, text: '5'}}]}",
        "{}", ", namespace: inference"));
    ASSERT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    const KubeCluster &cluster = context.parts->cluster;
    EXPECT_EQ(cluster.server, QUrl(QStringLiteral("https://rancher.example/k8s/clusters/c-9f")));
    EXPECT_EQ(cluster.authorityPem, kCertificate);
    EXPECT_EQ(cluster.tlsServerName, QStringLiteral("kubernetes"));
    EXPECT_EQ(cluster.proxyUrl, QStringLiteral("socks5://p.example:1080"));
    EXPECT_FALSE(cluster.compression);
    EXPECT_EQ(cluster.execConfig, R"({"region":"cn-north-4","n":3,"ok":true,"text":"5"})");
    EXPECT_EQ(context.nameSpace, QStringLiteral("inference"));
}

TEST(KubeconfigEntryTest, DataWinsOverFiles)
{
    const KubeContext context = contextOf(
        oneContext(kServer, "{client-certificate: gone.crt, client-key: gone.key, client-certificate-data: " +
                                data(kCertificate) + ", client-key-data: " + data(kKey) + "}"));
    ASSERT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    const SystemClock clock;
    const Result<ConnectionSettings> connection = makeConnection(context, {.clock = &clock}, nullptr);
    ASSERT_OK(connection);
    EXPECT_EQ(connection->tls.certificatePem, kCertificate);
    EXPECT_EQ(connection->tls.keyPem, kKey);
    EXPECT_FALSE(connection->credentials); // the certificate is all there is
}

QByteArray clientCertificate(int fromDays, int toDays, const QByteArray &more = {})
{
    const TestIdentity identity =
        TestAuthority::shared().issue({.validFromDays = fromDays, .validToDays = toDays});
    return "{client-certificate-data: " + data(identity.certificatePem) +
           ", client-key-data: " + data(identity.keyPem) + more + '}';
}

TEST(KubeconfigEntryTest, ClientCertificateOutOfItsTimeIsNamedBeforeConnecting)
{
    const SystemClock clock;
    const auto connect = [&clock](const QByteArray &user, const QByteArray &server = kServer) {
        return makeConnection(contextOf(oneContext(server, user)), {.clock = &clock}, nullptr);
    };
    const auto said = [](const Result<ConnectionSettings> &result) {
        return result ? std::string("connected") : englishText(result.error()).toStdString();
    };
    EXPECT_OK(connect(clientCertificate(-1, 2)));
    EXPECT_THAT(said(connect(clientCertificate(-5, -1))),
                HasSubstr("/one/1.yaml: The client certificate of the user u expired on 20"));
    EXPECT_THAT(said(connect(clientCertificate(1, 3))), HasSubstr("is valid only from 20"));
    // The server may take the token and never look at the certificate; over http nobody shows one.
    EXPECT_OK(connect(clientCertificate(-5, -1, ", token: t")));
    EXPECT_OK(connect(clientCertificate(-5, -1), "{server: 'http://127.0.0.1:1'}"));
}

TEST(KubeconfigEntryTest, StaticCredentialsComeBeforePlugins)
{
    const KubeContext context =
        contextOf(oneContext(kServer, "{token: t, exec: {command: x, apiVersion: nonsense}}"));
    EXPECT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    EXPECT_FALSE(context.parts->user.exec);
}

TEST(KubeconfigEntryTest, ImpersonationBecomesHeaders)
{
    const KubeContext context = contextOf(oneContext(
        kServer,
        "{token: t, as: 张伟, as-uid: u1, as-groups: [ops, dev], as-user-extra: {Scope/x: [a, b]}}"));
    ASSERT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    const SystemClock clock;
    const Result<ConnectionSettings> connection = makeConnection(context, {.clock = &clock}, nullptr);
    ASSERT_OK(connection);
    const QList<std::pair<QByteArray, QByteArray>> expected{
        {"Impersonate-User", "张伟"},         {"Impersonate-Uid", "u1"},
        {"Impersonate-Group", "ops"},         {"Impersonate-Group", "dev"},
        {"Impersonate-Extra-scope%2Fx", "a"}, {"Impersonate-Extra-scope%2Fx", "b"}};
    EXPECT_EQ(connection->headers, expected);
}

TEST(KubeconfigEntryTest, PluginFieldsAreKept)
{
    const KubeContext context = contextOf(oneContext(
        kServer,
        exec(
            "command: ./bin/iam-login, args: [token, 5, ''], apiVersion: "
            "client.authentication.k8s.io/v1beta1, "
            "env: [{name: IAM_REGION, value: cn-north-4}], provideClusterInfo: true, installHint: ask ops")));
    ASSERT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    const ExecCommand &command = *context.parts->user.exec;
    EXPECT_EQ(execCommandPath(command), "/one/bin/iam-login");
    EXPECT_EQ(command.args, (QStringList{QStringLiteral("token"), QStringLiteral("5"), QString()}));
    EXPECT_EQ(command.env.value(0).second, QStringLiteral("cn-north-4"));
    EXPECT_TRUE(command.provideClusterInfo);
    EXPECT_EQ(command.interactive, ExecCommand::Interactive::IfAvailable);
    EXPECT_EQ(command.installHint, QStringLiteral("ask ops"));
}

TEST(KubeconfigEntryTest, NamespaceHasToBeALabel)
{
    EXPECT_TRUE(contextOf(oneContext(kServer, "{}", ", namespace: 'Team_A'")).problem);
    EXPECT_TRUE(contextOf(oneContext(kServer, "{}", ", namespace: 'a/b'")).problem);
    EXPECT_FALSE(contextOf(oneContext(kServer, "{}", ", namespace: team-a")).problem);
}

TEST(KubeconfigEntryTest, ContextWithoutUserIsAnonymous)
{
    const KubeContext context =
        contextOf("clusters: [{name: k, cluster: {server: 'https://a.example'}}]\ncontexts: [{name: c, "
                  "context: {cluster: k}}]\n");
    EXPECT_TRUE(context.isUsable()) << problemOf(context).toStdString();
}

TEST(KubeconfigEntryTest, CredentialsStayHomeOverHttpToOtherMachines)
{
    const SystemClock clock;
    for (const auto &[server, attached] : {std::pair<QByteArray, bool>{"https://a.example", true},
                                           {"http://a.example", false},
                                           {"http://127.0.0.1:8080", true},
                                           {"http://[::1]:8080", true},
                                           {"http://localhost:8080", true},
                                           {"http://localhost.evil.example", false}}) {
        const KubeContext context = contextOf(oneContext("{server: '" + server + "'}", "{token: t}"));
        const Result<ConnectionSettings> connection = makeConnection(context, {.clock = &clock}, nullptr);
        ASSERT_OK(connection);
        EXPECT_EQ(bool(connection->credentials), attached) << server.toStdString();
        EXPECT_EQ(context.warnings.isEmpty(), attached) << server.toStdString();
    }
}

TEST(KubeconfigEntryTest, SkippedVerificationIsToldOf)
{
    const KubeContext context =
        contextOf(oneContext("{server: 'https://a.example', insecure-skip-tls-verify: true}"));
    ASSERT_EQ(context.warnings.size(), 1);
    EXPECT_EQ(context.warnings.first().code, ErrorCode::Tls);
}

} // namespace
} // namespace tongchi
