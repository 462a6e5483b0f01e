// What the API server's errors are turned into. Bodies are those of a real 1.36 server.

#include "platform/kubernetes/api_error.h"
#include "platform/kubernetes/api_status.h"
#include "platform/kubernetes/kubernetes_client.h"
#include "platform/kubernetes/permission.h"
#include "tests/support/qt_printers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string words(const Error &error)
{
    return englishText(error).toStdString();
}
std::string advice(const Error &error)
{
    return substituteArguments(QString::fromLatin1(error.remedy), error.arguments).toStdString();
}

TEST(ApiErrorTest, ForbiddenNamesVerbAndResource)
{
    const Error error = apiError(
        403, {},
        R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes \"sz-a100-01\" is forbidden: User \"viewer\" cannot patch resource \"nodes\" in API group \"\" at the cluster scope","reason":"Forbidden","details":{"name":"sz-a100-01","kind":"nodes"},"code":403})",
        {});
    EXPECT_EQ(error.code, ErrorCode::Forbidden);
    EXPECT_EQ(words(error), "The user viewer has no right to patch nodes.");
    EXPECT_EQ(advice(error), "Ask the cluster's administrator for the verb patch on nodes.");
    EXPECT_EQ(error.httpStatus, 403);
}

TEST(ApiErrorTest, ForbiddenNamesGroupAndNamespace)
{
    const Error error = apiError(
        403, {},
        R"({"kind":"Status","message":"workloads.kueue.x-k8s.io is forbidden: User \"ops\" cannot list resource \"workloads\" in API group \"kueue.x-k8s.io\" in the namespace \"team-b\"","reason":"Forbidden","code":403})",
        {});
    EXPECT_EQ(words(error),
              "The user ops has no right to list workloads.kueue.x-k8s.io in the namespace team-b.");
}

TEST(ApiErrorTest, ForbiddenOfAnotherFormKeepsTheServersWords)
{
    const Error error = apiError(
        403, {},
        R"({"kind":"Status","message":"admission webhook \"guard\" denied the request: not on Fridays","reason":"Forbidden","code":403})",
        {});
    EXPECT_THAT(words(error), HasSubstr("not on Fridays"));
    EXPECT_TRUE(error.remedy);
}

TEST(ForbiddenWordsTest, ReadsEveryFormOfTheMessage)
{
    const auto read = [](const char *message) { return parseForbidden(QString::fromUtf8(message)); };
    const auto path = read("forbidden: User \"system:anonymous\" cannot get path \"/api\"");
    ASSERT_TRUE(path);
    EXPECT_EQ(path->resource, QStringLiteral("/api"));
    EXPECT_EQ(path->verb, QStringLiteral("get"));
    const auto log = read("pods \"x\" is forbidden: User \"a\" cannot get resource \"pods/log\" in API group "
                          "\"\" in the namespace \"ml\"");
    ASSERT_TRUE(log);
    EXPECT_EQ(log->resource, QStringLiteral("pods/log"));
    EXPECT_EQ(log->nameSpace, QStringLiteral("ml"));
    EXPECT_FALSE(read("no"));
    EXPECT_FALSE(read(""));
}

TEST(ApiErrorTest, InvalidNamesTheFieldsOnce)
{
    const QByteArray cause =
        R"({"reason":"FieldValueInvalid","message":"Invalid value: \"not valid!\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character","field":"metadata.labels"})";
    const QByteArray body =
        R"({"kind":"Status","message":"Node \"sz-a100-01\" is invalid: metadata.labels: )" +
        QByteArray("x").repeated(300) +
        R"(","reason":"Invalid","details":{"name":"sz-a100-01","kind":"Node","causes":[)" + cause + ',' +
        cause + ',' + cause + R"(]},"code":422})";
    const std::optional<ApiStatus> status = parseApiStatus({body.constData(), std::size_t(body.size())});
    ASSERT_TRUE(status);
    EXPECT_EQ(status->causes.size(), 1);
    EXPECT_EQ(status->name, QStringLiteral("sz-a100-01"));
    const Error error = apiError(422, {}, {body.constData(), std::size_t(body.size())}, {});
    EXPECT_EQ(error.code, ErrorCode::Invalid);
    EXPECT_THAT(words(error), HasSubstr("metadata.labels: Invalid value: \"not valid!\""));
}

TEST(ApiErrorTest, StrictValidationShowsTheFieldAndNotTheWholeObject)
{
    const QByteArray message = R"(Invalid value: \"{)" + QByteArray("x").repeated(11000) +
                               R"(}\": strict decoding error: unknown field \"spec.nosuch\")";
    const QByteArray plain =
        R"({"kind":"Status","message":" \"\" is invalid: patch: )" + message + R"(","reason":"Invalid",)";
    for (const QByteArray &details :
         {QByteArray(),
          QByteArray(R"("details":{"causes":[{"reason":"FieldValueInvalid","field":"patch","message":")" +
                     message + R"("}]},)")}) {
        const QByteArray body = plain + details + R"("code":422})";
        const std::string text = words(apiError(422, {}, {body.constData(), std::size_t(body.size())}, {}));
        EXPECT_THAT(text, HasSubstr("unknown field \"spec.nosuch\""));
        EXPECT_LT(text.size(), 200u);
    }
}

