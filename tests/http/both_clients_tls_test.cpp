// What both HTTP clients promise about certificates.

#include "tests/http/both_clients.h"

namespace tongchi::test {

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
    LoopbackServer server(tlsOptions(
        {.commonName = "k", .names = {"k8s.corp.example", "kubernetes"}, .addresses = {"10.1.2.3"}}));
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
    LoopbackServer server(
        {.tls =
             other.issue({.names = {"elsewhere"}, .addresses = {}, .validFromDays = -5, .validToDays = -1})});
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
    const QByteArray encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
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

} // namespace tongchi::test
