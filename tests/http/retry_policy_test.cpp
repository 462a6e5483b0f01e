#include "platform/http/retry_policy.h"

#include "platform/http/status_error.h"
#include "tests/support/qt_printers.h"

#include <gtest/gtest.h>

namespace tongchi::test {

namespace {

using namespace std::chrono_literals;

Error errorOf(ErrorCode code, std::optional<std::chrono::milliseconds> retryAfter = std::nullopt)
{
    Error error;
    error.code = code;
    error.retryAfter = retryAfter;
    return error;
}

} // namespace

TEST(RetryPolicyTest, DoublesTheCeilingUpToItsLimit)
{
    const std::chrono::milliseconds ceilings[] = {800ms,    1600ms,   3200ms,   6400ms,
                                                  12'800ms, 25'600ms, 30'000ms, 30'000ms};
    for (int attempt = 0; attempt < 8; ++attempt)
        EXPECT_EQ(retryDelay(attempt, errorOf(ErrorCode::Network), 1.0), ceilings[attempt]) << attempt;
    EXPECT_EQ(retryDelay(10'000, errorOf(ErrorCode::Network), 1.0), 30'000ms);
    EXPECT_EQ(retryDelay(2, errorOf(ErrorCode::Network), 0.25), 800ms);
    EXPECT_EQ(retryDelay(2, errorOf(ErrorCode::Network), 0.0), 0ms);
}

TEST(RetryPolicyTest, GivesUpWhereTheSameAgainCannotHelp)
{
    for (const ErrorCode code :
         {ErrorCode::Cancelled, ErrorCode::Tls, ErrorCode::Unauthorized, ErrorCode::Forbidden,
          ErrorCode::NotFound, ErrorCode::Conflict, ErrorCode::Gone, ErrorCode::Invalid,
          ErrorCode::NotSupported, ErrorCode::Storage, ErrorCode::NeedsConsent})
        EXPECT_FALSE(retryDelay(0, errorOf(code, 5s), 0.5)) << errorCodeName(code);
    for (const ErrorCode code :
         {ErrorCode::Network, ErrorCode::Timeout, ErrorCode::Server, ErrorCode::RateLimited})
        EXPECT_TRUE(retryDelay(0, errorOf(code), 0.5)) << errorCodeName(code);
}

TEST(RetryPolicyTest, HonoursRetryAfter)
{
    EXPECT_EQ(retryDelay(0, errorOf(ErrorCode::RateLimited, 7s), 0.0), 7s);
    EXPECT_GE(*retryDelay(0, errorOf(ErrorCode::RateLimited, 7s), 0.9), 7s);
    EXPECT_EQ(retryDelay(0, errorOf(ErrorCode::RateLimited, 0s), 0.0), 0ms);
    EXPECT_EQ(retryDelay(20, errorOf(ErrorCode::Server, 1s), 1.0), 30s);    // its own pause is longer
    EXPECT_EQ(retryDelay(0, errorOf(ErrorCode::Server, 100h), 0.0), 10min); // not sent away for days
}

TEST(RetryPolicyTest, StartsAgainAfterTwoQuietMinutes)
{
    ManualClock clock;
    RetryBackoff backoff(clock, [] { return 1.0; });
    EXPECT_EQ(backoff.next(errorOf(ErrorCode::Network)), 800ms);
    clock.advance(800ms + 119s);
    EXPECT_EQ(backoff.next(errorOf(ErrorCode::Network)), 1600ms);
    clock.advance(1600ms + 120s);
    EXPECT_EQ(backoff.next(errorOf(ErrorCode::Network)), 800ms);
    backoff.reset();
    EXPECT_EQ(backoff.next(errorOf(ErrorCode::Network)), 800ms);
}

TEST(RetryPolicyTest, StaysUnderTenRequestsInTenSeconds)
{
    ManualClock clock;
    double next = 0.0;
    RetryBackoff backoff(clock, [&next] { return next = next > 0.9 ? 0.1 : next + 0.2; });
    std::chrono::milliseconds total{0};
    int requests = 0;
    while (total < 10s) {
        const auto delay = backoff.next(errorOf(ErrorCode::Network));
        ASSERT_TRUE(delay);
        total += *delay;
        clock.advance(*delay);
        ++requests;
    }
    EXPECT_LE(requests, 10);
}

TEST(StatusErrorTest, MapsEachStatusToWhatACallerDoesAboutIt)
{
    const std::pair<int, ErrorCode> table[] = {
        {301, ErrorCode::Protocol},     {400, ErrorCode::Invalid},      {401, ErrorCode::Unauthorized},
        {403, ErrorCode::Forbidden},    {404, ErrorCode::NotFound},     {405, ErrorCode::NotSupported},
        {406, ErrorCode::NotSupported}, {408, ErrorCode::Timeout},      {409, ErrorCode::Conflict},
        {410, ErrorCode::Gone},         {412, ErrorCode::Conflict},     {413, ErrorCode::Invalid},
        {415, ErrorCode::NotSupported}, {422, ErrorCode::Invalid},      {429, ErrorCode::RateLimited},
        {500, ErrorCode::Server},       {501, ErrorCode::NotSupported}, {502, ErrorCode::Server},
        {503, ErrorCode::Server},       {504, ErrorCode::Server},       {599, ErrorCode::Server}};
    const QUrl url(QStringLiteral("https://user:secret@k8s.example/api?token=abc"));
    for (const auto &[status, code] : table) {
        const Error error = statusError(url, status, {}, Instant{});
        EXPECT_EQ(error.code, code) << status;
        EXPECT_EQ(error.httpStatus, status);
        EXPECT_NE(error.text, nullptr);
        EXPECT_FALSE(error.retryAfter);
        EXPECT_FALSE(englishText(error).contains(QLatin1String("secret")));
        EXPECT_FALSE(englishText(error).contains(QLatin1String("abc")));
    }
}

TEST(StatusErrorTest, ReadsRetryAfterInBothForms)
{
    const auto read = [](const QByteArray &value, const QByteArray &date = {}) {
        HeaderList headers{{"retry-after", value}};
        if (!date.isEmpty())
            headers.emplace_back("Date", date);
        return statusError(QUrl(), 429, headers, Instant{std::chrono::seconds{784111777}})
            .retryAfter; // the date below
    };
    EXPECT_EQ(read("7"), 7s);
    EXPECT_EQ(read(" 0 "), 0s);
    EXPECT_EQ(read("99999999999999999999999"), 7 * 24h);
    EXPECT_EQ(read("Sun, 06 Nov 1994 08:50:37 GMT"), 60s);
    EXPECT_EQ(read("Sun, 06 Nov 1994 08:50:37 GMT", "Sun, 06 Nov 1994 08:50:27 GMT"), 10s);
    EXPECT_EQ(read("Sun, 06 Nov 1994 08:40:37 GMT"), 0s); // past
    EXPECT_EQ(read("soon"), std::nullopt);
    EXPECT_EQ(read("-5"), std::nullopt);
    EXPECT_EQ(read("7.5"), std::nullopt);
    EXPECT_EQ(read(""), std::nullopt);
}

} // namespace tongchi::test
