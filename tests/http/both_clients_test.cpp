// One table of promises, held by both HTTP clients.

#include "platform/http/http_client.h"
#include "platform/http/stream_client.h"
#include "tests/http/any_client.h"
#include "tests/support/loopback_proxy.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

const QByteArray secretToken = "s3cr3t-token-value";
const QByteArray proxyPassword = "pr0xy-passw0rd";

std::string everythingSaid(const Error &error)
{
    QString all = englishText(error) + u'|' + error.subject + u'|' + error.detail + u'|'
        + error.arguments.join(u'|');
    if (error.remedy)
        all += substituteArguments(QString::fromUtf8(error.remedy), error.arguments);
    return all.toStdString();
}

class BothClientsTest : public ::testing::TestWithParam<ClientKind>
{
protected:
    static ConnectionSettings settingsFor(const QUrl &server)
    {
        ConnectionSettings settings;
        settings.server = server;
        settings.connectTimeout = 3s;
        return settings;
    }
    static ConnectionSettings tlsSettingsFor(const QUrl &server)
    {
        ConnectionSettings settings = settingsFor(server);
        settings.tls.authorityPem = TestAuthority::shared().pem();
        return settings;
    }
    static LoopbackServer::Options tlsOptions(const CertificateWish &wish = {})
    {
        return {.tls = TestAuthority::shared().issue(wish)};
    }
    Result<HttpResponse> send(const ConnectionSettings &settings, const HttpRequest &request)
    {
        const auto client = AnyClient::make(GetParam(), settings);
        const QFuture<Result<HttpResponse>> future = client->send(request);
        EXPECT_FALSE(future.isFinished());
        if (!waitFor(future) || future.resultCount() == 0)
            return failure({.code = ErrorCode::Cancelled, .detail = QStringLiteral("no result in the test's time")});
        const Result<HttpResponse> result = future.result();
        if (!result) {
            const std::string said = everythingSaid(result.error());
            EXPECT_THAT(said, Not(HasSubstr(secretToken.toStdString())));
            EXPECT_THAT(said, Not(HasSubstr(proxyPassword.toStdString())));
            EXPECT_NE(result.error().text, nullptr);
        }
        return result;
    }
    Result<HttpResponse> get(const ConnectionSettings &settings, const QByteArray &path)
    {
        return send(settings, {.path = path, .timeout = 4s});
    }
};

} // namespace

TEST_P(BothClientsTest, GetsAnAnswer)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{\"kind\":\"APIVersions\"}").with("Date", "Sun, 06 Nov 1994 08:49:37 GMT"));
    const auto result = get(settingsFor(server.url()), "/api?limit=500&labelSelector=a%3Db%2Cc");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body, "{\"kind\":\"APIVersions\"}");
    EXPECT_EQ(headerValue(result->headers, "content-type"), "application/json");
    ASSERT_EQ(server.requestCount(), 1);
    EXPECT_EQ(server.requests().front().target, "/api?limit=500&labelSelector=a%3Db%2Cc");
    EXPECT_EQ(server.requests().front().header("Authorization"), "");
}

TEST_P(BothClientsTest, EveryStatusIsAnAnswer)
{
    for (const int status : {201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 418, 422, 429, 500, 503, 504}) {
        LoopbackServer server;
        server.on("GET", "/x", Answer::text(status == 204 || status == 304 ? "" : "reason", status)
                                   .with("WWW-Authenticate", "Basic realm=\"x\"")
                                   .with("Retry-After", "7"));
        const auto result = get(settingsFor(server.url()), "/x");
        ASSERT_OK(result);
        EXPECT_EQ(result->status, status);
        EXPECT_EQ(result->body, status == 204 || status == 304 ? "" : "reason") << status;
        EXPECT_EQ(headerValue(result->headers, "Retry-After"), "7");
        EXPECT_EQ(server.requestCount(), 1) << status;
    }
}

TEST_P(BothClientsTest, KeepsTheServersPathPrefix)
{
    LoopbackServer server;
    server.on("GET", "/k8s/clusters/c-9f/version", Answer::json("{}"));
    ASSERT_OK(get(settingsFor(server.url("/k8s/clusters/c-9f/?ignored=1#too")), "/version"));
    EXPECT_EQ(server.requests().front().target, "/k8s/clusters/c-9f/version");
}

