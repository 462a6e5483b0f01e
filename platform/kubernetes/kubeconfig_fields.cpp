#include "platform/kubernetes/kubeconfig_fields.h"

#include <QtCore/qcoreapplication.h>

namespace tongchi {

KubeconfigFields::KubeconfigFields(const KubeconfigYaml &map, QString owner, QString file)
    : m_map(map), m_owner(shortened(owner)), m_file(std::move(file))
{
}

void KubeconfigFields::fail(Error error)
{
    if (m_error)
        return;
    if (error.subject.isEmpty())
        error.subject = m_file;
    m_error = std::move(error);
}

bool KubeconfigFields::checkOnce(const char *field)
{
    if (m_map.count(field) <= 1)
        return true;
    fail({.code = ErrorCode::Invalid,
          .text = QT_TRANSLATE_NOOP(
              "Error", "The field %1 of %2 stands there twice, and nothing says which one is meant."),
          .arguments = {QString::fromLatin1(field), m_owner},
          .remedy = QT_TRANSLATE_NOOP("Error", "Remove one of them.")});
    return false;
}

void KubeconfigFields::wrongKind(const char *field, int line)
{
    fail({.code = ErrorCode::Invalid,
          .text = QT_TRANSLATE_NOOP("Error", "The field %1 of %2 has a value of the wrong kind (line %3)."),
          .arguments = {QString::fromLatin1(field), m_owner, QString::number(line)},
          .remedy = QT_TRANSLATE_NOOP("Error", "Correct the file at this place and load it again.")});
}

const KubeconfigYaml *KubeconfigFields::node(const char *field)
{
    if (!checkOnce(field))
        return nullptr;
    const KubeconfigYaml *found = m_map.find(field);
    return found && !found->isNull() ? found : nullptr;
}

QString KubeconfigFields::text(const char *field)
{
    const KubeconfigYaml *found = node(field);
    if (!found)
        return {};
    if (found->kind != KubeconfigYaml::Kind::Scalar) {
        wrongKind(field, found->line);
        return {};
    }
    return QString::fromUtf8(found->text.data(), qsizetype(found->text.size()));
}

bool KubeconfigFields::flag(const char *field)
{
    const KubeconfigYaml *found = node(field);
    if (!found)
        return false;
    const QString word = text(field).toLower();
    if (word == QLatin1String("true") || word == QLatin1String("yes") || word == QLatin1String("on"))
        return true;
    if (word != QLatin1String("false") && word != QLatin1String("no") && word != QLatin1String("off"))
        wrongKind(field, found->line);
    return false;
}

QByteArray KubeconfigFields::base64(const char *field)
{
    const QByteArray written = text(field).toUtf8();
    if (written.isEmpty())
        return {};
    Result<QByteArray> decoded = decodeKubeconfigBase64(written, QString::fromLatin1(field), m_owner);
    if (!decoded) {
        fail(std::move(decoded.error()));
        return {};
    }
    return *std::move(decoded);
}

FilePath KubeconfigFields::path(const char *field, const FilePath &folder)
{
    const QByteArray written = text(field).toUtf8();
    return written.isEmpty() ? FilePath() : resolvePath(folder, written);
}

QStringList KubeconfigFields::list(const char *field)
{
    const KubeconfigYaml *found = node(field);
    if (!found)
        return {};
    if (found->kind != KubeconfigYaml::Kind::Sequence) {
        wrongKind(field, found->line);
        return {};
    }
    QStringList result;
    for (const KubeconfigYamlPtr &item : found->items) {
        if (item->kind == KubeconfigYaml::Kind::Sequence || item->kind == KubeconfigYaml::Kind::Mapping) {
            wrongKind(field, item->line);
            return {};
        }
        result << QString::fromUtf8(item->text.data(), qsizetype(item->text.size()));
    }
    return result;
}

Result<QByteArray> decodeKubeconfigBase64(const QByteArray &text, const QString &field, const QString &owner)
{
    QByteArray digits;
    digits.reserve(text.size());
    qsizetype wrong = -1;
    qsizetype padding = 0;
    for (qsizetype i = 0; i < text.size() && wrong < 0; ++i) {
        const char c = text.at(i);
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t')
            continue;
        const bool digit = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                           c == '+' || c == '/';
        if (c == '=' && padding < 2)
            ++padding;
        else if (!digit || padding > 0)
            wrong = i;
        else
            digits += c;
    }
    if (wrong >= 0 && text.trimmed().startsWith("-----BEGIN")) {
        return failure(
            {.code = ErrorCode::Invalid,
             .text =
                 QT_TRANSLATE_NOOP("Error", "The field %1 of %2 holds PEM text where base64 of it belongs."),
             .arguments = {field, owner},
             .remedy = QT_TRANSLATE_NOOP(
                 "Error", "Encode it with base64 -w0, or name the file in the field without -data.")});
    }
    if (wrong >= 0) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP(
                            "Error", "The field %1 of %2 is not base64: wrong character at position %3."),
                        .arguments = {field, owner, QString::number(wrong)},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Copy the value again from where it came.")});
    }
    if (digits.size() % 4 == 1 || (padding > 0 && (digits.size() + padding) % 4 != 0)) {
        return failure({.code = ErrorCode::Invalid,
                        .text = QT_TRANSLATE_NOOP(
                            "Error", "The field %1 of %2 is not base64: it is cut off after %3 characters."),
                        .arguments = {field, owner, QString::number(text.size())},
                        .remedy = QT_TRANSLATE_NOOP("Error", "Copy the value again from where it came.")});
    }
    return QByteArray::fromBase64(digits);
}

