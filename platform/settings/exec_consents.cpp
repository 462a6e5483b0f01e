#include "platform/settings/exec_consents.h"

#include "platform/settings/settings_store.h"

#include <QJsonObject>
#include <algorithm>

namespace tongchi {

namespace {

const QString consentsKey = QStringLiteral("exec_consents");

/// A hash in hexadecimal; nothing shorter, so that a spoiled entry cannot come to mean "anything".
bool isFingerprint(const QByteArray &text)
{
    return text.size() >= 32 && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

} // namespace

bool ExecConsents::isAllowed(const QByteArray &fingerprint) const
{
    return isFingerprint(fingerprint) &&
           m_settings.json(consentsKey).toObject().value(QString::fromLatin1(fingerprint)).isObject();
}

void ExecConsents::allow(const QByteArray &fingerprint, const QString &commandLine, const QString &file)
{
    if (!isFingerprint(fingerprint))
        return;
    QJsonObject all = m_settings.json(consentsKey).toObject();
    all.insert(QString::fromLatin1(fingerprint),
               QJsonObject{{QStringLiteral("command"), commandLine.left(2000)},
                           {QStringLiteral("file"), file.left(2000)}});
    m_settings.setJson(consentsKey, all);
}

void ExecConsents::revoke(const QByteArray &fingerprint)
{
    QJsonObject all = m_settings.json(consentsKey).toObject();
    all.remove(QString::fromLatin1(fingerprint));
    m_settings.setJson(consentsKey, all);
}

QList<ExecAgreement> ExecConsents::list() const
{
    QList<ExecAgreement> agreements;
    const QJsonObject all = m_settings.json(consentsKey).toObject();
    for (auto entry = all.begin(); entry != all.end(); ++entry) {
        const QByteArray fingerprint = entry.key().toLatin1();
        if (!isFingerprint(fingerprint) || !entry.value().isObject())
            continue;
        const QJsonObject object = entry.value().toObject();
        agreements << ExecAgreement{fingerprint, object.value(QLatin1String("command")).toString(),
                                    object.value(QLatin1String("file")).toString()};
    }
    return agreements;
}

QList<QByteArray> ExecConsents::fingerprints() const
{
    QList<QByteArray> all;
    for (const ExecAgreement &agreement : list())
        all << agreement.fingerprint;
    return all;
}

} // namespace tongchi