TEST(ApiErrorTest, ExpressionsOfTheServerAreNoHelp)
{
    const Error error = apiError(
        422, {},
        R"x({"kind":"Status","message":"a valid label must be empty (e.g. '12345', regex used for validation is '([A-Za-z0-9])?')","code":422})x",
        {});
    EXPECT_TRUE(englishText(error).endsWith(QStringLiteral("(e.g. '12345')"))) << words(error);
}

TEST(ApiErrorTest, ConflictsNameOwnersOrSomebodyElse)
{
    const Error apply = apiError(
        409, {},
        R"({"kind":"Status","message":"Apply failed with 1 conflict: conflict with \"keda\": .spec.replicas","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"keda\"","field":".spec.replicas"}]},"code":409})",
        {});
    EXPECT_EQ(apply.code, ErrorCode::Conflict);
    EXPECT_THAT(words(apply), HasSubstr(".spec.replicas (keda)"));
    const Error old = apiError(
        409, {},
        R"({"kind":"Status","message":"Operation cannot be fulfilled on nodes \"n\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","code":409})",
        {});
    EXPECT_THAT(words(old), HasSubstr("changed by somebody else"));
    const Error exists = apiError(
        409, {},
        R"({"kind":"Status","message":"configmaps \"calendar\" already exists","reason":"AlreadyExists","code":409})",
        {});
    EXPECT_EQ(words(exists), "There is one of this name already: configmaps \"calendar\"");
}

TEST(ApiErrorTest, CodesAreThoseCallersActOn)
{
    const std::pair<int, ErrorCode> rows[] = {
        {400, ErrorCode::Invalid},  {401, ErrorCode::Unauthorized}, {403, ErrorCode::Forbidden},
        {404, ErrorCode::NotFound}, {405, ErrorCode::NotSupported}, {406, ErrorCode::NotSupported},
        {409, ErrorCode::Conflict}, {410, ErrorCode::Gone},         {415, ErrorCode::NotSupported},
        {422, ErrorCode::Invalid},  {429, ErrorCode::RateLimited},  {500, ErrorCode::Server},
        {503, ErrorCode::Server},   {504, ErrorCode::Server},       {302, ErrorCode::Protocol}};
    for (const auto &[status, code] : rows)
        EXPECT_EQ(apiError(status, {}, {}, {}).code, code) << status;
}

TEST(ApiErrorTest, WaitsAsLongAsHeaderOrBodySay)
{
    EXPECT_EQ(apiError(429, {{"retry-after", "7"}}, {}, {}).retryAfter, std::chrono::seconds(7));
    EXPECT_EQ(apiError(500, {},
                       R"({"kind":"Status","reason":"ServerTimeout","details":{"retryAfterSeconds":3}})", {})
                  .retryAfter,
              std::chrono::seconds(3));
    EXPECT_FALSE(apiError(429, {{"Retry-After", "soon"}}, {}, {}).retryAfter);
}

TEST(ApiErrorTest, PagesOfProxiesAreToldApart)
{
    const Error error = apiError(
        502, {}, "<html><head><title>502 Bad <b>Gateway</b></title></head><body>\x01 nginx</body></html>",
        QStringLiteral("nodes"));
    EXPECT_EQ(error.code, ErrorCode::Server);
    EXPECT_THAT(words(error), HasSubstr("does not come from the API server itself"));
    EXPECT_THAT(error.detail.toStdString(), HasSubstr("502 Bad"));
    EXPECT_EQ(apiError(404, {}, "404 page not found\n", {}).code, ErrorCode::NotFound);
}

TEST(ApiErrorTest, PlainWordsAreShownAsTheyAre)
{
    // The API server itself writes these as text: for what it does not serve, and for a part of it that is
    // down.
    const Error missing = apiError(404, {}, "404 page not found\n", {});
    EXPECT_EQ(words(missing), "The server serves nothing at this address.");
    EXPECT_EQ(words(apiError(503, {}, "service unavailable\n", {})),
              "The server cannot serve this at the moment: service unavailable");
    EXPECT_EQ(words(apiError(500, {}, R"({"code":7,"message":"no leader"})", {})),
              "The server failed: no leader");
    EXPECT_EQ(words(apiError(400, {}, R"("bad filter")", {})), "The server refuses the request: bad filter");
    EXPECT_EQ(words(apiError(413, {}, "<html><title>413</title></html>", {})),
              "The request is larger than the server takes.");
    EXPECT_EQ(words(apiError(401, {}, R"({"message":"must authenticate"})", {})),
              "The server does not accept the credential: it is wrong, or it has expired.");
    EXPECT_EQ(advice(apiError(401, {}, R"({"message":"must authenticate"})", {})),
              "Renew the credential that the kubeconfig names.");
}

