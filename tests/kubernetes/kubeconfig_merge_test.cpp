// Finding, merging and surviving files.

#include "tests/kubernetes/kubeconfig_files.h"

#include <gmock/gmock.h>

namespace tongchi {
namespace {

using namespace test;
using ::testing::HasSubstr;

QByteArray file(const QByteArray &context, const QByteArray &server, const QByteArray &token,
                const QByteArray &current = {})
{
    return "clusters: [{name: k, cluster: {server: 'https://" + server +
           "'}}]\nusers: [{name: u, user: {token: " + token + "}}]\ncontexts: [{name: " + context +
           ", context: {cluster: k, user: u}}]\n" +
           (current.isEmpty() ? QByteArray() : "current-context: " + current + "\n");
}

TEST(KubeconfigMergeTest, FirstFileThatSetsSomethingWinsWhole)
{
    const Kubeconfig config = mergeTexts({file("a", "one.example", "t1"), file("b", "two.example", "t2", "b"),
                                          file("a", "three.example", "t3", "a")});
    ASSERT_EQ(config.contexts.size(), 2);
    EXPECT_EQ(config.currentContext, QStringLiteral("b"));
    EXPECT_EQ(config.find(QStringLiteral("b"))->parts->cluster.server.host(), QStringLiteral("one.example"));
    EXPECT_EQ(config.find(QStringLiteral("b"))->parts->user.token, "t1");
    EXPECT_EQ(config.find(QStringLiteral("b"))->file, "/one/2.yaml");
    EXPECT_EQ(config.find(QStringLiteral("b"))->clusterFile, "/one/1.yaml");
}

TEST(KubeconfigMergeTest, SaysWhenTwoFilesDisagreeAboutAName)
{
    EXPECT_EQ(mergeTexts({file("a", "one.example", "t"), file("a", "one.example", "t")}).notes.size(), 0);
    const Kubeconfig config = mergeTexts({file("a", "one.example", "t"), file("b", "two.example", "t")});
    ASSERT_EQ(config.notes.size(), 1);
    EXPECT_THAT(englishText(config.notes.first()).toStdString(),
                HasSubstr("The name k stands in /one/1.yaml and in /one/2.yaml"));
}

TEST(KubeconfigMergeTest, DoubledNamesAreNotPickedInSilence)
{
    const QByteArray rest =
        "contexts: [{name: c, context: {cluster: k, user: u}}, {name: d, context: {cluster: k2, user: u}}]\n";
    const QByteArray once = "clusters: [{name: k, cluster: {server: 'https://a.example'}}, {name: k2, "
                            "cluster: {server: 'https://b.example'}}]\n";
    const Kubeconfig users =
        mergeTexts({once + "users: [{name: u, user: {token: a}}, {name: u, user: {token: b}}]\n" + rest});
    EXPECT_FALSE(users.find(QStringLiteral("c"))->isUsable());
    const Kubeconfig clusters =
        mergeTexts({"clusters: [{name: k, cluster: {server: 'https://a.example'}}, {name: k, cluster: "
                    "{server: 'https://b.example'}}, "
                    "{name: k2, cluster: {server: 'https://b.example'}}]\nusers: [{name: u, user: {}}]\n" +
                    rest});
    EXPECT_THAT(problemOf(*clusters.find(QStringLiteral("c"))).toStdString(),
                HasSubstr("The cluster name k stands more than once"));
    EXPECT_TRUE(clusters.find(QStringLiteral("d"))->isUsable());
    const Kubeconfig contexts =
        mergeTexts({once + "users: [{name: u, user: {}}]\ncontexts: [{name: c, context: {cluster: k}}, "
                           "{name: c, context: {cluster: k2}}]\n"});
    ASSERT_EQ(contexts.contexts.size(), 1);
    EXPECT_THAT(problemOf(contexts.contexts.first()).toStdString(),
                HasSubstr("The context name c stands more than once"));
}

TEST(KubeconfigMergeTest, DanglingNamesAreErrorsOfTheirContext)
{
    const Kubeconfig config = mergeTexts({"contexts: [{name: a, context: {cluster: gone, user: u}}, {name: "
                                          "b, context: {}}, {name: c}, {name: d, context: 5}]\n"});
    ASSERT_EQ(config.contexts.size(), 4);
    EXPECT_THAT(problemOf(config.contexts[0]).toStdString(),
                HasSubstr("the cluster gone, which is not there"));
    EXPECT_THAT(problemOf(config.contexts[1]).toStdString(), HasSubstr("names no cluster"));
    EXPECT_THAT(problemOf(config.contexts[2]).toStdString(), HasSubstr("names no cluster"));
    EXPECT_THAT(problemOf(config.contexts[3]).toStdString(), HasSubstr("wrong kind"));
}

TEST(KubeconfigMergeTest, ListsOfTheWrongKindAndEntriesWithoutNameAreNotes)
{
    const Kubeconfig config =
        mergeTexts({"clusters: {k: {}}\nusers: 5\ncontexts: [{context: {}}, 7, null]\n"});
    EXPECT_EQ(config.contexts.size(), 0);
    EXPECT_EQ(config.notes.size(), 5);
}

TEST(KubeconfigFilesTest, ExplicitFilesStandAloneAndMustExist)
{
    TestFolder folder;
    folder.write(QStringLiteral("a"), file("a", "a.example", "t"));
    folder.write(QStringLiteral(".kube/config"), file("home", "h.example", "t"));
    KubeconfigSearch search{.explicitFiles = {folder.bytes(QStringLiteral("a"))},
                            .variable = folder.bytes(QStringLiteral("b")),
                            .home = folder.bytes()};
    EXPECT_EQ(loadKubeconfig(search).contexts.size(), 1);
    search.explicitFiles = {folder.bytes(QStringLiteral("gone"))};
    const Kubeconfig missing = loadKubeconfig(search);
    EXPECT_EQ(missing.contexts.size(), 0);
    ASSERT_EQ(missing.notes.size(), 1);
    EXPECT_EQ(missing.notes.first().code, ErrorCode::NotFound);
}

TEST(KubeconfigFilesTest, VariableListsFilesAndSkipsMissingOnes)
{
    TestFolder folder;
    folder.write(QStringLiteral("a"), file("a", "a.example", "t"));
    folder.write(QStringLiteral(".kube/config"), file("home", "h.example", "t"));
    const QByteArray a = folder.bytes(QStringLiteral("a"));
    KubeconfigSearch search{.variable = folder.bytes(QStringLiteral("gone")) + "::" + a + ":" + a,
                            .home = folder.bytes()};
    const Kubeconfig config = loadKubeconfig(search);
    EXPECT_EQ(config.contexts.size(), 1);
    EXPECT_EQ(config.files.size(), 2);
    EXPECT_EQ(config.notes.size(), 0);
    search.variable = folder.bytes(QStringLiteral("gone"));
    EXPECT_EQ(loadKubeconfig(search).notes.size(), 1); // all missing: said once
    search.variable.clear();
    EXPECT_TRUE(loadKubeconfig(search).find(QStringLiteral("home")));
}

TEST(KubeconfigFilesTest, NothingAnywhereIsEmptyAndNoError)
{
    TestFolder folder;
    const Kubeconfig config =
        loadKubeconfig({.home = folder.bytes(), .serviceAccountFolder = folder.bytes()});
    EXPECT_EQ(config.contexts.size(), 0);
    EXPECT_EQ(config.notes.size(), 0);
    EXPECT_EQ(config.files, QList<FilePath>{resolvePath("/", folder.bytes() + "/.kube/config")});
}

TEST(KubeconfigFilesTest, PodsFindTheirOwnCluster)
{
    TestFolder folder;
    folder.write(QStringLiteral("token"), "t\n");
    folder.write(QStringLiteral("ca.crt"), "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");
    folder.write(QStringLiteral("namespace"), "pool");
    for (const auto &[host, url] :
         {std::pair<QByteArray, QString>{"10.0.0.1", QStringLiteral("https://10.0.0.1:443")},
          {"fd00::1", QStringLiteral("https://[fd00::1]:443")}}) {
        const Kubeconfig config = loadKubeconfig({.home = "/nonexistent",
                                                  .inClusterHost = host,
                                                  .inClusterPort = "443",
                                                  .serviceAccountFolder = folder.bytes()});
        ASSERT_EQ(config.contexts.size(), 1);
        EXPECT_TRUE(config.contexts.first().isUsable()) << problemOf(config.contexts.first()).toStdString();
        EXPECT_EQ(config.contexts.first().parts->cluster.server, QUrl(url));
        EXPECT_EQ(config.contexts.first().nameSpace, QStringLiteral("pool"));
        EXPECT_EQ(config.currentContext, config.contexts.first().name);
    }
}

TEST(KubeconfigFilesTest, FoldersPipesAndLargeFilesAreRefused)
{
    TestFolder folder;
    EXPECT_EQ(loadKubeconfig({.explicitFiles = {folder.bytes()}}).notes.value(0).code, ErrorCode::Storage);
    EXPECT_EQ(loadKubeconfig({.explicitFiles = {"/dev/zero"}}).notes.value(0).code, ErrorCode::Storage);
    folder.write(QStringLiteral("large"), QByteArray(kubeconfigSizeLimit + 1, '#'));
    EXPECT_THAT(
        englishText(loadKubeconfig({.explicitFiles = {folder.bytes(QStringLiteral("large"))}}).notes.value(0))
            .toStdString(),
        HasSubstr("larger than"));
}

struct HostileText
{
    const char *name;
    QByteArray text;
    const char *says;
};

QByteArray aliasTower(int levels)
{
    QByteArray text = "l0: &l0 {a: b}\n";
    for (int i = 1; i < levels; ++i) {
        const QByteArray below = "*l" + QByteArray::number(i - 1);
        text += "l" + QByteArray::number(i) + ": &l" + QByteArray::number(i) + " [" + below + ", " + below +
                ", " + below + "]\n";
    }
    return text;
}

class KubeconfigHostileTextTest : public ::testing::TestWithParam<HostileText>
{
};

TEST_P(KubeconfigHostileTextTest, IsRefusedInWords)
{
    const Result<KubeconfigFile> result = parseKubeconfigFile(GetParam().text, "/one/1.yaml");
    ASSERT_FALSE(result);
    EXPECT_THAT(englishText(result.error()).toStdString(), HasSubstr(GetParam().says));
    EXPECT_TRUE(result.error().remedy);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, KubeconfigHostileTextTest,
    ::testing::Values(HostileText{"Nonsense", "{{{{ : ]", "not valid YAML: line 1"},
                      HostileText{"Tab", "clusters:\n\t- name: a\n", "not valid YAML: line 2, column 2"},
                      HostileText{"TabSaysSo", "clusters:\n\t- name: a\n", "a tab stands in the indentation"},
                      HostileText{"CutInQuotes", "a: 1\nb: \"x",
                                  "it ends at line 2, column 6 inside a quoted"},
                      HostileText{"CutInBraces", "a: 1\nb: {c: d", "it ends at line 2 before a bracket"},
                      HostileText{"CutInBrackets", "a:\n- [x", "it ends at line 2 before a bracket"},
                      HostileText{"Misfit", "a: b: c\n", "line 1, column 5, which does not fit"},
                      HostileText{"Binary",
                                  QByteArray("\x7f"
                                             "ELF\x02\x01\x01\0\0\0",
                                             10),
                                  "not"},
                      HostileText{"List", "[1, 2]", "not a kubeconfig"},
                      HostileText{"Text", "hello", "not a kubeconfig"},
                      HostileText{"OtherKind", "kind: Pod\napiVersion: v1\n", "not a kubeconfig"},
                      HostileText{"DeepFlow", QByteArray(100000, '['), "more than 100 levels deep"},
                      HostileText{"DeepBlock", QByteArray("- ").repeated(5000), "more than 100 levels deep"},
                      HostileText{"DeepByAliases", aliasTower(200), "more than 100 levels deep"},
                      HostileText{"Ring", "a: &a [*a]\n", "contains itself"},
                      HostileText{"UnknownAlias", "a: *nobody\n", "not valid YAML"},
                      HostileText{"ManyValues", "[" + QByteArray("1,").repeated(600'000) + "1]",
                                  "more than 500000 values"}),
    [](const auto &parameter) { return std::string(parameter.param.name); });

TEST(KubeconfigMergeTest, FileThatEndsBeforeItsContextsSaysWhere)
{
    const QByteArray whole = oneContext("{server: 'https://a.example'}");
    const Kubeconfig cut = mergeTexts({whole.left(whole.indexOf("contexts:"))});
    ASSERT_EQ(cut.notes.size(), 1);
    EXPECT_EQ(englishText(cut.notes.first()),
              QStringLiteral("/one/1.yaml: The current context c is not there, and neither is any other "
                             "context up to the end at line 9."));
    EXPECT_EQ(englishText(*cut.currentProblem), englishText(cut.notes.first()));
    TestFolder folder;
    folder.write(QStringLiteral("empty"), "apiVersion: v1\n");
    const Kubeconfig empty = loadKubeconfig({.explicitFiles = {folder.bytes(QStringLiteral("empty"))}});
    ASSERT_EQ(empty.notes.size(), 1);
    EXPECT_THAT(englishText(empty.notes.first()).toStdString(), HasSubstr("There is no context in"));
}

TEST(KubeconfigHostileTest, AliasBombsCostNothing)
{
    // 3^90 values if anyone walked it.
    const QByteArray text = aliasTower(90) +
                            "clusters: [{name: k, cluster: {server: 'https://a.example', extensions: [{name: "
                            "client.authentication.k8s.io/exec, extension: *l89}]}}]\n" +
                            "contexts: [{name: c, context: {cluster: k}}]\n";
    const Kubeconfig config = mergeTexts({text, text});
    ASSERT_EQ(config.contexts.size(), 1);
    EXPECT_TRUE(config.contexts.first().isUsable());
    EXPECT_TRUE(config.contexts.first().parts->cluster.execConfig.isEmpty());
}

TEST(KubeconfigHostileTest, MergeKeysThatFanOutEnd)
{
    QByteArray text = "l0: &l0 {a: b}\n";
    for (int i = 1; i < 40; ++i) {
        const QByteArray below = "*l" + QByteArray::number(i - 1);
        text += "l" + QByteArray::number(i) + ": &l" + QByteArray::number(i) + " {<<: [" + below + ", " +
                below + "]}\n";
    }
    text += "clusters: [{name: k, cluster: *l39}]\ncontexts: [{name: c, context: {cluster: k}}]\n";
    EXPECT_THAT(problemOf(contextOf(text)).toStdString(), HasSubstr("no server address"));
}

TEST(KubeconfigHostileTest, AnchorsAndMergeKeysOfHonestFilesWork)
{
    const KubeContext context = contextOf("base: &base {server: 'https://a.example'}\nclusters: [{name: k, "
                                          "cluster: {<<: *base, tls-server-name: n}}]\n"
                                          "contexts: [{name: c, context: {cluster: k}}]\n");
    ASSERT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    EXPECT_EQ(context.parts->cluster.server.host(), QStringLiteral("a.example"));
    EXPECT_EQ(context.parts->cluster.tlsServerName, QStringLiteral("n"));
}

TEST(KubeconfigHostileTest, JsonIsYaml)
{
    const KubeContext context =
        contextOf("{\n\t\"kind\": \"Config\",\n\t\"clusters\": [{\"name\": \"k\", \"cluster\": {\"server\": "
                  "\"https:\\/\\/a.example\"}}],\n"
                  "\t\"contexts\": [{\"name\": \"\\u4e0a\\u6d77\", \"context\": {\"cluster\": \"k\"}}]\n}\n");
    EXPECT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    EXPECT_EQ(context.name, QStringLiteral("上海"));
}

TEST(KubeconfigHostileTest, EmptyFilesAreEmpty)
{
    for (const char *text : {"", "\n\n", "# nothing\n", "---\n", "null\n", "{}"})
        EXPECT_EQ(mergeTexts({text}).contexts.size(), 0) << text;
}

TEST(KubeconfigHostileTest, FurtherDocumentsAreToldOf)
{
    const Kubeconfig config =
        mergeTexts({file("a", "a.example", "t") + "---\n" + file("b", "b.example", "t")});
    EXPECT_EQ(config.contexts.size(), 1);
    ASSERT_EQ(config.notes.size(), 1);
    EXPECT_THAT(englishText(config.notes.first()).toStdString(), HasSubstr("several documents"));
}

TEST(KubeconfigHostileTest, NullEverywhereIsAbsent)
{
    const KubeContext context =
        contextOf("kind: ~\nclusters: [{name: k, cluster: {server: 'https://a.example', "
                  "certificate-authority-data: ~, extensions: ~, proxy-url: null}}]\n"
                  "users: [{name: u, user: {token: ~, exec: null, as-groups: ~, client-key: }}]\ncontexts: "
                  "[{name: c, context: {cluster: k, user: u, namespace: ~}}]\ncurrent-context: ~\n");
    EXPECT_TRUE(context.isUsable()) << problemOf(context).toStdString();
}

} // namespace
} // namespace tongchi