TEST_P(BothClientsTest, SendsTheBodyAndTheHeadersOfTheConnection)
{
    LoopbackServer server;
    server.on("PATCH", "/node", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.headers = {{"Impersonate-User", "zhang"}, {"Impersonate-Group", "ops"}, {"Impersonate-Group", "gpu"}};
    const QByteArray body(300'000, 'b');
    ASSERT_OK(send(settings, {.method = "PATCH",
                              .path = "/node",
                              .headers = {{"Content-Type", "application/merge-patch+json"}},
                              .body = body}));
    const ReceivedRequest request = server.requests().front();
    EXPECT_EQ(request.body, body);
    EXPECT_EQ(request.header("Content-Type"), "application/merge-patch+json");
    EXPECT_EQ(request.header("Impersonate-User"), "zhang");
    EXPECT_EQ(request.headerValues("Impersonate-Group"), (QList<QByteArray>{"ops", "gpu"}));
}

TEST_P(BothClientsTest, RefusesHeadersThatSmuggleOthersIn)
{
    LoopbackServer server;
    const auto result = send(settingsFor(server.url()), {.path = "/x", .headers = {{"Accept", "a\r\nX-Evil: 1"}}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Invalid);
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, ReachesIpv6AndKeepsTheBracketsInHost)
{
    LoopbackServer server({.family = LoopbackListener::Family::V6});
    if (!server.isListening())
        GTEST_SKIP() << "no ::1 on this machine";
    server.on("GET", "/api", Answer::json("{}"));
    for (const char *host : {"[::1]", "[0:0:0:0:0:0:0:0001]"}) {
        ASSERT_OK(get(settingsFor(server.urlAs(host)), "/api"));
        const QByteArray sent = server.requests().back().header("Host");
        EXPECT_EQ(sent, "[::1]:" + QByteArray::number(server.port()));
    }
}

TEST_P(BothClientsTest, ReachesIpv6OverTls)
{
    LoopbackServer server({.family = LoopbackListener::Family::V6, .tls = TestAuthority::shared().issue()});
    if (!server.isListening())
        GTEST_SKIP() << "no ::1 on this machine";
    server.on("GET", "/api", Answer::json("{}"));
    ASSERT_OK(get(tlsSettingsFor(server.url()), "/api"));
}

TEST_P(BothClientsTest, RefusesAServerThatIsNoAddress)
{
    for (const char *text : {"ftp://127.0.0.1/", "", "127.0.0.1:6443", "https://2001:db8::10:6443", "http://"}) {
        const auto result = get(settingsFor(QUrl(QString::fromLatin1(text))), "/api");
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, ErrorCode::Invalid) << text;
    }
}

TEST_P(BothClientsTest, SaysThatNothingListens)
{
    int port = 0;
    {
        const LoopbackServer closed;
        port = closed.port();
    }
    const auto result = get(settingsFor(QUrl(QStringLiteral("http://127.0.0.1:%1/p?token=abc").arg(port))), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("refused"));
}

// ---- TLS

TEST_P(BothClientsTest, TrustsTheGivenAuthority)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{}"));
    ASSERT_OK(get(tlsSettingsFor(server.url()), "/api"));
    ASSERT_OK(get(tlsSettingsFor(server.urlAs("localhost")), "/api"));
    EXPECT_EQ(server.requests().back().serverName, "localhost");
}

TEST_P(BothClientsTest, SendsAndChecksTheTlsServerName)
{
    LoopbackServer server(tlsOptions({.commonName = "kubernetes", .names = {"kubernetes"}, .addresses = {}}));
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.tls.serverName = QStringLiteral("kubernetes");
    ASSERT_OK(get(settings, "/api"));
    EXPECT_EQ(server.requests().front().serverName, "kubernetes");
}

TEST_P(BothClientsTest, NamesTheUnknownIssuer)
{
    const TestAuthority other("Shadow authority");
    LoopbackServer server({.tls = other.issue()});
    const auto result = get(tlsSettingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("Shadow authority"));
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, AGivenAuthorityReplacesTheSystems)
{
    LoopbackServer server(tlsOptions());
    const auto result = get(settingsFor(server.url()), "/api"); // the system's authorities
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
}

TEST_P(BothClientsTest, AnIntermediateAuthorityAloneIsEnough)
{
    const TestAuthority root("Corp root");
    const TestAuthority intermediate = root.intermediate("Corp issuing authority");
    LoopbackServer server({.tls = intermediate.issue()});
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.tls.authorityPem = intermediate.pem(); // without its root
    ASSERT_OK(get(settings, "/api"));
    settings.tls.authorityPem = TestAuthority::shared().pem() + intermediate.pem();
    ASSERT_OK(get(settings, "/api"));
    settings.tls.authorityPem = root.intermediate("Corp issuing authority").pem(); // same name, another key
    EXPECT_FALSE(get(settings, "/api"));
}

TEST_P(BothClientsTest, ATrustedIntermediateExcusesNothingElse)
{
    const TestAuthority root("Corp root");
    const TestAuthority intermediate = root.intermediate("Corp issuing authority");
    const std::pair<CertificateWish, const char *> cases[] = {
        {{.names = {"elsewhere"}, .addresses = {}}, "elsewhere"},
        {{.validFromDays = -5, .validToDays = -1}, "expired"},
    };
    for (const auto &[wish, words] : cases) {
        LoopbackServer server({.tls = intermediate.issue(wish)});
        ConnectionSettings settings = settingsFor(server.url());
        settings.tls.authorityPem = intermediate.pem();
        const auto result = get(settings, "/api");
        ASSERT_FALSE(result) << words;
        EXPECT_EQ(result.error().code, ErrorCode::Tls);
        EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr(words));
    }
    LoopbackServer client({.tls = intermediate.issueClient("not a server")});
    ConnectionSettings settings = settingsFor(client.url());
    settings.tls.authorityPem = intermediate.pem();
    EXPECT_FALSE(get(settings, "/api"));
}