TEST(ApiErrorTest, NamesTheServiceOfAWebhookThatDoesNotAnswer)
{
    const auto told = [](const std::string &message) {
        return words(apiError(
            500, {}, R"({"kind":"Status","message":"Internal error occurred: )" + message + "\"}", {}));
    };
    EXPECT_EQ(
        told(
            R"(failed calling webhook \"mdeployment.kb.io\": failed to call webhook: Post \"https://kueue-webhook-service.kueue-system.svc:443/mutate-apps-v1-deployment?timeout=10s\": no endpoints available)"),
        "kueue-webhook-service.kueue-system has to check this change (webhook mdeployment.kb.io), but gives "
        "no "
        "answer. Nothing was changed.");
    EXPECT_EQ(
        told(
            R"(failed calling webhook \"a.b\": failed to call webhook: Post \"https://[fd00::1]:8443/x\": EOF)"),
        "[fd00::1] has to check this change (webhook a.b), but gives no answer. Nothing was changed.");
    EXPECT_EQ(told(R"(failed calling webhook \"a.b\": could not get REST client)"),
              "a.b has to check this change (webhook a.b), but gives no answer. Nothing was changed.");
}

TEST(ApiErrorTest, ARefusalOnAdmissionIsNeitherAConflictNorAMissingRight)
{
    const auto refused = [](int status, const char *message) {
        return apiError(status, {}, std::string(R"({"kind":"Status","message":")") + message + "\"}", {});
    };
    for (const int status : {400, 409, 422, 429, 500}) {
        const Error error = refused(status, R"(admission webhook \"a.b\" denied the request: no)");
        EXPECT_EQ(error.code, ErrorCode::Invalid) << status;
        EXPECT_EQ(words(error), "The webhook a.b refuses the change: no");
    }
    EXPECT_EQ(refused(403, R"(admission webhook \"a.b\" denied the request: no)").code, ErrorCode::Forbidden);
    EXPECT_EQ(words(refused(400, R"(admission webhook \"a.b\" denied the request without explanation)")),
              "The webhook a.b refuses the change and gives no reason.");
    EXPECT_EQ(words(refused(400, R"(admission webhook \"a.b\" does not support dry run)")),
              "The change cannot be tried out first: the webhook a.b takes no dry runs.");
}

TEST(ApiErrorTest, BrokenStatusBodiesAreNoTrouble)
{
    for (const char *body :
         {"", "{", "[]", "null", R"({"kind":"Status"})",
          R"({"kind":"Status","code":"x","message":5,"details":[],"reason":null})",
          R"({"kind":"Status","details":{"causes":[null,5,{"field":null}],"retryAfterSeconds":"x"}})",
          "\xff\xfe"})
        EXPECT_TRUE(apiError(422, {}, body, {}).text) << body;
    const std::string huge = R"({"kind":"Status","message":")" + std::string(1000000, 'a') + "\"}";
    EXPECT_LT(words(apiError(500, {}, huge, {})).size(), 2000u);
    const Error markup = apiError(500, {}, R"({"kind":"Status","message":"a\nb\u202Ec\u0007"})", {});
    EXPECT_THAT(words(markup), Not(HasSubstr("\n")));
}

TEST(WarningHeaderTest, GivesTheTexts)
{
    EXPECT_EQ(warningTexts({{"Warning", R"(299 - "unknown field \"spec.nosuch\"")"},
                            {"warning", R"(299 - "a", 299 - "b, c")"},
                            {"X", "\"no\""}}),
              (QStringList{QStringLiteral("unknown field \"spec.nosuch\""), QStringLiteral("a"),
                           QStringLiteral("b, c")}));
    for (const char *broken : {"", "299", "299 - \"cut", "\\", "\"\\"})
        EXPECT_TRUE(warningTexts({{"Warning", broken}}).isEmpty()) << broken;
}

TEST(ServerVersionTest, TakesTheDigitsInFront)
{
    const Result<ServerVersion> version = parseServerVersion(
        R"({"major":"1","minor":"30+","gitVersion":"v1.30.4-eks-1","platform":"linux/amd64"})");
    ASSERT_OK(version);
    EXPECT_EQ(version->minor, 30);
    EXPECT_EQ(version->gitVersion, QStringLiteral("v1.30.4-eks-1"));
    for (const char *body : {"", "{}", "[]", "<html>", "{\"gitVersion\":5}"})
        EXPECT_EQ(parseServerVersion(body).error().code, ErrorCode::Protocol) << body;
}

TEST(PatchQueryTest, AlwaysStrictAndNamed)
{
    EXPECT_EQ(patchQuery({}), "?fieldManager=tongchi&fieldValidation=Strict");
    EXPECT_EQ(patchQuery({.dryRun = true}), "?fieldManager=tongchi&fieldValidation=Strict&dryRun=All");
    EXPECT_EQ(patchQuery({.force = true}), "?fieldManager=tongchi&fieldValidation=Strict&force=true");
}

} // namespace
} // namespace tongchi
