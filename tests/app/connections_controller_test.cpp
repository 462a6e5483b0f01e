// The connections dialog's other side over real files, threads and servers.

#include "app/connections_controller.h"
#include "tests/app/running_pool.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QSignalSpy>

namespace tongchi {
namespace {

class MemoryInMemory final : public ConnectionMemory
{
public:
    QList<SavedProfile> profiles() const override { return saved; }
    void setProfiles(const QList<SavedProfile> &profiles) override { saved = profiles; }
    bool isPluginAllowed(const QByteArray &) const override { return allows; }
    void allowPlugin(const QByteArray &) override {}
    QList<SavedProfile> saved;
    bool allows = false;
};

class Connections : public test::RunningPool
{
protected:
    void SetUp() override
    {
        RunningPool::SetUp();
        inventory = std::make_unique<InventoryController>( // over what the controller's sessions write to
            services.strings, services.clock,
            InventoryController::Options{.applyInterval = std::chrono::milliseconds(10)});
        controller = std::make_unique<ConnectionsController>(services, *inventory, memory, PoolOptions{});
        QObject::connect(controller.get(), &ConnectionsController::failed, controller.get(),
                         [this](const Error &error) { failures << error; });
    }
    void TearDown() override
    {
        controller.reset();
        RunningPool::TearDown();
    }

    QString file(const QString &name = QStringLiteral("config")) const { return folder.filePath(name); }
    /// As most tools do: a new file put in the place of the old one.
    void replace(const QByteArray &text)
    {
        QSaveFile out(file());
        ASSERT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(text);
        ASSERT_TRUE(out.commit());
    }
    static QByteArray kubeconfig(const QList<QByteArray> &contexts)
    {
        QByteArray text = "apiVersion: v1\nkind: Config\ncurrent-context: " + contexts.first() +
                          "\nclusters: [{name: c, cluster: {server: \"https://127.0.0.1:1\"}}]\n"
                          "users: [{name: u, user: {token: t}}]\ncontexts:\n";
        for (const QByteArray &name : contexts)
            text += "- {name: " + name + ", context: {cluster: c, user: u}}\n";
        return text;
    }
    QByteArray userKubeconfig(const QByteArray &user, int cluster = 0)
    {
        QFile authority(file(QStringLiteral("ca.crt")));
        EXPECT_TRUE(authority.open(QIODevice::WriteOnly));
        authority.write(pool->info().authorityPem);
        return "apiVersion: v1\nkind: Config\ncurrent-context: prod\n"
               "clusters: [{name: c, cluster: {certificate-authority: ca.crt, server: \"" +
               pool->info().clusters.at(cluster).server.toUtf8() + "\"}}]\nusers: [{name: u, user: {" + user +
               "}}]\ncontexts: [{name: prod, context: {cluster: c, user: u}}]\n";
    }
    QStringList contextNames() const
    {
        QStringList names;
        for (const ConnectionContext &context : controller->contexts())
            names << context.name;
        return names;
    }
    CommandLine commandFor(const QStringList &contexts = {}) const
    {
        CommandLine command;
        command.kubeconfigs = {file()};
        command.contexts = contexts;
        return command;
    }
    void edit(const QString &path)
    {
        controller->addProfile();
        ConnectionForm form = controller->form();
        form.kubeconfig = path;
        controller->setForm(form);
    }
    /// The names are those; the file, once it was read, has been looked at for long enough to be watched.
    bool waitForContexts(const QStringList &names)
    {
        return test::waitUntil([&] { return contextNames() == names; });
    }
    /// The one cluster that is connected is live and has rows.
    bool isLive() const
    {
        const auto statuses = inventory->statuses();
        return statuses.size() == 1 && statuses[0].complete &&
               statuses[0].kubernetes.state == SourceState::Live && inventory->store().cardCount() > 0;
    }

