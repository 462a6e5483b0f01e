#include "platform/kubernetes/exec_credential.h"
#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/login_path.h"
#include "tests/kubernetes/kubeconfig_files.h"
#include "tests/support/wait.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::Not;

class AllowAll final : public ExecConsent
{
public:
    bool isAllowed(const ExecCommand &) const override { return allowed; }
    bool allowed = true;
};

/// Plug-ins in a folder of the test, with a clock that the test moves.
class ExecCredentialTest : public ::testing::Test
{
protected:
    ExecCommand command(const QString &name, const QStringList &args = {})
    {
        return {.command = name,
                .args = args,
                .apiVersion = QStringLiteral("client.authentication.k8s.io/v1"),
                .userName = QStringLiteral("u"),
                .file = folder.bytes(QStringLiteral("config"))};
    }

    std::shared_ptr<LoginPath> path()
    {
        return std::make_shared<LoginPath>(LoginPathOptions{
            .ownPath = folder.bytes(QStringLiteral("bin")) + ":/usr/bin:/bin", .usualFolders = false});
    }

    std::unique_ptr<ExecCredential> provider(const ExecCommand &what, ExecOptions options = {})
    {
        return std::make_unique<ExecCredential>(what, clock, std::move(options), path(), consent);
    }

    Result<Credential> ask(CredentialProvider &from, bool rejected = false)
    {
        const QFuture<Result<Credential>> future = from.credential(rejected);
        EXPECT_FALSE(future.isFinished());
        EXPECT_TRUE(waitFor(future));
        return future.resultCount() > 0 ? future.result() : failure({.detail = QStringLiteral("no result")});
    }

    int runs() const
    {
        QFile file(folder.path(QStringLiteral("calls")));
        return file.open(QIODevice::ReadOnly) ? int(file.readAll().count('\n')) : 0;
    }

    /// A plug-in that answers with $1 as token and writes down that it ran.
    void tokenPlugin(const QByteArray &status = "\"token\":\"'\"$1\"'\"")
    {
        folder.program(QStringLiteral("bin/plug-in"), "#!/bin/sh\necho run >> '" +
                                                          folder.bytes(QStringLiteral("calls")) +
                                                          "'\nprintf '%s\\n' "
                                                          "'{\"kind\":\"ExecCredential\",\"apiVersion\":"
                                                          "\"client.authentication.k8s.io/v1\",\"status\":{" +
                                                          status + "}}'\n");
    }

    TestFolder folder;
    ManualClock clock;
    std::shared_ptr<AllowAll> consent = std::make_shared<AllowAll>();
};

TEST_F(ExecCredentialTest, GivesTheTokenAndRunsOnce)
{
    tokenPlugin();
    const auto credentials = provider(command(QStringLiteral("plug-in"), {QStringLiteral("t1")}));
    for (int i = 0; i < 3; ++i) {
        const Result<Credential> credential = ask(*credentials);
        ASSERT_OK(credential);
        EXPECT_EQ(credential->authorization, "Bearer t1");
    }
    clock.advance(std::chrono::hours(100)); // without an expiry it holds until a 401
    ASSERT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 1);
}

TEST_F(ExecCredentialTest, WaitingRequestsShareOneRun)
{
    tokenPlugin();
    const auto credentials = provider(command(QStringLiteral("plug-in"), {QStringLiteral("t")}));
    QList<QFuture<Result<Credential>>> futures;
    for (int i = 0; i < 5; ++i)
        futures << credentials->credential(i % 2 == 1);
    for (const auto &future : std::as_const(futures)) {
        ASSERT_TRUE(waitFor(future));
        EXPECT_OK(future.result());
    }
    EXPECT_EQ(runs(), 1);
}

TEST_F(ExecCredentialTest, RunsAgainWhenItExpires)
{
    const QByteArray expiry =
        QDateTime::fromMSecsSinceEpoch((clock.now().time_since_epoch() + std::chrono::seconds(90)).count(),
                                       Qt::UTC)
            .toString(Qt::ISODate)
            .toLatin1();
    tokenPlugin("\"token\":\"a\",\"expirationTimestamp\":\"" + expiry + "\"");
    const auto credentials = provider(command(QStringLiteral("plug-in")));
    ASSERT_OK(ask(*credentials));
    clock.advance(std::chrono::seconds(85));
    ASSERT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 1);
    clock.advance(std::chrono::seconds(10));
    ASSERT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 2);
}