TEST_P(BothClientsTest, AServersOwnCertificateMayBeItsAuthority)
{
    const TestIdentity identity = TestAuthority::selfSigned();
    LoopbackServer server({.tls = identity});
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.tls.authorityPem = identity.certificatePem;
    ASSERT_OK(get(settings, "/api"));
    settings.tls.authorityPem = TestAuthority::selfSigned().certificatePem;
    EXPECT_FALSE(get(settings, "/api"));
}

TEST_P(BothClientsTest, NamesTheNamesOfTheCertificate)
{
    LoopbackServer server(tlsOptions({.commonName = "k", .names = {"k8s.corp.example", "kubernetes"}, .addresses = {"10.1.2.3"}}));
    const auto result = get(tlsSettingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    const std::string text = englishText(result.error()).toStdString();
    EXPECT_THAT(text, HasSubstr("127.0.0.1"));
    EXPECT_THAT(text, HasSubstr("10.1.2.3, k8s.corp.example, kubernetes"));
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, SaysSinceWhenTheCertificateIsExpired)
{
    LoopbackServer server(tlsOptions({.validFromDays = -5, .validToDays = -1}));
    const auto result = get(tlsSettingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("expired on 20"));
}

TEST_P(BothClientsTest, SaysFromWhenTheCertificateIsValid)
{
    LoopbackServer server(tlsOptions({.validFromDays = 1, .validToDays = 3}));
    const auto result = get(tlsSettingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("valid only from 20"));
}

TEST_P(BothClientsTest, SkipsVerificationOnlyWhenTold)
{
    const TestAuthority other("Shadow authority");
    LoopbackServer server({.tls = other.issue({.names = {"elsewhere"}, .addresses = {}, .validFromDays = -5, .validToDays = -1})});
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.tls.skipVerification = true;
    ASSERT_OK(get(settings, "/api"));
}

TEST_P(BothClientsTest, SaysThatThePortDoesNotSpeakTls)
{
    LoopbackServer server;
    server.on("*", "*", Answer::raw("HTTP/1.0 400 Bad Request\r\n\r\nClient sent rubbish\r\n"));
    QUrl url = server.url();
    url.setScheme(QStringLiteral("https"));
    server.stop();
    LoopbackListener plain(LoopbackListener::Family::V4, [](int socket) {
        const std::string answer = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request\r\n";
        sendAll(socket, answer.data(), answer.size());
        waitUntilPeerLeaves(socket);
    });
    url.setPort(plain.port());
    const auto result = get(settingsFor(url), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("does not speak TLS"));
}

TEST_P(BothClientsTest, ShowsAClientCertificateOfEveryKind)
{
    const TestAuthority &authority = TestAuthority::shared();
    LoopbackServer server({.tls = authority.issue(), .clientAuthorityPem = authority.pem()});
    server.on("GET", "/api", Answer::json("{}"));
    const std::pair<KeyKind, KeyForm> kinds[] = {{KeyKind::Rsa, KeyForm::Pkcs8},
                                                 {KeyKind::Rsa, KeyForm::Traditional},
                                                 {KeyKind::Ec, KeyForm::Pkcs8},
                                                 {KeyKind::Ec, KeyForm::Traditional},
                                                 {KeyKind::Ed25519, KeyForm::Pkcs8}};
    int number = 0;
    for (const auto &[kind, form] : kinds) {
        const QByteArray name = "ops-" + QByteArray::number(number++);
        const TestIdentity client = authority.issueClient(name, kind, form);
        ConnectionSettings settings = tlsSettingsFor(server.url());
        settings.tls.certificatePem = client.certificatePem;
        settings.tls.keyPem = client.keyPem;
        ASSERT_OK(get(settings, "/api"));
        EXPECT_EQ(server.requests().back().clientName, name);
    }
}

TEST_P(BothClientsTest, SaysThatTheServerWantsAClientCertificate)
{
    const TestAuthority &authority = TestAuthority::shared();
    LoopbackServer server({.tls = authority.issue(), .clientAuthorityPem = authority.pem()});
    const auto result = get(tlsSettingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Tls);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("wants a client certificate"));
}