namespace {

/// A file or a field that was cut off begins well.
Status checkPemEnd(const QByteArray &pem, const QString &source, const QString &owner)
{
    if (pem.contains("-----END "))
        return {};
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "%1 of %2 is cut off: its -----END line is missing."),
                    .arguments = {source, owner},
                    .remedy = QT_TRANSLATE_NOOP("Error", "Copy the value again from where it came.")});
}

} // namespace

Status checkCertificatePem(const QByteArray &pem, const QString &source, const QString &owner)
{
    if (pem.contains("-----BEGIN CERTIFICATE-----") || pem.contains("-----BEGIN TRUSTED CERTIFICATE-----"))
        return checkPemEnd(pem, source, owner);
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "%1 of %2 holds no certificate in PEM form."),
                    .arguments = {source, owner},
                    .remedy = QT_TRANSLATE_NOOP(
                        "Error", "It has to hold text that begins with -----BEGIN CERTIFICATE-----.")});
}

Status checkKeyPem(const QByteArray &pem, const QString &source, const QString &owner)
{
    if (pem.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || pem.contains("Proc-Type: 4,ENCRYPTED")) {
        return failure(
            {.code = ErrorCode::NotSupported,
             .text = QT_TRANSLATE_NOOP("Error", "%1 of %2 is a private key that needs a password."),
             .arguments = {source, owner},
             .remedy = QT_TRANSLATE_NOOP("Error",
                                         "Store the key without a password, or use a credential plug-in.")});
    }
    if (pem.contains("-----BEGIN ") && pem.contains("PRIVATE KEY-----"))
        return checkPemEnd(pem, source, owner);
    return failure({.code = ErrorCode::Invalid,
                    .text = QT_TRANSLATE_NOOP("Error", "%1 of %2 holds no private key in PEM form."),
                    .arguments = {source, owner},
                    .remedy = QT_TRANSLATE_NOOP(
                        "Error", "It has to hold text that begins with -----BEGIN PRIVATE KEY-----.")});
}

QString shortened(const QString &text, qsizetype limit)
{
    return text.size() <= limit ? text : text.left(limit) + QChar(0x2026);
}

bool fitsHeader(const QByteArray &value)
{
    for (const char c : value) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return false;
    }
    return true;
}

} // namespace tongchi