TEST_F(ExecCredentialTest, ExpiryInThePastDoesNotRunForEveryRequest)
{
    tokenPlugin("\"token\":\"a\",\"expirationTimestamp\":\"2001-01-01T00:00:00Z\"");
    const auto credentials = provider(command(QStringLiteral("plug-in")));
    for (int i = 0; i < 4; ++i)
        ASSERT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 1);
    clock.advance(std::chrono::seconds(11));
    ASSERT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 2);
}

TEST_F(ExecCredentialTest, RefusalRunsOnceForAllThatWereRefused)
{
    tokenPlugin();
    const auto credentials = provider(command(QStringLiteral("plug-in"), {QStringLiteral("t")}));
    ASSERT_OK(ask(*credentials));
    ASSERT_OK(ask(*credentials, true));
    ASSERT_OK(ask(*credentials, true)); // refused with the old one, says so a little later
    EXPECT_EQ(runs(), 2);
    clock.advance(std::chrono::seconds(6));
    ASSERT_OK(ask(*credentials, true));
    EXPECT_EQ(runs(), 3);
}

TEST_F(ExecCredentialTest, CertificatesArePlainPem)
{
    tokenPlugin(R"("clientCertificateData":"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",)"
                R"("clientKeyData":"-----BEGIN EC PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n")");
    const Result<Credential> credential = ask(*provider(command(QStringLiteral("plug-in"))));
    ASSERT_OK(credential);
    EXPECT_TRUE(credential->authorization.isEmpty());
    EXPECT_EQ(credential->certificatePem, "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");
    EXPECT_EQ(credential->keyPem, "-----BEGIN EC PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n");
}

TEST_F(ExecCredentialTest, NothingRunsWithoutConsent)
{
    tokenPlugin();
    consent->allowed = false;
    ExecCommand what = command(QStringLiteral("plug-in"),
                               {QStringLiteral("get token"), QStringLiteral("--client-secret=hunter2"),
                                QStringLiteral("--password"), QStringLiteral("hunter2")});
    what.env = {{QStringLiteral("KEY"), QStringLiteral("hunter2")}};
    const auto credentials = provider(what);
    const Result<Credential> refused = ask(*credentials);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::NeedsConsent);
    EXPECT_EQ(refused.error().arguments.value(0),
              QStringLiteral("KEY=… plug-in 'get token' --client-secret=••• --password •••"));
    EXPECT_EQ(runs(), 0);
    consent->allowed = true;
    EXPECT_OK(ask(*credentials));
    EXPECT_EQ(runs(), 1);
}

TEST_F(ExecCredentialTest, NoConsentAtAllIsNoConsent)
{
    tokenPlugin();
    ExecCredential credentials(command(QStringLiteral("plug-in")), clock, {}, path(), nullptr);
    EXPECT_EQ(ask(credentials).error().code, ErrorCode::NeedsConsent);
}

