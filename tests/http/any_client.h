#pragma once

#include "platform/http/connection_settings.h"
#include "platform/http/http_message.h"

#include <QFuture>
#include <memory>
#include <ostream>
#include <vector>

namespace tongchi::test {

enum class ClientKind { Answers, Stream };
void PrintTo(ClientKind kind, std::ostream *out);

/// Either HTTP client behind one face, so that one table of tests holds both to the same promises.
class AnyClient
{
public:
    virtual ~AnyClient() = default;
    virtual QFuture<Result<HttpResponse>> send(const HttpRequest &request) = 0;
    static std::unique_ptr<AnyClient> make(ClientKind kind, const ConnectionSettings &settings);
};

/// Hands out its credentials one after the other; each rejection moves on to the next.
class ScriptedCredentials final : public CredentialProvider
{
public:
    explicit ScriptedCredentials(std::vector<Result<Credential>> credentials)
        : m_credentials(std::move(credentials))
    {
    }
    static std::shared_ptr<ScriptedCredentials> tokens(const QList<QByteArray> &tokens);
    QFuture<Result<Credential>> credential(bool rejected) override;

    int asked = 0;
    int rejections = 0;

private:
    std::vector<Result<Credential>> m_credentials;
    size_t m_current = 0;
};

} // namespace tongchi::test
