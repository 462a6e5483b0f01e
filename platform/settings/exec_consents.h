#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace tongchi {

class SettingsStore;

/// One remembered agreement that a credential plug-in may run.
struct ExecAgreement
{
    QByteArray fingerprint; ///< stands for exactly this command line, its variables and its kubeconfig
    QString commandLine;    ///< for the list of agreements; secrets already replaced by who gives it
    QString file;           ///< kubeconfig it comes from
    bool operator==(const ExecAgreement &) const = default;
};

/// Agreements of the operator, kept in the settings. GUI thread; give a copy of fingerprints() to other
/// threads. What cannot be read is no agreement.
class ExecConsents
{
public:
    /// `settings` must outlive this.
    explicit ExecConsents(SettingsStore *settings) : m_settings(*settings) {}

    bool isAllowed(const QByteArray &fingerprint) const;
    void allow(const QByteArray &fingerprint, const QString &commandLine = {}, const QString &file = {});
    void revoke(const QByteArray &fingerprint);
    QList<ExecAgreement> list() const;
    QList<QByteArray> fingerprints() const;

private:
    SettingsStore &m_settings;
};

} // namespace tongchi
