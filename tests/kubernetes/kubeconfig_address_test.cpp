#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/server_address.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using ::testing::HasSubstr;

TEST(ServerAddressTest, AcceptsWhatServersAreCalled)
{
    const std::pair<const char *, const char *> rows[] = {
        {"https://10.20.0.5:6443", "https://10.20.0.5:6443"},
        {" https://API.Example:6443/ ", "https://api.example:6443"},
        {"HTTPS://api.example", "https://api.example"},
        {"https://api.example:", "https://api.example"},
        {"https://rancher.example/k8s/clusters/c-9f", "https://rancher.example/k8s/clusters/c-9f"},
        {"https://rancher.example/a%2Fb/?q=1#f", "https://rancher.example/a%2Fb"},
        {"https://[2001:DB8:0:0::0010]:6443/x", "https://[2001:db8::10]:6443/x"},
        {"https://[::FFFF:10.0.0.1]", "https://[::ffff:10.0.0.1]"},
        {"http://localhost:8080", "http://localhost:8080"},
        {"https://集群.example:6443", "https://xn--7t0as78b.example:6443"},
    };
    for (const auto &[text, expected] : rows) {
        const Result<QUrl> url = parseServerAddress(QString::fromUtf8(text));
        ASSERT_OK(url) << text;
        EXPECT_EQ(url->toEncoded(), QByteArray(expected)) << text;
    }
}

TEST(ServerAddressTest, RefusesOthersInWords)
{
    const std::pair<const char *, const char *> rows[] = {
        {"", "no server address"},
        {"10.0.0.5:6443", "has no scheme"},
        {"://x", "has no scheme"},
        {"https：//api.example", "has no scheme"},
        {"ftp://x", "neither https nor http"},
        {"https://", "not a usable URL"},
        {"https://:6443", "not a usable URL"},
        {"https:///path", "not a usable URL"},
        {"https://a b", "not a usable URL"},
        {"https://a.example:0", "not a number from 1 to 65535"},
        {"https://a.example:65536", "not a number from 1 to 65535"},
        {"https://a.example:64x", "not a number from 1 to 65535"},
        {"https://a.example:99999999999999999999", "not a number from 1 to 65535"},
        {"https://2001:db8::10:6443", "needs brackets"},
        {"https://::1", "needs brackets"},
        {"https://fe80::1%eth0:6443", "needs brackets"},
        {"https://2001:db8:1:2:3:4:5:6:6443", "needs brackets"},
        {"https://[::1", "not a usable URL"},
        {"https://[::1]6443", "not a usable URL"},
        {"https://[]:6443", "not an IPv6 address"},
        {"https://[10.0.0.1]:6443", "not an IPv6 address"},
        {"https://[api.example]:6443", "not an IPv6 address"},
        {"https://[fe80::1%25eth0]:6443", "zone"},
        {"https://[fe80::1%eth0]:6443", "zone"},
    };
    for (const auto &[text, says] : rows) {
        const Result<QUrl> url = parseServerAddress(QString::fromUtf8(text));
        ASSERT_FALSE(url) << text;
        EXPECT_THAT(englishText(url.error()).toStdString(), HasSubstr(says)) << text;
        EXPECT_TRUE(url.error().remedy) << text;
    }
}

TEST(ServerAddressTest, ShowsHowToWriteIpv6)
{
    const auto advice = [](const char *text) {
        const Error error = parseServerAddress(QString::fromUtf8(text)).error();
        return substituteArguments(QString::fromLatin1(error.remedy), error.arguments).toStdString();
    };
    EXPECT_EQ(advice("https://2001:db8::10:6443"),
              "Write https://[2001:db8::10]:6443 or https://[2001:db8::10:6443]:6443, whichever is meant.");
    EXPECT_EQ(advice("https://2001:db8:1:2:3:4:5:6:6443"),
              "Write it like https://[2001:db8:1:2:3:4:5:6]:6443.");
    EXPECT_EQ(advice("http://2001:db8::beef"), "Write it like http://[2001:db8::beef]:6443.");
}

TEST(ServerAddressTest, NeverShowsAPassword)
{
    for (const char *text :
         {"https://root:hunter2@api.example:6443", "ftp://root:hunter2@x", "root:hunter2@api.example",
          "https://x?token=hunter2:", "https://root:hunter2@[::1]6443"}) {
        const Result<QUrl> url = parseServerAddress(QString::fromUtf8(text));
        if (!url) {
            EXPECT_FALSE(QString(englishText(url.error()) + url.error().arguments.join(u' '))
                             .contains(QStringLiteral("hunter2")))
                << text;
        }
    }
}

TEST(ServerAddressTest, DefaultPortsMakeNoOtherServer)
{
    const auto key = [](const char *text) { return serverKey(*parseServerAddress(QString::fromUtf8(text))); };
    EXPECT_EQ(key("https://a.example"), key("https://A.example:443/"));
    EXPECT_NE(key("https://a.example"), key("https://a.example:6443"));
    EXPECT_NE(key("https://a.example/x"), key("https://a.example/y"));
    EXPECT_EQ(key("http://[0:0:0:0:0:0:0:0001]:80"), key("http://[::1]"));
}

TEST(KubeconfigBase64Test, NamesThePositionOfTheFirstWrongCharacter)
{
    const std::pair<QByteArray, qsizetype> rows[] = {
        {"$GVsbG8=", 0},   {"aGVs$G8=", 4},   {"aGVsbG8=$", 8},      {"aG=sbG8=", 3},
        {"aGVsbG8===", 9}, {"aGVs\nb!8=", 6}, {"YQ\xe4\xb8\x8a=", 2}};
    for (const auto &[text, position] : rows) {
        const Result<QByteArray> decoded =
            decodeKubeconfigBase64(text, QStringLiteral("f"), QStringLiteral("o"));
        ASSERT_FALSE(decoded) << text.toStdString();
        EXPECT_EQ(decoded.error().arguments.value(2), QString::number(position)) << text.toStdString();
    }
}

TEST(KubeconfigBase64Test, TakesLineBreaksBlanksAndMissingPadding)
{
    for (const char *text : {"aGVsbG8=", "aGVs\nbG8=\n", " aGVs bG8 = ", "aGVsbG8"}) {
        const Result<QByteArray> decoded = decodeKubeconfigBase64(text, {}, {});
        ASSERT_OK(decoded) << text;
        EXPECT_EQ(*decoded, "hello") << text;
    }
}

TEST(KubeconfigPathTest, FollowsDotsInTheText)
{
    EXPECT_EQ(resolvePath("/a/b", "../c/./d.crt"), "/a/c/d.crt");
    EXPECT_EQ(resolvePath("/a/b", "/x//y/"), "/x/y");
    EXPECT_EQ(resolvePath("/a", "../../../x"), "/x");
    EXPECT_EQ(resolvePath("/\xff/b", "c"), "/\xff/b/c");
    EXPECT_EQ(folderOf("/a/b"), "/a");
    EXPECT_EQ(folderOf("/a"), "/");
}

} // namespace
} // namespace tongchi
