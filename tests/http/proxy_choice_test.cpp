#include "platform/http/proxy_choice.h"

#include "tests/support/paths.h"
#include "tests/support/qt_printers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

QProcessEnvironment environmentOf(std::initializer_list<std::pair<const char *, const char *>> values)
{
    QProcessEnvironment environment;
    for (const auto &[name, value] : values)
        environment.insert(QString::fromLatin1(name), QString::fromUtf8(value));
    return environment;
}

QUrl urlOf(const char *text)
{
    return QUrl(QString::fromLatin1(text));
}

} // namespace

TEST(ProxyChoiceTest, FollowsTheSharedTable)
{
    QProcessEnvironment environment =
        environmentOf({{"HTTP_PROXY", "http://p:1"}, {"HTTPS_PROXY", "http://p:2"}});
    environment.insert(QStringLiteral("NO_PROXY"),
                       QString::fromUtf8(readData(QStringLiteral("http/no_proxy.txt"))));
    const QJsonArray table = QJsonDocument::fromJson(readData(QStringLiteral("http/table.json"))).array();
    ASSERT_EQ(table.size(), 17);
    for (const auto &row : table) {
        const QUrl url(row.toObject().value(QLatin1String("url")).toString());
        const bool direct =
            row.toObject().value(QLatin1String("expect")).toString() == QLatin1String("direct");
        const auto choice = chooseProxy(url, {}, environment);
        ASSERT_OK(choice);
        EXPECT_EQ(choice->url.isEmpty(), direct) << url.toString().toStdString();
    }
}

TEST(ProxyChoiceTest, LooksAtTheVariableOfTheScheme)
{
    const auto environment =
        environmentOf({{"HTTP_PROXY", "http://plain:1"}, {"HTTPS_PROXY", "http://secure:2"}});
    EXPECT_EQ(chooseProxy(urlOf("https://k8s.example"), {}, environment)->url, urlOf("http://secure:2"));
    EXPECT_EQ(chooseProxy(urlOf("https://k8s.example"), {}, environment)->source,
              QStringLiteral("HTTPS_PROXY"));
    EXPECT_EQ(chooseProxy(urlOf("http://k8s.example"), {}, environment)->source,
              QStringLiteral("HTTP_PROXY"));
    const auto onlyHttp = environmentOf({{"HTTP_PROXY", "http://plain:1"}});
    EXPECT_TRUE(chooseProxy(urlOf("https://k8s.example"), {}, onlyHttp)->url.isEmpty());
}

TEST(ProxyChoiceTest, LowerCaseWinsUnlessItIsEmpty)
{
    const auto both = environmentOf({{"HTTPS_PROXY", "http://upper:1"}, {"https_proxy", "http://lower:1"}});
    EXPECT_EQ(chooseProxy(urlOf("https://k8s.example"), {}, both)->source, QStringLiteral("https_proxy"));
    const auto empty = environmentOf({{"HTTPS_PROXY", "http://upper:1"}, {"https_proxy", ""}});
    EXPECT_EQ(chooseProxy(urlOf("https://k8s.example"), {}, empty)->source, QStringLiteral("HTTPS_PROXY"));
    const auto exclusions =
        environmentOf({{"HTTPS_PROXY", "http://p:1"}, {"NO_PROXY", "a.example"}, {"no_proxy", "b.example"}});
    EXPECT_FALSE(chooseProxy(urlOf("https://a.example"), {}, exclusions)->url.isEmpty());
    EXPECT_EQ(chooseProxy(urlOf("https://b.example"), {}, exclusions)->source, QStringLiteral("no_proxy"));
}

TEST(ProxyChoiceTest, TheKubeconfigBeatsTheVariablesAndTheirExclusions)
{
    const auto environment = environmentOf({{"HTTPS_PROXY", "http://variable:1"}, {"NO_PROXY", "*"}});
    const auto choice =
        chooseProxy(urlOf("https://k8s.example"), QStringLiteral("socks5://bastion:1080"), environment);
    ASSERT_OK(choice);
    EXPECT_EQ(choice->url, urlOf("socks5://bastion:1080"));
    EXPECT_EQ(choice->source, QStringLiteral("kubeconfig proxy-url"));
}

