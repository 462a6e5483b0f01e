// The shared files of trouble seen elsewhere: relative paths, encodings, spoiled entries, IPv6.

#include "platform/kubernetes/kubeconfig_connection.h"
#include "platform/kubernetes/server_address.h"
#include "tests/kubernetes/kubeconfig_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tongchi {
namespace {

using namespace test;
using ::testing::HasSubstr;

QJsonObject expectationOf(const QString &folder)
{
    return QJsonDocument::fromJson(
               readData(QStringLiteral("kubernetes/kubeconfig/") + folder + QStringLiteral("/expect.json")))
        .object();
}

void copyTree(const QString &from, const QString &to)
{
    QDir().mkpath(to);
    const QFileInfoList entries =
        QDir(from).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    for (const QFileInfo &entry : entries) {
        if (entry.isDir())
            copyTree(entry.filePath(), to + u'/' + entry.fileName());
        else
            QFile::copy(entry.filePath(), to + u'/' + entry.fileName());
    }
}

class KubeconfigRelativePathsTest : public ::testing::TestWithParam<const char *>
{
};

TEST_P(KubeconfigRelativePathsTest, CountFromTheFolderOfTheirOwnFile)
{
    TestFolder folder;
    const QString root = folder.path(QString::fromUtf8(GetParam()));
    copyTree(kubeconfigData(QStringLiteral("relative-paths")), root);
    const QString workingFolder = QDir::currentPath();
    QDir::setCurrent(QStringLiteral("/"));
    KubeconfigSearch search;
    search.variable = root.toUtf8() + "/home/.kube/config:" + root.toUtf8() + "/extra/conf/second.yaml";
    const Kubeconfig config = loadKubeconfig(search);
    QDir::setCurrent(workingFolder);

    const QJsonObject expected = expectationOf(QStringLiteral("relative-paths"));
    ASSERT_EQ(config.contexts.size(), 3);
    EXPECT_EQ(config.currentContext, expected.value(QStringLiteral("current_context")).toString());
    EXPECT_TRUE(config.notes.isEmpty());
    for (const QString &name : {QStringLiteral("pool-a"), QStringLiteral("pool-b")}) {
        const KubeContext *context = config.find(name);
        ASSERT_TRUE(context && context->isUsable()) << problemOf(*context).toStdString();
        const QString path = root + u'/' + expected.value(name).toString();
        EXPECT_EQ(context->parts->cluster.authorityFile, path.toUtf8());
        const SystemClock clock;
        const Result<ConnectionSettings> connection = makeConnection(*context, {.clock = &clock}, nullptr);
        ASSERT_OK(connection);
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_EQ(connection->tls.authorityPem, file.readAll());
        EXPECT_TRUE(connection->credentials);
    }
    const KubeContext *gone = config.find(QStringLiteral("pool-gone"));
    ASSERT_TRUE(gone && gone->problem);
    EXPECT_EQ(gone->problem->code, ErrorCode::NotFound);
    EXPECT_THAT(problemOf(*gone).toStdString(),
                HasSubstr(root.toStdString() + "/home/.kube/certs/gone/ca.crt"));
}

INSTANTIATE_TEST_SUITE_P(Folders, KubeconfigRelativePathsTest,
                         ::testing::Values("plain", "with blank", "张伟 测试"));

TEST(KubeconfigEncodingTest, SameModelFromEveryEncodingOfTheText)
{
    const QJsonObject expected = expectationOf(QStringLiteral("encodings"));
    QStringList files{QStringLiteral("plain.yaml")};
    const QJsonArray same = expected.value(QStringLiteral("same_as_plain")).toArray();
    for (const QJsonValue &name : same)
        files << name.toString();
    for (const QString &name : std::as_const(files)) {
        const Kubeconfig config =
            loadKubeconfig({.explicitFiles = {kubeconfigData(QStringLiteral("encodings/") + name).toUtf8()}});
        ASSERT_EQ(config.contexts.size(), 1) << name.toStdString();
        EXPECT_EQ(config.contexts.first().name,
                  expected.value(QStringLiteral("contexts")).toArray().first().toString());
        EXPECT_EQ(config.contexts.first().parts->user.token, "not-a-real-token");
        EXPECT_TRUE(config.contexts.first().isUsable());
        EXPECT_TRUE(config.notes.isEmpty());
    }
}

TEST(KubeconfigEncodingTest, RefusesOtherEncodingsWithTheByteAndLoadsTheOthers)
{
    const QByteArray gbk = kubeconfigData(QStringLiteral("encodings/gbk.yaml")).toUtf8();
    const QByteArray plain = kubeconfigData(QStringLiteral("encodings/plain.yaml")).toUtf8();
    const Kubeconfig config = loadKubeconfig({.variable = gbk + ':' + plain});
    EXPECT_EQ(config.contexts.size(), 1);
    ASSERT_EQ(config.notes.size(), 1);
    EXPECT_EQ(config.notes.first().arguments, QStringList{QStringLiteral("46")});
    EXPECT_THAT(englishText(config.notes.first()).toStdString(), HasSubstr("neither UTF-8 nor UTF-16"));
}

TEST(KubeconfigSpoiledTest, OneBrokenEntryLeavesTheOthersAlone)
{
    const Kubeconfig config =
        loadKubeconfig({.explicitFiles = {kubeconfigData(QStringLiteral("spoiled/spoiled.yaml")).toUtf8()}});
    ASSERT_EQ(config.contexts.size(), 5);
    for (const KubeContext &context : config.contexts)
        EXPECT_EQ(context.isUsable(), context.name == QLatin1String("ok")) << context.name.toStdString();

    const KubeContext *badAuthority = config.find(QStringLiteral("bad-ca"));
    EXPECT_EQ(badAuthority->problem->arguments.value(0), QStringLiteral("certificate-authority-data"));
    const int position = expectationOf(QStringLiteral("spoiled"))
                             .value(QStringLiteral("bad-ca"))
                             .toObject()
                             .value(QStringLiteral("wrong_character_at"))
                             .toInt();
    EXPECT_EQ(badAuthority->problem->arguments.value(2), QString::number(position));

    EXPECT_THAT(problemOf(*config.find(QStringLiteral("dangling"))).toStdString(),
                HasSubstr("the user nobody, which is not there"));
    EXPECT_THAT(problemOf(*config.find(QStringLiteral("twice"))).toStdString(),
                HasSubstr("The user name ops stands more than once"));
    EXPECT_THAT(problemOf(*config.find(QStringLiteral("no-server"))).toStdString(),
                HasSubstr("no server address"));
    ASSERT_EQ(config.notes.size(), 1);
    EXPECT_THAT(englishText(config.notes.first()).toStdString(),
                HasSubstr("current context gone-context is not there"));
    EXPECT_EQ(config.currentContext, QStringLiteral("gone-context"));
}

TEST(KubeconfigIpv6Test, SpellingsOfOneAddressAreOneServerAndBrokenOnesSayWhy)
{
    QByteArray text = readData(QStringLiteral("kubernetes/kubeconfig/ipv6/v6.yaml"));
    text.replace("@PORT:api@", "18080");
    const Kubeconfig config = mergeTexts({text});
    const KubeContext *bracketed = config.find(QStringLiteral("bracketed"));
    const KubeContext *padded = config.find(QStringLiteral("padded"));
    ASSERT_TRUE(bracketed->isUsable() && padded->isUsable());
    EXPECT_EQ(bracketed->parts->cluster.server, QUrl(QStringLiteral("http://[::1]:18080")));
    EXPECT_EQ(padded->parts->cluster.server, bracketed->parts->cluster.server);
    EXPECT_EQ(serverKey(padded->parts->cluster.server), serverKey(bracketed->parts->cluster.server));

    const Error bare = *config.find(QStringLiteral("bare"))->problem;
    EXPECT_THAT(englishText(bare).toStdString(), HasSubstr("needs brackets"));
    const QString advice = substituteArguments(QString::fromLatin1(bare.remedy), bare.arguments);
    EXPECT_THAT(advice.toStdString(), HasSubstr("https://[2001:db8::10]:6443"));
    EXPECT_THAT(advice.toStdString(), HasSubstr("https://[2001:db8::10:6443]"));
    const Error zone = *config.find(QStringLiteral("zone"))->problem;
    EXPECT_EQ(zone.code, ErrorCode::NotSupported);
    EXPECT_THAT(englishText(zone).toStdString(), HasSubstr("zone"));
}

/// Chinese user name, blanks in folders, an http server whose certificate is not there, a token file.
TEST(KubeconfigOddPathsTest, ChineseAndBlankFoldersWork)
{
    TestFolder folder;
    const QString home = QStringLiteral("张伟 测试");
    folder.write(
        home + QStringLiteral("/.kube/config"),
        "apiVersion: v1\nkind: Config\nclusters:\n- name: 一区\n  cluster:\n    certificate-authority: 证书 "
        "目录/ca.crt\n"
        "    server: http://127.0.0.1:6443\nusers:\n- name: ops\n  user:\n    tokenFile: 证书 目录/令牌.txt\n"
        "contexts:\n- name: 一区\n  context:\n    cluster: 一区\n    user: ops\ncurrent-context: 一区\n");
    folder.write(home + QStringLiteral("/.kube/证书 目录/令牌.txt"), "not-a-real-token\n");
    const Kubeconfig config = loadKubeconfig({.home = folder.bytes(home)});
    ASSERT_EQ(config.contexts.size(), 1);
    const KubeContext &context = config.contexts.first();
    EXPECT_TRUE(context.isUsable()) << problemOf(context).toStdString();
    ASSERT_EQ(context.warnings.size(), 1); // the certificate is not there, and over http it is not needed
    EXPECT_EQ(context.warnings.first().arguments,
              QStringList{folder.path(home) + QStringLiteral("/.kube/证书 目录/ca.crt")});
}

TEST(KubeconfigOddPathsTest, BytesThatAreNoUtf8StayAsTheyAre)
{
    TestFolder folder;
    const FilePath odd = folder.bytes(QStringLiteral("bad-")) + "\xff\xfe-bytes";
    ASSERT_EQ(::mkdir(odd.constData(), 0700), 0);
    const FilePath file = odd + "/config";
    FILE *out = ::fopen(file.constData(), "w");
    ASSERT_TRUE(out);
    const QByteArray text = oneContext("{server: 'https://a.example', certificate-authority: ca.crt}");
    ::fwrite(text.constData(), 1, std::size_t(text.size()), out);
    ::fclose(out);
    const Kubeconfig config = loadKubeconfig({.explicitFiles = {file}});
    ASSERT_EQ(config.contexts.size(), 1);
    EXPECT_EQ(config.contexts.first().parts->cluster.authorityFile, odd + "/ca.crt");
    EXPECT_EQ(config.contexts.first().problem->code, ErrorCode::NotFound);
    ::unlink(file.constData()); // QTemporaryDir could not
    ::rmdir(odd.constData());
}

TEST(KubeconfigOddPathsTest, NamesUpTo255BytesWorkAndLongerOnesNameTheLimit)
{
    TestFolder folder;
    const QString longest = QString(240, u'n');
    folder.write(longest, oneContext("{server: 'https://a.example'}"));
    EXPECT_EQ(loadKubeconfig({.explicitFiles = {folder.bytes(longest)}}).contexts.size(), 1);
    const Kubeconfig config = loadKubeconfig({.explicitFiles = {folder.bytes(QString(300, u'n'))}});
    ASSERT_EQ(config.notes.size(), 1);
    EXPECT_THAT(englishText(config.notes.first()).toStdString(), HasSubstr("255 bytes"));
}

} // namespace
} // namespace tongchi
