#pragma once

#include "platform/core/clock.h"
#include "platform/http/connection_settings.h"
#include "platform/kubernetes/kubeconfig_path.h"

#include <QObject>
#include <memory>
#include <optional>

namespace tongchi {

/// The token in a file, without the blanks around it. Blocks on a local file.
[[nodiscard]] Result<QByteArray> readTokenFile(const FilePath &path);

/// Finishes a credential's future from the event loop of the thread that asked, never on return.
class LaterCredential
{
public:
    [[nodiscard]] QFuture<Result<Credential>> answer(Result<Credential> credential);

private:
    std::unique_ptr<QObject> m_context; // made on first use: it has to live in the thread that asks
};

/// A token or a user name with password that never changes. Asked after a 401, it says that it was refused.
class StaticCredential final : public CredentialProvider
{
public:
    StaticCredential(QByteArray authorization, QString userName);
    [[nodiscard]] QFuture<Result<Credential>> credential(bool rejected) override;

private:
    QByteArray m_authorization;
    QString m_userName;
    LaterCredential m_later;
};

/// A token that others keep writing to a file (service accounts): read again when it is a minute old, and at
/// once after a 401. While the file cannot be read, the last token goes on.
class TokenFileCredential final : public CredentialProvider
{
public:
    TokenFileCredential(FilePath path, const Clock &clock);
    [[nodiscard]] QFuture<Result<Credential>> credential(bool rejected) override;

private:
    [[nodiscard]] Result<Credential> current(bool rejected);

    FilePath m_path;
    const Clock &m_clock;
    QByteArray m_token;
    Monotonic m_readAt{};
    std::optional<Monotonic> m_changedAt;
    LaterCredential m_later;
};

} // namespace tongchi
