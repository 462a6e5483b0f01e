#include "platform/kubernetes/admission_words.h"

#include "platform/core/text_encoding.h"

#include <QRegularExpression>
#include <QtCore/qcoreapplication.h>

namespace tongchi {

namespace {

constexpr qsizetype kLongestRead = 4000;

/// "kueue-webhook-service.kueue-system" of "kueue-webhook-service.kueue-system.svc"; another host stays.
QString serviceOf(const QString &message)
{
    static const QRegularExpression url(QStringLiteral("\"https://(\\[[^\\]\"]*\\]|[^/:?\"]+)"));
    QString host = url.match(message).captured(1);
    if (host.endsWith(QLatin1String(".svc")))
        host.chop(4);
    return host;
}

} // namespace

std::optional<AdmissionWords> parseAdmission(const QString &message)
{
    using Kind = AdmissionWords::Kind;
    static const QRegularExpression denied(
        QStringLiteral("^admission webhook \"([^\"]+)\" denied the request(?:: (.*)| without explanation)$"),
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression noDryRun(
        QStringLiteral("^admission webhook \"([^\"]+)\" does not support dry run"));
    static const QRegularExpression unanswered(QStringLiteral("failed calling webhook \"([^\"]+)\""));
    static const QRegularExpression policy(
        QStringLiteral("ValidatingAdmissionPolicy '([^']+)' with binding '[^']*' denied request(?:: (.*))?$"),
        QRegularExpression::DotMatchesEverythingOption);
    const QString read = message.left(kLongestRead);
    if (const auto match = denied.match(read); match.hasMatch())
        return AdmissionWords{Kind::Denied, match.captured(1), {}, match.captured(2).trimmed()};
    if (const auto match = noDryRun.match(read); match.hasMatch())
        return AdmissionWords{Kind::NoDryRun, match.captured(1), {}, {}};
    if (const auto match = unanswered.match(read); match.hasMatch())
        return AdmissionWords{Kind::Unanswered, match.captured(1), serviceOf(read), {}};
    if (const auto match = policy.match(read); match.hasMatch())
        return AdmissionWords{Kind::Policy, match.captured(1), {}, match.captured(2).trimmed()};
    return std::nullopt;
}

void describeAdmission(Error &error, const AdmissionWords &words)
{
    constexpr qsizetype longestName = 200;
    constexpr qsizetype longestReason = 600;
    using Kind = AdmissionWords::Kind;
    const QString name = visibleText(words.name.left(longestName));
    error.arguments = {name, visibleText(words.reason.left(longestReason))};
    switch (words.kind) {
    case Kind::Denied:
        error.text =
            words.reason.isEmpty()
                ? QT_TRANSLATE_NOOP("Error", "The webhook %1 refuses the change and gives no reason.")
                : QT_TRANSLATE_NOOP("Error", "The webhook %1 refuses the change: %2");
        error.remedy =
            QT_TRANSLATE_NOOP("Error", "Change what it objects to, or ask whoever runs this rule.");
        break;
    case Kind::Policy:
        error.text = words.reason.isEmpty()
                         ? QT_TRANSLATE_NOOP("Error", "The policy %1 refuses the change and gives no reason.")
                         : QT_TRANSLATE_NOOP("Error", "The policy %1 refuses the change: %2");
        error.remedy =
            QT_TRANSLATE_NOOP("Error", "Change what it objects to, or ask whoever runs this rule.");
        break;
    case Kind::NoDryRun:
        error.text = QT_TRANSLATE_NOOP(
            "Error", "The change cannot be tried out first: the webhook %1 takes no dry runs.");
        error.remedy = QT_TRANSLATE_NOOP("Error", "Ask whoever runs this webhook to let dry runs pass.");
        break;
    case Kind::Unanswered:
        error.arguments = {name,
                           visibleText(words.service.isEmpty() ? name : words.service.left(longestName))};
        error.text = QT_TRANSLATE_NOOP(
            "Error", "%2 has to check this change (webhook %1), but gives no answer. Nothing was changed.");
        error.remedy = QT_TRANSLATE_NOOP("Error", "Bring %2 back, then try again.");
        return; // as it came: another try helps once it is back
    }
    error.code = error.httpStatus == 403 ? ErrorCode::Forbidden : ErrorCode::Invalid;
}

} // namespace tongchi
