#pragma once

#include "platform/core/error.h"

#include <QString>
#include <optional>

namespace tongchi {

/// What the API server says when something that checks changes stood in the way (source: its messages; the
/// status and the reason are whatever that something chose).
struct AdmissionWords
{
    enum class Kind {
        Denied,     ///< a webhook refuses the change
        Unanswered, ///< a webhook has to be asked and cannot
        NoDryRun,   ///< a webhook that must not be asked for a trial
        Policy,     ///< a ValidatingAdmissionPolicy refuses the change
    };
    Kind kind = Kind::Denied;
    QString name;    ///< of the webhook or the policy
    QString service; ///< Unanswered: "service.namespace" of the webhook, or its host; may be empty
    QString reason;  ///< Denied, Policy: its words; may be empty
};

/// Nothing for every other message.
std::optional<AdmissionWords> parseAdmission(const QString &message);

/// Puts it into words. A refusal is Invalid, or Forbidden with status 403, whatever else it came as: another
/// try of the same change is refused again.
void describeAdmission(Error &error, const AdmissionWords &words);

} // namespace tongchi