TEST_P(BothClientsTest, SaysWhatIsWrongWithAClientKey)
{
    const TestAuthority &authority = TestAuthority::shared();
    LoopbackServer server(tlsOptions());
    const TestIdentity one = authority.issueClient("one");
    const TestIdentity two = authority.issueClient("two");
    const QByteArray encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    const std::tuple<QByteArray, QByteArray, const char *> cases[] = {
        {one.certificatePem, two.keyPem, "does not belong"},
        {one.certificatePem, "rubbish", "key cannot be read"},
        {one.certificatePem, QByteArray(), "key cannot be read"},
        {one.certificatePem, encrypted, "passphrase"},
        {"rubbish", one.keyPem, "certificate cannot be read"},
    };
    for (const auto &[certificate, key, words] : cases) {
        ConnectionSettings settings = tlsSettingsFor(server.url());
        settings.tls.certificatePem = certificate;
        settings.tls.keyPem = key;
        const auto result = get(settings, "/api");
        ASSERT_FALSE(result) << words;
        EXPECT_EQ(result.error().code, ErrorCode::Tls) << words;
        EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr(words));
    }
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.tls.authorityPem = "rubbish";
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("authority"));
}

// ---- proxies

TEST_P(BothClientsTest, TunnelsThroughAnOpenProxy)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{}"));
    LoopbackProxy proxy;
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.proxy = {proxy.url(), QStringLiteral("HTTPS_PROXY")};
    ASSERT_OK(get(settings, "/api"));
    ASSERT_EQ(proxy.served().size(), 1u);
    EXPECT_EQ(proxy.served().front(), "CONNECT 127.0.0.1:" + QByteArray::number(server.port()) + " HTTP/1.1");
    EXPECT_EQ(server.requests().front().header("Proxy-Authorization"), "");
}

TEST_P(BothClientsTest, TunnelsThroughAProxyWithAPassword)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{}"));
    LoopbackProxy proxy("zhang:p@ss:word");
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.proxy = {proxy.url("zhang:p%40ss%3Aword"), QStringLiteral("kubeconfig proxy-url")};
    settings.credentials = ScriptedCredentials::tokens({secretToken});
    ASSERT_OK(get(settings, "/api"));
    EXPECT_EQ(server.requests().front().header("Authorization"), "Bearer " + secretToken);
}

TEST_P(BothClientsTest, NamesAProxyThatRefusesThePassword)
{
    LoopbackServer server(tlsOptions());
    LoopbackProxy proxy("zhang:right");
    for (const QByteArray &user : {QByteArray("zhang:" + proxyPassword), QByteArray()}) {
        ConnectionSettings settings = tlsSettingsFor(server.url());
        settings.proxy = {proxy.url(user), QStringLiteral("HTTPS_PROXY")};
        const auto result = get(settings, "/api");
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::Network);
        EXPECT_EQ(result.error().httpStatus, 407);
        EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("127.0.0.1:" + std::to_string(proxy.port())));
        EXPECT_THAT(everythingSaid(result.error()), HasSubstr("HTTPS_PROXY"));
    }
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, NamesAProxyThatCannotConnect)
{
    LoopbackServer server(tlsOptions());
    LoopbackProxy proxy;
    proxy.failWith(502);
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.proxy = {proxy.url(), QStringLiteral("HTTPS_PROXY")};
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("proxy")) << result.error().detail.toStdString();
}

