#include "platform/kubernetes/certificate_times.h"

#include <QDateTime>
#include <QSslCertificate>

namespace tongchi {

std::optional<CertificateOutOfTime> certificateOutOfTime(const QByteArray &pem, Instant now)
{
    const auto text = [](const QDateTime &time) {
        return time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'"));
    };
    const QDateTime today = QDateTime::fromMSecsSinceEpoch(now.time_since_epoch().count(), Qt::UTC);
    for (const QSslCertificate &certificate : QSslCertificate::fromData(pem, QSsl::Pem)) {
        if (certificate.expiryDate() < today)
            return CertificateOutOfTime{true, text(certificate.expiryDate())};
        if (certificate.effectiveDate() > today)
            return CertificateOutOfTime{false, text(certificate.effectiveDate())};
    }
    return {};
}

} // namespace tongchi
