#include "platform/kubernetes/exec_credential.h"

#include "platform/core/text_encoding.h"
#include "platform/kubernetes/kubeconfig_fields.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QtCore/qcoreapplication.h>

// As everywhere in this room: one set of options a program, or its inline functions differ.
#define SIMDJSON_EXCEPTIONS 0
#ifndef SIMDJSON_DEVELOPMENT_CHECKS
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#endif
#include <simdjson.h>

namespace tongchi {

QByteArray execInfo(const ExecCommand &command)
{
    QByteArray json = "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + command.apiVersion.toUtf8() +
                      "\",\"spec\":{\"interactive\":false";
    if (command.provideClusterInfo && !command.clusterInfo.isEmpty())
        json += ",\"cluster\":" + command.clusterInfo;
    return json + "}}";
}

namespace {

tl::unexpected<Error> answerFailure(const char *text, const ExecCommand &command, const QString &detail = {})
{
    return failure(
        {.code = ErrorCode::Protocol,
         .text = text,
         .arguments = {shortened(command.command)},
         .remedy = QT_TRANSLATE_NOOP(
             "Error", "Run the plug-in in a terminal and look at what it prints; update it if needed."),
         .detail = detail});
}

/// Empty for an absent, null or non-text member.
QByteArray answerText(const simdjson::dom::object &object, std::string_view name, bool &wrongKind)
{
    simdjson::dom::element value;
    if (object[name].get(value) || value.is_null())
        return {};
    std::string_view text;
    if (value.get(text)) {
        wrongKind = true;
        return {};
    }
    return QByteArray(text.data(), qsizetype(text.size()));
}

} // namespace

Result<Credential> parseExecAnswer(const QByteArray &json, const ExecCommand &command)
{
    simdjson::dom::parser parser;
    simdjson::dom::object root;
    const QByteArray trimmed = json.trimmed();
    if (trimmed.isEmpty())
        return answerFailure(QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 printed nothing."),
                             command);
    const auto code = parser.parse(trimmed.constData(), std::size_t(trimmed.size())).get(root);
    if (code) {
        return answerFailure(
            QT_TRANSLATE_NOOP("Error", "What the credential plug-in %1 printed is not JSON."), command,
            QString::fromLatin1(simdjson::error_message(code)));
    }
    bool wrongKind = false;
    const QByteArray kind = answerText(root, "kind", wrongKind);
    const QByteArray version = answerText(root, "apiVersion", wrongKind);
    if (kind != "ExecCredential")
        return answerFailure(
            QT_TRANSLATE_NOOP("Error", "What the credential plug-in %1 printed is not an ExecCredential."),
            command);
    if (version != command.apiVersion.toUtf8()) {
        return failure(
            {.code = ErrorCode::Protocol,
             .text =
                 QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 was asked for %2 and answered in %3."),
             .arguments = {shortened(command.command), command.apiVersion,
                           shortened(visibleText(QString::fromUtf8(version)))},
             .remedy = QT_TRANSLATE_NOOP(
                 "Error",
                 "Write the version it answers in as apiVersion in the kubeconfig, or update the plug-in.")});
    }
    simdjson::dom::object status;
    if (root["status"].get(status))
        return answerFailure(
            QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 answered without a status."), command);
    Credential credential;
    const QByteArray token = answerText(status, "token", wrongKind).trimmed();
    credential.certificatePem = answerText(status, "clientCertificateData", wrongKind);
    credential.keyPem = answerText(status, "clientKeyData", wrongKind);
    const QByteArray expires = answerText(status, "expirationTimestamp", wrongKind);
    if (wrongKind || !fitsHeader(token))
        return answerFailure(
            QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 answered with a value of the wrong kind."),
            command);
    if (credential.certificatePem.isEmpty() != credential.keyPem.isEmpty())
        return answerFailure(
            QT_TRANSLATE_NOOP(
                "Error",
                "The credential plug-in %1 answered with a certificate or a key alone; both are needed."),
            command);
    if (token.isEmpty() && credential.certificatePem.isEmpty())
        return answerFailure(
            QT_TRANSLATE_NOOP("Error", "The credential plug-in %1 answered without a token or certificate."),
            command);
    if (!credential.certificatePem.isEmpty()) {
        if (Status good =
                checkCertificatePem(credential.certificatePem, QStringLiteral("clientCertificateData"),
                                    shortened(command.command));
            !good)
            return tl::unexpected(std::move(good.error()));
        if (Status good =
                checkKeyPem(credential.keyPem, QStringLiteral("clientKeyData"), shortened(command.command));
            !good)
            return tl::unexpected(std::move(good.error()));
    }
    if (!token.isEmpty())
        credential.authorization = "Bearer " + token;
    if (!expires.isEmpty()) {
        const QDateTime time =
            QDateTime::fromString(QString::fromLatin1(expires.left(64)), Qt::ISODateWithMs);
        if (!time.isValid() || time.timeSpec() == Qt::LocalTime)
            return answerFailure(
                QT_TRANSLATE_NOOP(
                    "Error", "The credential plug-in %1 answered with an expiry that is no point in time."),
                command);
        credential.expires = Instant(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
    }
    return credential;
}

QString execMessage(const QByteArray &standardError, int limit)
{
    QString text = QString::fromUtf8(standardError);
    static const QRegularExpression escapes(QStringLiteral("\\x1b\\[[0-9;?]*[A-Za-z]"));
    text.remove(escapes);
    static const QRegularExpression token(
        QStringLiteral("eyJ[A-Za-z0-9_-]{8,}(\\.[A-Za-z0-9_-]+)*|[Bb]earer\\s+\\S+"));
    text.replace(token, QStringLiteral("•••"));
    text = visibleText(text.simplified());
    if (text.size() > limit)
        text = QChar(0x2026) + text.right(limit - 1);
    return text;
}

} // namespace tongchi