TEST_P(BothClientsTest, NamesAProxyThatIsNotThere)
{
    LoopbackServer server(tlsOptions());
    ConnectionSettings settings = tlsSettingsFor(server.url());
    {
        const LoopbackProxy closed;
        settings.proxy = {closed.url("zhang:" + proxyPassword), QStringLiteral("HTTPS_PROXY")};
    }
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("proxy")) << result.error().detail.toStdString();
}

TEST_P(BothClientsTest, SendsPlainRequestsThroughAProxy)
{
    LoopbackServer server;
    server.on("GET", "/metrics", Answer::text("up 1"));
    LoopbackProxy proxy("zhang:right");
    ConnectionSettings settings = settingsFor(server.url());
    settings.proxy = {proxy.url("zhang:right"), QStringLiteral("HTTP_PROXY")};
    const auto result = get(settings, "/metrics");
    ASSERT_OK(result);
    EXPECT_EQ(result->body, "up 1");
    settings.proxy.url = proxy.url("zhang:" + proxyPassword);
    const auto refused = get(settings, "/metrics");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().httpStatus, 407);
}

TEST_P(BothClientsTest, GoesThroughSocks)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{}"));
    LoopbackProxy proxy({}, LoopbackProxy::Kind::Socks5);
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.proxy = {proxy.url(), QStringLiteral("kubeconfig proxy-url")};
    ASSERT_OK(get(settings, "/api"));
    ASSERT_EQ(proxy.served().size(), 1u);
    EXPECT_EQ(proxy.served().front(), "127.0.0.1:" + QByteArray::number(server.port()));
}

TEST_P(BothClientsTest, SaysThatATlsProxyIsNotSupported)
{
    ConnectionSettings settings = settingsFor(QUrl(QStringLiteral("https://127.0.0.1:1/")));
    settings.proxy = {QUrl(QStringLiteral("https://proxy.corp.example:443")), QStringLiteral("kubeconfig proxy-url")};
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotSupported);
}

// ---- credentials

TEST_P(BothClientsTest, AsksForTheCredentialBeforeEachRequest)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = tlsSettingsFor(server.url());
    const auto credentials = ScriptedCredentials::tokens({secretToken});
    settings.credentials = credentials;
    const auto client = AnyClient::make(GetParam(), settings);
    for (int i = 0; i < 3; ++i) {
        const auto future = client->send({.path = "/api"});
        ASSERT_TRUE(waitFor(future));
        ASSERT_OK(future.result());
    }
    EXPECT_EQ(credentials->asked, 3);
    EXPECT_EQ(credentials->rejections, 0);
    EXPECT_EQ(server.requests().back().header("Authorization"), "Bearer " + secretToken);
    EXPECT_EQ(server.connectionCount(), 1); // kept alive
}

TEST_P(BothClientsTest, RenewsTheCredentialOnceAfterA401)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", [](const ReceivedRequest &request) {
        return request.header("Authorization") == "Bearer new" ? Answer::json("{}")
                                                               : Answer::json("{\"reason\":\"Unauthorized\"}", 401);
    });
    ConnectionSettings settings = tlsSettingsFor(server.url());
    const auto credentials = ScriptedCredentials::tokens({"old", "new"});
    settings.credentials = credentials;
    const auto result = get(settings, "/api");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(credentials->rejections, 1);
    EXPECT_EQ(server.requestCount(), 2);
}

TEST_P(BothClientsTest, GivesASecond401Back)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/api", Answer::json("{\"reason\":\"Unauthorized\"}", 401).with("WWW-Authenticate", "Bearer"));
    ConnectionSettings settings = tlsSettingsFor(server.url());
    const auto credentials = ScriptedCredentials::tokens({secretToken, secretToken});
    settings.credentials = credentials;
    const auto result = get(settings, "/api");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 401);
    EXPECT_EQ(result->body, "{\"reason\":\"Unauthorized\"}");
    EXPECT_EQ(server.requestCount(), 2);
    EXPECT_EQ(credentials->rejections, 1);
}