TEST_F(ExecCredentialTest, ArgumentsReachThePluginWithoutAShell)
{
    folder.program(QStringLiteral("bin/plug-in"), "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" +
                                                      folder.bytes(QStringLiteral("args")) + "'\nexit 3\n");
    (void)ask(*provider(command(QStringLiteral("plug-in"),
                                {QStringLiteral("$(touch x); *"), QStringLiteral("一 二"), QString()})));
    QFile file(folder.path(QStringLiteral("args")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "$(touch x); *\n一 二\n\n");
}

TEST_F(ExecCredentialTest, PluginSeesInfoVariablesAndAPathButNoTerminal)
{
    folder.program(QStringLiteral("sub/plug-in"),
                   "#!/bin/sh\nprintf '%s|%s|%s|' \"$KUBERNETES_EXEC_INFO\" \"$IAM_REGION\" \"$PATH\" > '" +
                       folder.bytes(QStringLiteral("seen")) + "'\nread line && echo input >> '" +
                       folder.bytes(QStringLiteral("seen")) + "'\nexit 1\n");
    ExecCommand what = command(QStringLiteral("./sub/plug-in"));
    what.env = {{QStringLiteral("IAM_REGION"), QStringLiteral("cn-north-4")}};
    what.provideClusterInfo = true;
    what.clusterInfo = R"({"server":"https://a.example","config":{"x":1}})";
    (void)ask(*provider(what));
    QFile file(folder.path(QStringLiteral("seen")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> seen = file.readAll().split('|');
    EXPECT_EQ(
        seen.value(0),
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false,"cluster":{"server":"https://a.example","config":{"x":1}}}})");
    EXPECT_EQ(seen.value(1), "cn-north-4");
    EXPECT_TRUE(seen.value(2).startsWith(folder.bytes(QStringLiteral("bin"))));
    EXPECT_EQ(seen.value(3), "");
}

TEST_F(ExecCredentialTest, MissingPluginNamesCommandAndHint)
{
    ExecCommand what = command(QStringLiteral("tc-no-such-plugin"));
    what.installHint = QStringLiteral("Ask the platform group for tc-no-such-plugin");
    const Result<Credential> result = ask(*provider(what));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::NotFound);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("Ask the platform group"));
    EXPECT_THAT(result.error().detail.toStdString(), HasSubstr("/usr/bin"));
    EXPECT_EQ(ask(*provider(command(QStringLiteral("./gone")))).error().arguments.value(0),
              folder.path(QStringLiteral("gone")));
    folder.write(QStringLiteral("text"), "no program");
    EXPECT_THAT(englishText(ask(*provider(command(QStringLiteral("./text")))).error()).toStdString(),
                HasSubstr("cannot be executed"));
}

TEST_F(ExecCredentialTest, FailureShowsWhatThePluginSaysCutAndCleaned)
{
    folder.program(
        QStringLiteral("bin/plug-in"),
        "#!/bin/sh\nprintf '\\033[31mlogin window closed\\033[0m by the user "
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.abc\\n\\007' >&2\n"
        "head -c 100000 /dev/zero | tr '\\0' x >&2\necho ' the end' >&2\necho secret-token\nexit 7\n");
    QString message;
    const Result<Credential> result = ask(
        *provider(command(QStringLiteral("plug-in")),
                  {.onMessage = [&message](const ExecCommand &, const QString &text) { message = text; }}));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unauthorized);
    EXPECT_EQ(result.error().arguments.value(1), QStringLiteral("7"));
    EXPECT_LE(result.error().arguments.value(2).size(), 400);
    EXPECT_TRUE(result.error().arguments.value(2).endsWith(QStringLiteral("the end")));
    EXPECT_EQ(message, result.error().arguments.value(2));
    EXPECT_THAT(englishText(result.error()).toStdString(), Not(HasSubstr("secret-token")));
    EXPECT_EQ(execMessage("\033[31mlogin\033[0m\nclosed eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.abc\a", 400),
              QStringLiteral("login closed •••␇"));
}

TEST_F(ExecCredentialTest, FailureHoldsForAMomentAndIsTriedAgain)
{
    folder.program(QStringLiteral("bin/plug-in"),
                   "#!/bin/sh\necho run >> '" + folder.bytes(QStringLiteral("calls")) + "'\nexit 1\n");
    const auto credentials = provider(command(QStringLiteral("plug-in")));
    EXPECT_FALSE(ask(*credentials));
    EXPECT_FALSE(ask(*credentials));
    EXPECT_EQ(runs(), 1);
    clock.advance(std::chrono::seconds(3));
    EXPECT_FALSE(ask(*credentials));
    EXPECT_EQ(runs(), 2);
}

TEST_F(ExecCredentialTest, SlowPluginsEndWithEverythingTheyStarted)
{
    folder.program(QStringLiteral("bin/plug-in"),
                   "#!/bin/sh\necho 'open https://login.example' >&2\nsleep 600 &\necho $! > '" +
                       folder.bytes(QStringLiteral("child")) + "'\nwait\n");
    const Result<Credential> result =
        ask(*provider(command(QStringLiteral("plug-in")), {.timeout = std::chrono::milliseconds(300)}));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("open https://login.example"));
    QFile file(folder.path(QStringLiteral("child")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const pid_t child = file.readAll().trimmed().toInt();
    ASSERT_GT(child, 0);
    EXPECT_TRUE(waitUntil([child] {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(child));
        return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
    }));
}

