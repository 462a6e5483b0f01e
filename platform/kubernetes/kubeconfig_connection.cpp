#include "platform/kubernetes/kubeconfig_connection.h"

#include "platform/http/proxy_choice.h"
#include "platform/http/request_rules.h"
#include "platform/kubernetes/certificate_times.h"
#include "platform/kubernetes/kubeconfig_fields.h"
#include "platform/kubernetes/token_file.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr qint64 pemSizeLimit = 1024 * 1024;

Result<QByteArray> readPemFile(const FilePath &file, const QString &contextName,
                               Status (*check)(const QByteArray &, const QString &, const QString &))
{
    Result<QByteArray> pem = readSmallFile(file, pemSizeLimit);
    if (!pem)
        return pem;
    if (Status status = check(*pem, displayPath(file), contextName); !status)
        return tl::unexpected(std::move(status.error()));
    return pem;
}

/// spec.cluster of KUBERNETES_EXEC_INFO.
QByteArray execClusterInfo(const KubeCluster &cluster, const TlsSettings &tls)
{
    QJsonObject info{{QStringLiteral("server"), cluster.server.toString(QUrl::FullyEncoded)}};
    if (!cluster.tlsServerName.isEmpty())
        info.insert(QStringLiteral("tls-server-name"), cluster.tlsServerName);
    if (cluster.skipVerification)
        info.insert(QStringLiteral("insecure-skip-tls-verify"), true);
    if (!tls.authorityPem.isEmpty())
        info.insert(QStringLiteral("certificate-authority-data"),
                    QString::fromLatin1(tls.authorityPem.toBase64()));
    if (!cluster.proxyUrl.isEmpty())
        info.insert(QStringLiteral("proxy-url"), cluster.proxyUrl);
    if (!cluster.compression)
        info.insert(QStringLiteral("disable-compression"), true);
    QByteArray json = QJsonDocument(info).toJson(QJsonDocument::Compact);
    if (!cluster.execConfig.isEmpty()) // it is JSON already
        json = json.chopped(1) + ",\"config\":" + cluster.execConfig + '}';
    return json;
}

std::shared_ptr<CredentialProvider> makeCredentials(const KubeContext &context,
                                                    const ConnectionEnvironment &environment,
                                                    const TlsSettings &tls,
                                                    std::shared_ptr<const ExecConsent> consent)
{
    const KubeUser &user = context.parts->user;
    if (!user.tokenFile.isEmpty())
        return std::make_shared<TokenFileCredential>(user.tokenFile, *environment.clock);
    if (!user.token.isEmpty())
        return std::make_shared<StaticCredential>("Bearer " + user.token, context.userName);
    if (!user.username.isEmpty()) {
        const QByteArray pair = user.username.toUtf8() + ':' + user.password.toUtf8();
        return std::make_shared<StaticCredential>("Basic " + pair.toBase64(), context.userName);
    }
    if (user.exec) {
        ExecCommand command = *user.exec;
        if (command.provideClusterInfo)
            command.clusterInfo = execClusterInfo(context.parts->cluster, tls);
        return std::make_shared<ExecCredential>(std::move(command), *environment.clock, environment.exec,
                                                environment.loginPath, std::move(consent));
    }
    return nullptr;
}

/// Only where the certificate is all that the user has: with a token besides, the server may not care.
Status checkClientCertificate(const KubeContext &context, const TlsSettings &tls,
                              const ConnectionEnvironment &environment)
{
    const KubeUser &user = context.parts->user;
    if (!environment.clock || tls.certificatePem.isEmpty() || user.hasToken() || !user.username.isEmpty() ||
        user.exec || context.parts->cluster.server.scheme() == QLatin1String("http"))
        return {};
    const auto wrong = certificateOutOfTime(tls.certificatePem, environment.clock->now());
    if (!wrong)
        return {};
    Error error{.code = ErrorCode::Tls,
                .arguments = {shortened(context.userName), wrong->since},
                .subject =
                    displayPath(user.certificatePem.isEmpty() ? user.certificateFile : context.userFile)};
    if (wrong->hasExpired) {
        error.text = QT_TRANSLATE_NOOP("Error", "The client certificate of the user %1 expired on %2.");
        error.remedy = QT_TRANSLATE_NOOP(
            "Error", "Log in again or ask whoever runs the cluster for a new one, and put it into the "
                     "kubeconfig. If it should still be good, check this computer's clock.");
    } else {
        error.text =
            QT_TRANSLATE_NOOP("Error", "The client certificate of the user %1 is valid only from %2.");
        error.remedy = QT_TRANSLATE_NOOP("Error", "Check this computer's clock; if it is right, wait until "
                                                  "then or ask whoever runs the cluster for another one.");
    }
    return failure(error);
}

} // namespace

Result<ContextFiles> readContextFiles(const ContextParts &parts, const QString &contextName)
{
    ContextFiles result;
    TlsSettings &tls = result.tls;
    const KubeCluster &cluster = parts.cluster;
    const KubeUser &user = parts.user;
    const QString owner = shortened(contextName);
    const bool http = cluster.server.scheme() == QLatin1String("http");
    tls.serverName = cluster.tlsServerName;
    tls.skipVerification = cluster.skipVerification;
    tls.authorityPem = cluster.authorityPem;
    tls.certificatePem = user.certificatePem;
    tls.keyPem = user.keyPem;

    struct Wanted
    {
        const FilePath &file;
        QByteArray &target;
        Status (*check)(const QByteArray &, const QString &, const QString &);
    };
    const Wanted wanted[] = {{cluster.authorityFile, tls.authorityPem, &checkCertificatePem},
                             {user.certificateFile, tls.certificatePem, &checkCertificatePem},
                             {user.keyFile, tls.keyPem, &checkKeyPem}};
    for (const Wanted &item : wanted) {
        if (item.file.isEmpty() || !item.target.isEmpty()) // data in the file itself wins
            continue;
        Result<QByteArray> pem = readPemFile(item.file, owner, item.check);
        if (pem)
            item.target = *std::move(pem);
        else if (http)
            result.warnings << std::move(pem.error());
        else
            return tl::unexpected(std::move(pem.error()));
    }
    if (!user.tokenFile.isEmpty()) {
        if (Result<QByteArray> token = readTokenFile(user.tokenFile); !token)
            return tl::unexpected(std::move(token.error()));
    }
    return result;
}

Result<ConnectionSettings> makeConnection(const KubeContext &context,
                                          const ConnectionEnvironment &environment,
                                          std::shared_ptr<const ExecConsent> consent)
{
    if (!context.parts)
        return tl::unexpected(context.parts.error());
    const KubeCluster &cluster = context.parts->cluster;
    Result<ContextFiles> files = readContextFiles(*context.parts, context.name);
    if (!files)
        return tl::unexpected(std::move(files.error()));
    if (Status good = checkClientCertificate(context, files->tls, environment); !good)
        return tl::unexpected(std::move(good.error()));
    ConnectionSettings settings;
    settings.server = cluster.server;
    settings.tls = std::move(files->tls);
    settings.compression = cluster.compression;
    settings.headers = context.parts->user.impersonation;
    Result<ProxySettings> proxy = chooseProxy(cluster.server, cluster.proxyUrl, environment.variables);
    if (!proxy)
        return tl::unexpected(std::move(proxy.error()));
    settings.proxy = *std::move(proxy);
    if (mayCarryCredential(cluster.server))
        settings.credentials = makeCredentials(context, environment, settings.tls, std::move(consent));
    return settings;
}

} // namespace tongchi