TEST_P(BothClientsTest, RenewsAClientCertificateOfAPluginAfterA401)
{
    const TestAuthority &authority = TestAuthority::shared();
    LoopbackServer server({.tls = authority.issue(), .clientAuthorityPem = authority.pem()});
    server.on("GET", "/api", [](const ReceivedRequest &request) {
        return request.clientName == "fresh" ? Answer::json("{}") : Answer::json("{}", 401);
    });
    const TestIdentity stale = authority.issueClient("stale");
    const TestIdentity fresh = authority.issueClient("fresh", KeyKind::Rsa);
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.credentials = std::make_shared<ScriptedCredentials>(std::vector<Result<Credential>>{
        Credential{.certificatePem = stale.certificatePem, .keyPem = stale.keyPem},
        Credential{.certificatePem = fresh.certificatePem, .keyPem = fresh.keyPem}});
    const auto result = get(settings, "/api");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(server.requestCount(), 2);
}

TEST_P(BothClientsTest, GivesTheProvidersErrorBack)
{
    LoopbackServer server(tlsOptions());
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.credentials = std::make_shared<ScriptedCredentials>(
        std::vector<Result<Credential>>{failure({.code = ErrorCode::NeedsConsent, .text = "Agree first."})});
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NeedsConsent);
    EXPECT_EQ(server.requestCount(), 0);
}

TEST_P(BothClientsTest, SendsCredentialsOverPlainHttpOnlyInsideThisMachine)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    LoopbackProxy proxy; // makes the loopback server look like another machine
    ConnectionSettings settings = settingsFor(server.url());
    const auto credentials = ScriptedCredentials::tokens({secretToken});
    settings.credentials = credentials;
    ASSERT_OK(get(settings, "/api"));
    EXPECT_EQ(server.requests().back().header("Authorization"), "Bearer " + secretToken);
    EXPECT_EQ(credentials->asked, 1);
}

TEST_P(BothClientsTest, ATokenWithALineEndIsNotSent)
{
    LoopbackServer server(tlsOptions());
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.credentials = ScriptedCredentials::tokens({secretToken + "\r\nX: y"});
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Invalid);
}

// ---- redirects

TEST_P(BothClientsTest, FollowsARedirectWithinTheServer)
{
    LoopbackServer server(tlsOptions());
    server.on("GET", "/old", Answer::redirect(302, "/new?x=1"));
    server.on("GET", "/new", Answer::redirect(307, server.url("/newest").toEncoded()));
    server.on("GET", "/newest", Answer::json("{}"));
    ConnectionSettings settings = tlsSettingsFor(server.url());
    settings.credentials = ScriptedCredentials::tokens({secretToken});
    ASSERT_OK(get(settings, "/old"));
    ASSERT_EQ(server.requestCount(), 3);
    for (const ReceivedRequest &request : server.requests())
        EXPECT_EQ(request.header("Authorization"), "Bearer " + secretToken);
}

TEST_P(BothClientsTest, NeverFollowsARedirectToAnotherServer)
{
    LoopbackServer other(tlsOptions());
    LoopbackServer server(tlsOptions());
    const QByteArray port = QByteArray::number(server.port());
    const QByteArray targets[] = {other.url("/steal").toEncoded(), "http://127.0.0.1:" + port + "/plain",
                                  "//localhost:" + port + "/other-name"};
    for (const QByteArray &target : targets) {
        server.on("GET", "/api", Answer::redirect(302, target));
        ConnectionSettings settings = tlsSettingsFor(server.url());
        settings.credentials = ScriptedCredentials::tokens({secretToken});
        const auto result = get(settings, "/api");
        ASSERT_FALSE(result) << target.constData();
        EXPECT_EQ(result.error().code, ErrorCode::Protocol);
        QUrl place = server.url().resolved(QUrl::fromEncoded(target));
        EXPECT_THAT(englishText(result.error()).toStdString(),
                    HasSubstr(place.toString(QUrl::RemovePath).toStdString()));
    }
    EXPECT_EQ(other.requestCount(), 0);
    EXPECT_EQ(other.connectionCount(), 0);
}

TEST_P(BothClientsTest, EndsARedirectInCircles)
{
    LoopbackServer server;
    server.on("GET", "/a", Answer::redirect(301, "/b"));
    server.on("GET", "/b", Answer::redirect(308, "/a"));
    const auto result = get(settingsFor(server.url()), "/a");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Protocol);
    EXPECT_LE(server.requestCount(), 7);
}