TEST_F(ExecCredentialTest, EndlessOutputIsCutOff)
{
    folder.program(QStringLiteral("bin/plug-in"), "#!/bin/sh\ncat /dev/zero\n");
    const Result<Credential> result =
        ask(*provider(command(QStringLiteral("plug-in")), {.outputLimit = 100'000}));
    ASSERT_FALSE(result);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr("more than 100000 bytes"));
}

TEST_F(ExecCredentialTest, OwnerDyingEndsTheFutureAndThePlugin)
{
    folder.program(QStringLiteral("bin/plug-in"), "#!/bin/sh\necho run >> '" +
                                                      folder.bytes(QStringLiteral("calls")) +
                                                      "'\nexec sleep 600\n");
    auto credentials = provider(command(QStringLiteral("plug-in")));
    const QFuture<Result<Credential>> future = credentials->credential(false);
    ASSERT_TRUE(waitUntil([this] { return runs() == 1; }));
    credentials.reset();
    EXPECT_TRUE(waitFor(future));
    EXPECT_TRUE(future.isCanceled());
}

TEST_F(ExecCredentialTest, SharedPluginsAnswerAsExpected)
{
    qputenv("TC_CRED_DELAY", "0.2");
    qputenv("TMPDIR", folder.bytes(QStringLiteral("tmp")));
    QDir().mkpath(folder.path(QStringLiteral("tmp")));
    const QString data = kubeconfigData(QStringLiteral("plugins"));
    const Kubeconfig config =
        loadKubeconfig({.explicitFiles = {(data + QStringLiteral("/exec.yaml")).toUtf8()}});
    ASSERT_EQ(config.contexts.size(), 7);
    const SystemClock systemClock;
    const ConnectionEnvironment environment{
        .clock = &systemClock,
        .loginPath = std::make_shared<LoginPath>(LoginPathOptions{
            .ownPath = (data + QStringLiteral("/bin:/usr/bin:/bin")).toUtf8(), .usualFolders = false})};
    const auto open = [&](const char *name) -> Result<Credential> {
        const Result<ConnectionSettings> connection =
            makeConnection(*config.find(QString::fromLatin1(name)), environment, consent);
        if (!connection)
            return tl::unexpected(connection.error());
        return ask(*connection->credentials);
    };
    EXPECT_EQ(open("v1")->authorization, "Bearer plugin-v1");
    EXPECT_EQ(open("v1beta1")->authorization, "Bearer plugin-v1beta1");
    EXPECT_EQ(open("slow")->authorization, "Bearer plugin-v1");
    const std::pair<const char *, std::vector<const char *>> refused[] = {
        {"v1alpha1", {"user v1alpha1", "exec.yaml", "client.authentication.k8s.io/v1alpha1"}},
        {"mismatch",
         {"asked for client.authentication.k8s.io/v1 and answered in client.authentication.k8s.io/v1beta1"}},
        {"fails", {"login window closed by the user"}},
        {"not-found", {"tc-no-such-plugin", "Ask the platform group"}}};
    for (const auto &[name, says] : refused) {
        const Result<Credential> result = open(name);
        ASSERT_FALSE(result) << name;
        for (const char *words : says)
            EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr(words));
    }
    QFile calls(folder.path(QStringLiteral("tmp/calls.txt")));
    ASSERT_TRUE(calls.open(QIODevice::ReadOnly));
    EXPECT_EQ(calls.readAll().count('\n'), 5); // v1, v1beta1, slow, mismatch, fails; never v1alpha1
    qunsetenv("TC_CRED_DELAY");
    qunsetenv("TMPDIR");
}

TEST(ExecAnswerTest, BrokenAnswersAreErrorsThatDoNotRepeatThem)
{
    const QByteArray head =
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)";
    const std::pair<QByteArray, const char *> rows[] = {
        {"", "printed nothing"},
        {"  \n", "printed nothing"},
        {"hunter2", "not JSON"},
        {"[\"hunter2\"]", "not JSON"},
        {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"hunter2")",
         "not JSON"},
        {QByteArray("[").repeated(100000), "not JSON"},
        {"{\"token\":\"hunter2\"}", "not an ExecCredential"},
        {"{\"kind\":5}", "not an ExecCredential"},
        {"{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1beta1\"}",
         "answered in client.authentication.k8s.io/v1beta1"},
        {head.chopped(10) + "}", "without a status"},
        {head + "null}", "without a status"},
        {head + "\"hunter2\"}", "without a status"},
        {head + "{}}", "without a token or certificate"},
        {head + "{\"token\":null}}", "without a token or certificate"},
        {head + "{\"token\":{\"hunter2\":1}}}", "wrong kind"},
        {head + "{\"token\":\"a\\nb\"}}", "wrong kind"},
        {head + "{\"clientCertificateData\":\"hunter2\"}}", "both are needed"},
        {head + "{\"clientCertificateData\":\"hunter2\",\"clientKeyData\":\"hunter2\"}}",
         "no certificate in PEM"},
        {head + "{\"token\":\"a\",\"expirationTimestamp\":\"tomorrow\"}}", "no point in time"},
        {head + "{\"token\":\"a\",\"expirationTimestamp\":\"2026-01-01T00:00:00\"}}", "no point in time"},
        {head + "{\"token\":\"a\",\"expirationTimestamp\":5}}", "wrong kind"},
    };
    const ExecCommand command{.command = QStringLiteral("p"),
                              .apiVersion = QStringLiteral("client.authentication.k8s.io/v1")};
    for (const auto &[json, says] : rows) {
        const Result<Credential> result = parseExecAnswer(json, command);
        ASSERT_FALSE(result) << json.left(200).toStdString();
        EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr(says))
            << json.left(200).toStdString();
        const QString all =
            englishText(result.error()) + result.error().detail + result.error().arguments.join(u' ');
        EXPECT_FALSE(all.contains(QStringLiteral("hunter2"))) << json.toStdString();
    }
}