    QTemporaryDir folder;
    Services services;
    MemoryInMemory memory;
    std::unique_ptr<ConnectionsController> controller;
    QList<Error> failures;
};

TEST_F(Connections, ReadsTheFilesOfTheCommandLineAfterTheCall)
{
    ASSERT_TRUE(pool->writeKubeconfig(file()));
    const QString second = pool->info().clusters.at(1).name;
    controller->connectContexts(commandFor({second}));
    EXPECT_TRUE(inventory->sources().isEmpty()) << "read by the thread that paints";
    ASSERT_TRUE(test::waitUntil([this] { return isLive(); }));
    EXPECT_EQ(inventory->statuses().first().name, second);
    EXPECT_TRUE(failures.isEmpty());
}

TEST_F(Connections, ConnectsAllContextsWhenAskedTo)
{
    ASSERT_TRUE(pool->writeKubeconfig(file()));
    CommandLine command = commandFor();
    command.allContexts = true;
    command.prometheus = {QStringLiteral("elsewhere=http://127.0.0.1:1")};
    controller->connectContexts(command);
    const int all = int(pool->info().clusters.size());
    ASSERT_GT(all, 1);
    ASSERT_TRUE(test::waitUntil([&] {
        const auto statuses = inventory->statuses();
        return statuses.size() == all &&
               std::all_of(statuses.begin(), statuses.end(), [](const ClusterStatus &status) {
                   return status.kubernetes.state == SourceState::Live;
               });
    }));
}

TEST_F(Connections, SaysThatTheCommandLineNamesNoContext)
{
    replace(kubeconfig({"a"}));
    controller->connectContexts(commandFor({QStringLiteral("b")}));
    ASSERT_TRUE(test::waitUntil([this] { return !failures.isEmpty(); }));
    EXPECT_EQ(failures.first().code, ErrorCode::NotFound);
    EXPECT_TRUE(inventory->sources().isEmpty());
}

TEST_F(Connections, SaysAtTheStartThatAProgramWaitsForConsent)
{
    replace(userKubeconfig("exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/login-tool, "
                           "interactiveMode: Never}"));
    controller->connectContexts(commandFor());
    ASSERT_TRUE(test::waitUntil([this] { return !failures.isEmpty(); }));
    EXPECT_EQ(failures.first().code, ErrorCode::NeedsConsent);
    ASSERT_EQ(controller->questions().size(), 1);
    EXPECT_EQ(controller->questions().first().command, QStringLiteral("/bin/login-tool"));
    EXPECT_EQ(controller->questions().first().context, QStringLiteral("prod"));
}

TEST_F(Connections, OpensOnTheClusterInTroubleAndTestsIt)
{
    replace(kubeconfig({"a"})); // nobody listens there
    controller->connectContexts(commandFor());
    ASSERT_TRUE(test::waitUntil([this] {
        const auto statuses = inventory->statuses();
        return statuses.size() == 1 && statuses[0].kubernetes.state == SourceState::Failed;
    }));
    controller->selectProfile(controller->profiles().first().id); // the demo pool's
    controller->attend();
    EXPECT_EQ(controller->currentProfile(), controller->profiles().last().id);
    EXPECT_TRUE(controller->profiles().last().isTroubled);
    ASSERT_TRUE(test::waitUntil([this] {
        const auto tests = controller->tests();
        return !controller->isTesting() && tests.size() == 1 &&
               tests[0].state == ConnectionTest::State::Failed;
    }));
    EXPECT_FALSE(controller->testedAt().isEmpty());
}

TEST_F(Connections, ShowsTheContextsOfAFileThatIsWrittenMeanwhile)
{
    replace(kubeconfig({"a"}));
    edit(file());
    ASSERT_TRUE(waitForContexts({QStringLiteral("a")}));
    ConnectionForm typed = controller->form();
    EXPECT_EQ(typed.context, QStringLiteral("a"));
    typed.title = QStringLiteral("Half a na");
    typed.prometheus = QStringLiteral("https://prom");
    controller->setForm(typed);
    replace(kubeconfig({"b", "a", "c"}));
    ASSERT_TRUE(waitForContexts({QStringLiteral("b"), QStringLiteral("a"), QStringLiteral("c")}));
    EXPECT_EQ(controller->form(), typed) << "what was typed and chosen stays";
    QFile::remove(file());
    ASSERT_TRUE(test::waitUntil([this] { return !controller->fileProblem().isEmpty(); }));
    EXPECT_EQ(controller->form(), typed);
    replace(kubeconfig({"a"}));
    ASSERT_TRUE(waitForContexts({QStringLiteral("a")}));
    EXPECT_TRUE(controller->fileProblem().isEmpty());
    EXPECT_EQ(controller->form(), typed);
}

TEST_F(Connections, ChoosesTheCurrentContextOfAnotherFile)
{
    replace(kubeconfig({"a"}));
    edit(file());
    ASSERT_TRUE(waitForContexts({QStringLiteral("a")}));
    QFile other(file(QStringLiteral("other")));
    ASSERT_TRUE(other.open(QIODevice::WriteOnly));
    other.write(kubeconfig({"x", "y"}));
    other.close();
    ConnectionForm form = controller->form();
    form.kubeconfig = file(QStringLiteral("othe")); // on the way there
    controller->setForm(form);
    ASSERT_TRUE(test::waitUntil([this] { return !controller->fileProblem().isEmpty(); }));
    EXPECT_EQ(controller->form().context, QStringLiteral("a"));
    form.kubeconfig = file(QStringLiteral("other"));
    controller->setForm(form);
    ASSERT_TRUE(waitForContexts({QStringLiteral("x"), QStringLiteral("y")}));
    EXPECT_EQ(controller->form().context, QStringLiteral("x"));
}

TEST_F(Connections, AConnectedClusterTakesATokenThatIsWrittenIntoItsFile)
{
    replace(userKubeconfig("token: " + pool->info().clusters.first().administratorToken));
    controller->connectContexts(commandFor());
    ASSERT_TRUE(test::waitUntil([this] { return isLive(); }));
    const auto cards = inventory->store().cardCount();
    const QByteArray old = pool->info().clusters.first().administratorToken;
    pool->injectFault(PoolFault::ExpiredToken);
    pool->injectFault(PoolFault::Restart);
    ASSERT_TRUE(test::waitUntil([this] {
        const auto error = inventory->statuses().first().kubernetes.error;
        return error && error->code == ErrorCode::Unauthorized;
    }));
    EXPECT_EQ(inventory->store().cardCount(), cards);
    ASSERT_NE(pool->info().clusters.first().administratorToken, old);
    replace(userKubeconfig("token: " + pool->info().clusters.first().administratorToken));
    ASSERT_TRUE(
        test::waitUntil([this] { return isLive() && !inventory->statuses().first().kubernetes.error; }));
    EXPECT_EQ(inventory->store().cardCount(), cards);
}

TEST_F(Connections, AConnectedClusterFollowsItsFileToAnotherServer)
{
    replace(userKubeconfig("token: " + pool->info().clusters.first().administratorToken));
    controller->connectContexts(commandFor());
    ASSERT_TRUE(test::waitUntil([this] { return isLive(); }));
    const QString before = inventory->statuses().first().server;
    replace(userKubeconfig("token: " + pool->info().clusters.at(1).administratorToken, 1));
    ASSERT_TRUE(test::waitUntil([&] { return isLive() && inventory->statuses().first().server != before; }));
    EXPECT_EQ(inventory->statuses().first().server, pool->info().clusters.at(1).server);
    (void)rows(); // none of the first server's, none twice
    for (const CardIndex card : inventory->table().rows()) {
        const auto node =
            strings.utf8(inventory->store().node(inventory->store().nodeIndexOf(card)).facts.name);
        EXPECT_EQ(ask("GET", "/api/v1/nodes/" + QByteArray(node.data(), qsizetype(node.size())), 1).status,
                  200);
        if (::testing::Test::HasFailure())
            break;
    }
}

/// A plug-in that shows a code and waits until the operator has entered it: until a file is there.
class ConnectionsPlugin : public Connections
{
protected:
    void SetUp() override
    {
        Connections::SetUp();
        memory.allows = true;
        QFile program(file(QStringLiteral("login-tool")));
        ASSERT_TRUE(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho 'Open https://login.example and enter WDJB-MJHT' >&2\n"
                      "while [ ! -e '" +
                      file(QStringLiteral("entered")).toUtf8() +
                      "' ]; do sleep 0.02; done\n"
                      "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
                      "\"status\":{\"token\":\"" +
                      pool->info().clusters.first().administratorToken + "\"}}'\n");
        program.close();
        ASSERT_TRUE(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        replace(userKubeconfig("exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login-tool, "
                               "interactiveMode: Never}"));
    }
    void enterCode()
    {
        QFile entered(file(QStringLiteral("entered")));
        ASSERT_TRUE(entered.open(QIODevice::WriteOnly));
    }
};

TEST_F(ConnectionsPlugin, ItsCodeIsShownWhileATestWaits)
{
    edit(file());
    ASSERT_TRUE(waitForContexts({QStringLiteral("prod")}));
    controller->test();
    ASSERT_TRUE(test::waitUntil([this] {
        const auto tests = controller->tests();
        return !tests.isEmpty() && tests.first().fact.contains(QLatin1String("WDJB-MJHT"));
    }));
    EXPECT_EQ(controller->tests().first().state, ConnectionTest::State::Running);
    EXPECT_TRUE(controller->tests().first().fact.startsWith(QLatin1String("login-tool says: Open https:")));
    enterCode();
    ASSERT_TRUE(test::waitUntil([this] { return !controller->isTesting(); }));
    ASSERT_FALSE(controller->tests().isEmpty());
    EXPECT_EQ(controller->tests().first().state, ConnectionTest::State::Passed);
    EXPECT_FALSE(controller->tests().first().fact.contains(QLatin1String("WDJB")));
    controller->test();
    ASSERT_FALSE(controller->tests().isEmpty());
    EXPECT_FALSE(controller->tests().first().fact.contains(QLatin1String("WDJB"))) << "an old code";
}

TEST_F(ConnectionsPlugin, ItsCodeIsToldWhileAClusterConnects)
{
    QSignalSpy said(controller.get(), &ConnectionsController::pluginSaid);
    controller->connectContexts(commandFor());
    ASSERT_TRUE(test::waitUntil([&said] { return said.count() == 1; }));
    EXPECT_EQ(said.first().first().toString(),
              QStringLiteral("prod: login-tool says: Open https://login.example and enter WDJB-MJHT"));
    // And it can be read again in the dialog.
    controller->selectProfile(controller->profiles().last().id);
    ASSERT_TRUE(test::waitUntil([this] { return !controller->tests().isEmpty(); }));
    EXPECT_TRUE(controller->tests().first().fact.contains(QLatin1String("WDJB-MJHT")));
    enterCode();
    ASSERT_TRUE(test::waitUntil([this] { return isLive(); }));
    EXPECT_TRUE(controller->tests().isEmpty()) << "said and done";
    EXPECT_EQ(said.count(), 1);
}

} // namespace
} // namespace tongchi