// ---- time and life

TEST_P(BothClientsTest, AServerThatDoesNotAnswerIsATimeout)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    const auto result = send(settingsFor(server.url()), {.path = "/slow", .timeout = 60ms});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
}

TEST_P(BothClientsTest, AServerThatDoesNotShakeHandsIsATimeout)
{
    LoopbackListener mute(LoopbackListener::Family::V4, [](int socket) { waitUntilPeerLeaves(socket); });
    ConnectionSettings settings = settingsFor(QUrl(QStringLiteral("https://127.0.0.1:%1").arg(mute.port())));
    settings.connectTimeout = 60ms;
    const auto result = get(settings, "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("No connection"));
}

TEST_P(BothClientsTest, ABodyThatStopsIsATimeout)
{
    LoopbackServer server;
    server.on("GET", "/half", Answer::json(QByteArray(1000, 'x')).cut(500, Answer::Then::Stall));
    const auto result = send(settingsFor(server.url()), {.path = "/half", .timeout = 80ms});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
}

TEST_P(BothClientsTest, CancellingAborts)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    QFuture<Result<HttpResponse>> future = client->send({.path = "/slow"});
    ASSERT_TRUE(waitUntil([&] { return server.requestCount() == 1; }));
    future.cancel();
    ASSERT_TRUE(waitFor(future));
    EXPECT_TRUE(future.isCanceled());
    EXPECT_EQ(future.resultCount(), 0);
    EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; })); // the server sees it
}

TEST_P(BothClientsTest, ADestroyedOwnerEndsItsFuturesAsCancelled)
{
    LoopbackServer server;
    server.on("GET", "/slow", Answer::silence());
    auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    const QFuture<Result<HttpResponse>> running = client->send({.path = "/slow"});
    ASSERT_TRUE(waitUntil([&] { return server.requestCount() == 1; }));
    const QFuture<Result<HttpResponse>> fresh = client->send({.path = "/never-sent"});
    client.reset();
    EXPECT_TRUE(running.isFinished() && running.isCanceled());
    EXPECT_TRUE(fresh.isFinished() && fresh.isCanceled());
    EXPECT_TRUE(waitUntil([&] { return server.openConnections() == 0; }));
}


// ---- bodies

TEST_P(BothClientsTest, ACutBodyIsAnError)
{
    const QByteArray body(5000, 'x');
    for (const Answer::Then then : {Answer::Then::Close, Answer::Then::Reset}) {
        LoopbackServer server;
        server.on("GET", "/length", Answer::json(body).cut(4000, then));
        server.on("GET", "/chunked", Answer::json(body).chunked().cut(4000, then));
        server.on("GET", "/gzip", Answer::json(body).gzipped().cut(20, then));
        for (const char *path : {"/length", "/chunked", "/gzip"}) {
            const auto result = get(settingsFor(server.url()), path);
            ASSERT_FALSE(result) << path;
            EXPECT_EQ(result.error().code, ErrorCode::Network) << path;
            EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("cut short")) << path;
        }
    }
}

TEST_P(BothClientsTest, ACompressedBodyWithoutItsEndIsAnError)
{
    LoopbackServer server;
    Answer answer = Answer::json(QByteArray(5000, 'x')).gzipped();
    answer.body.chop(12);
    server.on("GET", "/gzip", answer);
    const auto result = get(settingsFor(server.url()), "/gzip");
    ASSERT_FALSE(result);
}

TEST_P(BothClientsTest, ADamagedCompressedBodyIsAnError)
{
    LoopbackServer server;
    Answer answer = Answer::json("{\"items\":[]}");
    answer.headers.emplace_back("Content-Encoding", "gzip");
    server.on("GET", "/gzip", answer);
    const auto result = get(settingsFor(server.url()), "/gzip");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Protocol);
}

TEST_P(BothClientsTest, AConnectionClosedWithoutAnAnswerIsAnError)
{
    LoopbackServer server;
    Answer answer;
    answer.silent = true;
    answer.then = Answer::Then::Close;
    server.on("GET", "/api", answer);
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Network);
}

TEST_P(BothClientsTest, SomethingElseThanHttpIsAnError)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::raw("SSH-2.0-OpenSSH_9.2p1\r\n\r\n"));
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_FALSE(result);
}

