#include "platform/metrics/answer_error.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi {
namespace {

TEST(AnswerError, TakesTheServersOwnWordsWhateverTheStatus)
{
    const Error error = prometheusHttpError(
        422, R"({"status":"error","errorType":"execution","error":"found duplicate series"})");
    EXPECT_EQ(error.code, ErrorCode::Invalid);
    EXPECT_EQ(error.httpStatus, 422);
    EXPECT_TRUE(englishText(error).contains(QStringLiteral("found duplicate series")));
    EXPECT_EQ(prometheusHttpError(503, R"({"status":"error","errorType":"timeout","error":"x"})").code,
              ErrorCode::Server);
}

TEST(AnswerError, TellsTheApiServersRefusalFromThatOfPrometheus)
{
    const Error error = prometheusHttpError(
        503,
        R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no endpoints available for service \"prometheus-k8s\"","reason":"ServiceUnavailable","code":503})");
    EXPECT_EQ(error.code, ErrorCode::Server);
    EXPECT_TRUE(englishText(error).contains(QStringLiteral("API server")));
    EXPECT_TRUE(englishText(error).contains(QStringLiteral("no endpoints available")));
    EXPECT_EQ(prometheusHttpError(403, R"({"kind":"Status","message":"services/proxy is forbidden"})").code,
              ErrorCode::Forbidden);
}

TEST(AnswerError, QuotesNothingOfAPageOfAProxy)
{
    for (const int status : {301, 400, 401, 403, 404, 407, 429, 499, 500, 502, 503, 504}) {
        const Error error = prometheusHttpError(status, "<html><body>secret-token</body></html>");
        EXPECT_TRUE(englishText(error).contains(QString::number(status)));
        EXPECT_FALSE(QString(englishText(error) + error.detail).contains(QStringLiteral("secret-token")));
        EXPECT_NE(error.remedy, nullptr);
    }
    EXPECT_EQ(prometheusHttpError(404, "404 page not found").code, ErrorCode::NotFound);
    EXPECT_EQ(prometheusHttpError(429, {}).code, ErrorCode::RateLimited);
    EXPECT_EQ(prometheusHttpError(400, "x").code, ErrorCode::Invalid);
}

TEST(AnswerError, SaysWhatTheServersPlainWordsAndOtherShapesSay)
{
    for (const char *body : {"no org id\n", "\"no org id\"", R"({"code":400,"message":"no org id"})"}) {
        EXPECT_EQ(englishText(prometheusHttpError(400, body)),
                  QStringLiteral("Prometheus answered with HTTP status 400: no org id"));
        EXPECT_TRUE(prometheusHttpError(401, body).detail.endsWith(QStringLiteral("no org id")));
    }
}

TEST(AnswerError, CutsLongTexts)
{
    const std::string text(100'000, 'x');
    EXPECT_LT(englishText(prometheusError("bad_data", text)).size(), 700);
    EXPECT_LT(prometheusError(text, text).detail.size(), 700);
}

} // namespace
} // namespace tongchi