TEST(ProxyChoiceTest, ThisMachineIsNeverReachedThroughTheVariables)
{
    const auto environment =
        environmentOf({{"HTTP_PROXY", "http://127.0.0.1:9"}, {"HTTPS_PROXY", "http://127.0.0.1:9"}});
    for (const char *url :
         {"https://127.0.0.1:1", "https://127.9.8.7:1", "https://localhost:1", "https://LOCALHOST.:1",
          "https://pool.localhost:1", "http://[::1]:1", "http://[0:0::1]:1", "http://[::ffff:127.0.0.1]:1"}) {
        const auto choice = chooseProxy(urlOf(url), {}, environment);
        ASSERT_OK(choice);
        EXPECT_TRUE(choice->url.isEmpty()) << url;
        EXPECT_EQ(choice->source, QStringLiteral("loopback")) << url;
    }
    for (const char *url :
         {"https://127.0.0.1.example:1", "https://localhost.example", "https://128.0.0.1", "http://[::2]"})
        EXPECT_FALSE(chooseProxy(urlOf(url), {}, environment)->url.isEmpty()) << url;
}

TEST(ProxyChoiceTest, TakesAValueWithoutSchemeAsHttp)
{
    const auto environment =
        environmentOf({{"HTTPS_PROXY", "proxy.corp:8080"}, {"HTTP_PROXY", "user:p%40ss@proxy.corp:8080"}});
    EXPECT_EQ(chooseProxy(urlOf("https://k8s.example"), {}, environment)->url,
              urlOf("http://proxy.corp:8080"));
    const QUrl withUser = chooseProxy(urlOf("http://k8s.example"), {}, environment)->url;
    EXPECT_EQ(withUser.password(QUrl::FullyDecoded), QStringLiteral("p@ss"));
    EXPECT_EQ(withUser.host(), QStringLiteral("proxy.corp"));
}

TEST(ProxyChoiceTest, NamesTheSettingThatCannotBeUsedButNotItsValue)
{
    for (const char *value : {"http://", "ftp://user:s3cret@p:1", "http://user:s3cret@p:99999",
                              "http://user:s3cret@[::1", "://s3cret"}) {
        const auto choice =
            chooseProxy(urlOf("https://k8s.example"), {}, environmentOf({{"HTTPS_PROXY", value}}));
        ASSERT_FALSE(choice) << value;
        EXPECT_EQ(choice.error().code, ErrorCode::Invalid);
        const std::string text = englishText(choice.error()).toStdString();
        EXPECT_THAT(text, ::testing::HasSubstr("HTTPS_PROXY"));
        EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("s3cret")));
    }
}

TEST(ProxyChoiceTest, UnderstandsEveryFormOfExclusion)
{
    const std::tuple<const char *, const char *, bool> cases[] = {
        {"*", "https://any.example", true},
        {"", "https://any.example", false},
        {" , ,", "https://any.example", false},
        {"corp.example", "https://corp.example", true},
        {"corp.example", "https://a.b.corp.example", true},
        {"corp.example", "https://acorp.example", false},
        {".corp.example", "https://corp.example", false},
        {"*.corp.example", "https://a.corp.example", true},
        {"*.corp.example", "https://corp.example", false},
        {"corp.example.", "https://corp.example", true},
        {"corp.example", "https://corp.example.:6443", true},
        {"a.example b.example\tc.example", "https://b.example", true},
        {"corp.example:443", "https://corp.example", true},
        {"corp.example:443", "https://corp.example:6443", false},
        {"10.0.0.0/8", "https://10.255.0.1", true},
        {"10.0.0.0/8", "https://11.0.0.1", false},
        {"10.0.0.0/8", "https://10.example", false},
        {"10.0.0.0/33", "https://10.0.0.1", false},
        {"fd00::/8", "https://[fd12::1]:6443", true},
        {"fd00::/8", "https://[fe80::1]:6443", false},
        {"fd12::1", "https://[FD12:0::0001]:6443", true},
        {"[fd12::1]:6443", "https://[fd12::1]:6443", true},
        {"[fd12::1]:6443", "https://[fd12::1]", false},
        {"10.0.0.1", "https://[::ffff:10.0.0.1]", true},
        {"0.0.1", "https://10.0.0.1", false},
    };
    for (const auto &[list, url, excluded] : cases)
        EXPECT_EQ(isExcludedFromProxy(urlOf(url), QString::fromLatin1(list)), excluded)
            << list << " for " << url;
}

} // namespace tongchi::test