TEST_P(BothClientsTest, UndoesCompression)
{
    QByteArray body;
    for (int i = 0; i < 40'000; ++i)
        body += "{\"name\":\"bj-a100-" + QByteArray::number(i) + "\"},\n";
    LoopbackServer server;
    server.on("GET", "/plain", Answer::json(body).gzipped());
    server.on("GET", "/chunked", Answer::json(body).gzipped().chunked());
    server.on("GET", "/zeros", Answer::json(QByteArray(30'000'000, '0')).gzipped()); // shrinks a thousandfold
    for (const char *path : {"/plain", "/chunked"}) {
        const auto result = get(settingsFor(server.url()), path);
        ASSERT_OK(result);
        EXPECT_TRUE(result->body == body) << path;
    }
    const auto zeros = get(settingsFor(server.url()), "/zeros");
    ASSERT_OK(zeros);
    EXPECT_EQ(zeros->body.size(), 30'000'000);
    EXPECT_THAT(server.requests().front().header("Accept-Encoding").toStdString(), HasSubstr("gzip"));
}

TEST_P(BothClientsTest, AsksForNoCompressionWhenItIsOff)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    ConnectionSettings settings = settingsFor(server.url());
    settings.compression = false;
    ASSERT_OK(get(settings, "/api"));
    EXPECT_EQ(server.requests().front().header("Accept-Encoding"), "identity");
}

TEST_P(BothClientsTest, BytesMayArriveOneByOne)
{
    const QByteArray body = "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{\"name\":\"节点\"}}]}";
    LoopbackServer server(tlsOptions());
    server.on("GET", "/length", Answer::json(body).inPieces(1));
    server.on("GET", "/chunked", Answer::json(body).chunked().inPieces(1));
    server.on("GET", "/gzip", Answer::json(body).gzipped().chunked().inPieces(1));
    for (const char *path : {"/length", "/chunked", "/gzip"}) {
        const auto result = get(tlsSettingsFor(server.url()), path);
        ASSERT_OK(result);
        EXPECT_EQ(result->body, body) << path;
    }
}

TEST_P(BothClientsTest, AnInterimAnswerIsSkippedAndABodyMayEndWithTheConnection)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nto the end"));
    const auto result = get(settingsFor(server.url()), "/api");
    ASSERT_OK(result);
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body, "to the end");
}

TEST_P(BothClientsTest, AConnectionThatTheServerClosedMeanwhileIsReplaced)
{
    LoopbackServer server;
    server.on("GET", "/api", Answer::json("{}"));
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    for (int i = 0; i < 5; ++i) {
        const auto future = client->send({.path = "/api"});
        ASSERT_TRUE(waitFor(future));
        ASSERT_OK(future.result());
        server.dropConnections();
    }
    EXPECT_EQ(server.requestCount(), 5);
}

TEST_P(BothClientsTest, ARequestThatMustNotBeRepeatedIsSentOnce)
{
    LoopbackServer server;
    Answer gone;
    gone.silent = true;
    gone.then = Answer::Then::Close;
    server.on("POST", "/jobs", gone);
    server.on("GET", "/api", Answer::json("{}"));
    const auto client = AnyClient::make(GetParam(), settingsFor(server.url()));
    ASSERT_TRUE(waitFor(client->send({.path = "/api", .repeatable = false})));
    const auto future = client->send({.method = "POST", .path = "/jobs", .body = "{}", .repeatable = false});
    ASSERT_TRUE(waitFor(future));
    EXPECT_FALSE(future.result());
    EXPECT_EQ(server.requests("/jobs").size(), 1u);
}

TEST_P(BothClientsTest, AHeadRequestHasNoBody)
{
    LoopbackServer server;
    server.on("HEAD", "/api", Answer::json("{\"a\":1}"));
    const auto result = send(settingsFor(server.url()), {.method = "HEAD", .path = "/api"});
    ASSERT_OK(result);
    EXPECT_EQ(result->body, "");
    EXPECT_EQ(headerValue(result->headers, "Content-Length"), "7");
}

INSTANTIATE_TEST_SUITE_P(, BothClientsTest, ::testing::Values(ClientKind::Answers, ClientKind::Stream),
                         [](const auto &tested) { return tested.param == ClientKind::Answers ? "Answers" : "Stream"; });

} // namespace tongchi::test
