#include "platform/kubernetes/login_path.h"
#include "platform/kubernetes/token_file.h"
#include "tests/kubernetes/kubeconfig_files.h"
#include "tests/support/wait.h"

namespace tongchi {
namespace {

using namespace test;

/// A login shell reads whatever this machine's users have in their files, and the machine may be busy.
constexpr std::chrono::seconds patience{20};

QList<FilePath> foldersFrom(LoginPath &path)
{
    const QFuture<QList<FilePath>> future = path.folders();
    const bool answered = waitFor(future, patience);
    EXPECT_TRUE(answered);
    return answered ? future.result() : QList<FilePath>(); // result() would wait for ever
}

TEST(LoginPathTest, AsksTheLoginShellOnceWhateverItsFilesPrint)
{
    TestFolder folder;
    folder.program(
        QStringLiteral("shell"),
        "#!/bin/sh\necho run >> '" + folder.bytes(QStringLiteral("calls")) +
            "'\necho 'Welcome!'\necho 'news: $PATH tongchi-' >&2\n"
            "PATH=/opt/tools:relative::/usr/bin\n[ \"$1\" = -lic ] || exit 1\neval \"$2\"\necho bye\n");
    LoginPath path({.shell = folder.bytes(QStringLiteral("shell")),
                    .home = "/home/x",
                    .ownPath = "/usr/bin:/bin",
                    .usualFolders = false});
    const QList<FilePath> expected{"/usr/bin", "/bin", "/opt/tools"};
    EXPECT_EQ(foldersFrom(path), expected);
    EXPECT_EQ(foldersFrom(path), expected);
    QFile calls(folder.path(QStringLiteral("calls")));
    ASSERT_TRUE(calls.open(QIODevice::ReadOnly));
    EXPECT_EQ(calls.readAll(), "run\n");
}

TEST(LoginPathTest, WorksWithTheShellsOfThisMachine)
{
    for (const char *shell : {"/bin/sh", "/bin/bash"}) {
        if (!isProgram(shell))
            continue;
        LoginPath path({.shell = shell, .ownPath = "/own", .timeout = patience, .usualFolders = false});
        const QList<FilePath> folders = foldersFrom(path);
        EXPECT_EQ(folders.value(0), "/own");
        EXPECT_TRUE(folders.contains("/usr/bin")) << shell;
    }
}

TEST(LoginPathTest, SlowMissingAndBrokenShellsOnlyCostTheirEntries)
{
    TestFolder folder;
    folder.program(QStringLiteral("slow"), "#!/bin/sh\nexec sleep 600\n");
    folder.program(QStringLiteral("broken"), "#!/bin/sh\necho no markers\nexit 2\n");
    folder.program(QStringLiteral("noscript"), "#!/no/such/interpreter\n");
    for (const QByteArray &shell :
         {folder.bytes(QStringLiteral("slow")), folder.bytes(QStringLiteral("broken")),
          folder.bytes(QStringLiteral("noscript")), folder.bytes(QStringLiteral("gone")),
          QByteArray("/bin/false"), QByteArray("bash"), QByteArray()}) {
        LoginPath path({.shell = shell,
                        .ownPath = "/own",
                        .timeout = std::chrono::milliseconds(200),
                        .usualFolders = false});
        EXPECT_EQ(foldersFrom(path), QList<FilePath>{"/own"}) << shell.toStdString();
    }
}

TEST(LoginPathTest, EndsCancelledWhenItsOwnerDies)
{
    TestFolder folder;
    folder.program(QStringLiteral("slow"), "#!/bin/sh\nexec sleep 600\n");
    auto path = std::make_unique<LoginPath>(LoginPathOptions{.shell = folder.bytes(QStringLiteral("slow"))});
    const QFuture<QList<FilePath>> future = path->folders();
    QCoreApplication::processEvents();
    path.reset();
    EXPECT_TRUE(waitFor(future));
    EXPECT_EQ(future.resultCount(), 0);
}

TEST(LoginPathTest, TheUsualFoldersComeLast)
{
    LoginPath path({.home = "/home/x", .ownPath = "/own:/usr/bin"});
    const QList<FilePath> folders = foldersFrom(path);
    EXPECT_EQ(folders.value(0), "/own");
    EXPECT_TRUE(folders.contains("/home/x/.local/bin"));
    EXPECT_EQ(folders.count("/usr/bin"), 1);
}

TEST(TokenFileTest, IsReadAgainAfterAMinuteAndAfterARefusal)
{
    TestFolder folder;
    ManualClock clock;
    folder.write(QStringLiteral("token"), " one \n");
    TokenFileCredential credentials(folder.bytes(QStringLiteral("token")), clock);
    const auto ask = [&credentials](bool rejected = false) -> Result<Credential> {
        const QFuture<Result<Credential>> future = credentials.credential(rejected);
        EXPECT_FALSE(future.isFinished());
        EXPECT_TRUE(waitFor(future));
        return future.result();
    };
    EXPECT_EQ(ask()->authorization, "Bearer one");
    folder.write(QStringLiteral("token"), "two");
    clock.advance(std::chrono::seconds(59));
    EXPECT_EQ(ask()->authorization, "Bearer one");
    clock.advance(std::chrono::seconds(2));
    EXPECT_EQ(ask()->authorization, "Bearer two");
    folder.write(QStringLiteral("token"), "three");
    EXPECT_EQ(ask(true)->authorization, "Bearer three");
    EXPECT_EQ(ask(true)->authorization, "Bearer three"); // refused with "two", says so a little later
    clock.advance(std::chrono::seconds(10));
    EXPECT_EQ(ask(true).error().code, ErrorCode::Unauthorized);
    QFile::remove(folder.path(QStringLiteral("token")));
    clock.advance(std::chrono::minutes(5));
    EXPECT_EQ(ask()->authorization, "Bearer three"); // the last one goes on
}

TEST(TokenFileTest, EmptyAndOddFilesAreErrors)
{
    TestFolder folder;
    folder.write(QStringLiteral("empty"), " \n");
    folder.write(QStringLiteral("lines"), "a\nb\n");
    EXPECT_EQ(readTokenFile(folder.bytes(QStringLiteral("empty"))).error().code, ErrorCode::Unauthorized);
    EXPECT_EQ(readTokenFile(folder.bytes(QStringLiteral("lines"))).error().code, ErrorCode::Unauthorized);
    EXPECT_EQ(readTokenFile(folder.bytes(QStringLiteral("gone"))).error().code, ErrorCode::NotFound);
}

TEST(StaticCredentialTest, SaysThatItWasRefused)
{
    StaticCredential credentials("Bearer secret", QStringLiteral("ops"));
    const QFuture<Result<Credential>> first = credentials.credential(false);
    ASSERT_TRUE(waitFor(first));
    EXPECT_EQ(first.result()->authorization, "Bearer secret");
    const QFuture<Result<Credential>> second = credentials.credential(true);
    ASSERT_TRUE(waitFor(second));
    EXPECT_EQ(second.result().error().code, ErrorCode::Unauthorized);
    EXPECT_FALSE(englishText(second.result().error()).contains(QStringLiteral("secret")));
}

} // namespace
} // namespace tongchi
