#pragma once

#include "platform/core/result.h"
#include "platform/kubernetes/kubeconfig_path.h"
#include "platform/kubernetes/kubeconfig_yaml.h"

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

namespace tongchi {

/// Reads the fields of one entry of a kubeconfig and keeps the first thing that is wrong with them. Absent
/// and null fields read as empty; unknown fields are of no concern.
class KubeconfigFields
{
public:
    /// `owner` is the name of the cluster, user or context, `file` what the errors call the file.
    KubeconfigFields(const KubeconfigYaml &map, QString owner, QString file);

    QString text(const char *field);
    bool flag(const char *field);
    QByteArray base64(const char *field);
    /// A path counted from the kubeconfig's folder.
    FilePath path(const char *field, const FilePath &folder);
    QStringList list(const char *field);
    /// The value itself if it is there and not null.
    const KubeconfigYaml *node(const char *field);

    void fail(Error error);
    bool hasFailed() const { return m_error.has_value(); }
    const Error &error() const { return *m_error; }
    const QString &owner() const { return m_owner; }

private:
    bool checkOnce(const char *field);
    void wrongKind(const char *field, int line);

    const KubeconfigYaml &m_map;
    QString m_owner;
    QString m_file;
    std::optional<Error> m_error;
};

/// Decodes base64 as people's files have it (line breaks and blanks inside are fine). Error Invalid names the
/// field and the position, from 0, of the first wrong character.
[[nodiscard]] Result<QByteArray> decodeKubeconfigBase64(const QByteArray &text, const QString &field,
                                                        const QString &owner);

/// At least one certificate in PEM form. `source` is the field or the file.
[[nodiscard]] Status checkCertificatePem(const QByteArray &pem, const QString &source, const QString &owner);
/// A private key in PEM form that needs no password.
[[nodiscard]] Status checkKeyPem(const QByteArray &pem, const QString &source, const QString &owner);

/// Untrusted text for an error: cut to a length that fits a sentence.
QString shortened(const QString &text, qsizetype limit = 120);

/// No control characters, so that it can be the value of a request header.
bool fitsHeader(const QByteArray &value);

} // namespace tongchi
