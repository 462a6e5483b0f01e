#pragma once

#include "tests/http/any_client.h"
#include "tests/support/loopback_server.h"
#include "tests/support/qt_printers.h"
#include "tests/support/wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tongchi::test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

inline const QByteArray secretToken = "s3cr3t-token-value";
inline const QByteArray proxyPassword = "pr0xy-passw0rd";

inline std::string everythingSaid(const Error &error)
{
    QString all =
        englishText(error) + u'|' + error.subject + u'|' + error.detail + u'|' + error.arguments.join(u'|');
    if (error.remedy)
        all += substituteArguments(QString::fromUtf8(error.remedy), error.arguments);
    return all.toStdString();
}

/// One table of promises, held by both HTTP clients; the tests are in the both_clients_*_test.cpp files.
class BothClientsTest : public ::testing::TestWithParam<ClientKind>
{
protected:
    static ConnectionSettings settingsFor(const QUrl &server)
    {
        ConnectionSettings settings;
        settings.server = server;
        settings.connectTimeout = 3s;
        return settings;
    }
    static ConnectionSettings tlsSettingsFor(const QUrl &server)
    {
        ConnectionSettings settings = settingsFor(server);
        settings.tls.authorityPem = TestAuthority::shared().pem();
        return settings;
    }
    static LoopbackServer::Options tlsOptions(const CertificateWish &wish = {})
    {
        return {.tls = TestAuthority::shared().issue(wish)};
    }
    Result<HttpResponse> send(const ConnectionSettings &settings, const HttpRequest &request)
    {
        const auto client = AnyClient::make(GetParam(), settings);
        const QFuture<Result<HttpResponse>> future = client->send(request);
        EXPECT_FALSE(future.isFinished());
        if (!waitFor(future) || future.resultCount() == 0)
            return failure(
                {.code = ErrorCode::Cancelled, .detail = QStringLiteral("no result in the test's time")});
        const Result<HttpResponse> result = future.result();
        if (!result) {
            const std::string said = everythingSaid(result.error());
            EXPECT_THAT(said, Not(HasSubstr(secretToken.toStdString())));
            EXPECT_THAT(said, Not(HasSubstr(proxyPassword.toStdString())));
            EXPECT_NE(result.error().text, nullptr);
        }
        return result;
    }
    Result<HttpResponse> get(const ConnectionSettings &settings, const QByteArray &path)
    {
        return send(settings, {.path = path, .timeout = 4s});
    }
};

} // namespace tongchi::test
