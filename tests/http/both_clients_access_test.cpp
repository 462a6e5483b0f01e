// What both HTTP clients promise about proxies, credentials and redirects.

#include "tests/http/both_clients.h"
#include "tests/support/loopback_proxy.h"

namespace tongchi::test {

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
        EXPECT_THAT(englishText(result.error()).toStdString(),
                    HasSubstr("127.0.0.1:" + std::to_string(proxy.port())));
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
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("proxy"))
        << result.error().detail.toStdString();
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
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("proxy"))
        << result.error().detail.toStdString();
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
    settings.proxy = {QUrl(QStringLiteral("https://proxy.corp.example:443")),
                      QStringLiteral("kubeconfig proxy-url")};
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
        return request.header("Authorization") == "Bearer new"
                   ? Answer::json("{}")
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
    server.on("GET", "/api",
              Answer::json("{\"reason\":\"Unauthorized\"}", 401).with("WWW-Authenticate", "Bearer"));
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

} // namespace tongchi::test