TEST(ExecAnswerTest, ExpiryIsRfc3339WithAnyOffset)
{
    const ExecCommand command{.command = QStringLiteral("p"),
                              .apiVersion = QStringLiteral("client.authentication.k8s.io/v1")};
    const auto expiry = [&command](const QByteArray &text) {
        return parseExecAnswer(
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"a","expirationTimestamp":")" +
                text + "\"}}",
            command);
    };
    for (const char *text :
         {"2026-03-02T09:30:00Z", "2026-03-02T17:30:00+08:00", "2026-03-02T09:30:00.000000Z"}) {
        const Result<Credential> credential = expiry(text);
        ASSERT_OK(credential) << text;
        EXPECT_EQ(credential->expires, Instant(std::chrono::milliseconds(1772443800000))) << text;
    }
    EXPECT_FALSE(expiry("")->expires);
}

TEST(ExecConsentTest, EveryPartOfTheCommandCounts)
{
    const ExecCommand base{
        .command = QStringLiteral("./p"), .args = {QStringLiteral("a b")}, .file = "/one/config"};
    QList<QByteArray> keys{execConsentKey(base)};
    const auto other = [&](auto change) {
        ExecCommand command = base;
        change(command);
        keys << execConsentKey(command);
    };
    other([](ExecCommand &command) { command.command = QStringLiteral("p"); });
    other([](ExecCommand &command) { command.args = QStringList{QStringLiteral("a"), QStringLiteral("b")}; });
    other([](ExecCommand &command) { command.env = {{QStringLiteral("A"), QStringLiteral("b")}}; });
    other([](ExecCommand &command) { command.env = {{QStringLiteral("A"), QStringLiteral("c")}}; });
    other([](ExecCommand &command) { command.file = "/two/config"; });
    for (qsizetype i = 0; i < keys.size(); ++i)
        EXPECT_EQ(keys.count(keys[i]), 1) << i;
    ExecCommand same = base;
    same.userName = QStringLiteral("renamed");
    EXPECT_EQ(execConsentKey(same), keys.first());
}

} // namespace
} // namespace tongchi
