#include "models/common/error_text.h"

#include "models/common/formatting.h"
#include "platform/core/text_encoding.h"

#include <QCoreApplication>
#include <array>

namespace tongchi {
namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("Error", text);
}

const char *generalSentence(ErrorCode code)
{
    switch (code) { // no default: a new code needs its sentence
    case ErrorCode::Network:
        return QT_TRANSLATE_NOOP("Error", "The server cannot be reached.");
    case ErrorCode::Timeout:
        return QT_TRANSLATE_NOOP("Error", "The server did not answer in time.");
    case ErrorCode::Cancelled:
        return QT_TRANSLATE_NOOP("Error", "Cancelled.");
    case ErrorCode::Tls:
        return QT_TRANSLATE_NOOP("Error", "No secure connection could be made.");
    case ErrorCode::Unauthorized:
        return QT_TRANSLATE_NOOP("Error", "The server did not accept the credential.");
    case ErrorCode::Forbidden:
        return QT_TRANSLATE_NOOP("Error", "This user may not do that.");
    case ErrorCode::NotFound:
        return QT_TRANSLATE_NOOP("Error", "It does not exist on the server.");
    case ErrorCode::Conflict:
        return QT_TRANSLATE_NOOP("Error", "Somebody else changed it meanwhile.");
    case ErrorCode::Gone:
        return QT_TRANSLATE_NOOP("Error", "The server no longer has that version.");
    case ErrorCode::RateLimited:
        return QT_TRANSLATE_NOOP("Error", "The server asks for fewer requests.");
    case ErrorCode::Invalid:
        return QT_TRANSLATE_NOOP("Error", "The request or the input is not valid.");
    case ErrorCode::Server:
        return QT_TRANSLATE_NOOP("Error", "The server failed.");
    case ErrorCode::Protocol:
        return QT_TRANSLATE_NOOP("Error", "The answer cannot be understood.");
    case ErrorCode::NotSupported:
        return QT_TRANSLATE_NOOP("Error", "This is not supported.");
    case ErrorCode::Storage:
        return QT_TRANSLATE_NOOP("Error", "A file on this machine cannot be read or written.");
    case ErrorCode::NeedsConsent:
        return QT_TRANSLATE_NOOP("Error", "A program has to be run, and you have not agreed yet.");
    }
    return "";
}

const char *generalRemedy(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Network:
        return QT_TRANSLATE_NOOP(
            "Error", "Check the address, the network and the proxy; it is tried again by itself.");
    case ErrorCode::Timeout:
        return QT_TRANSLATE_NOOP("Error",
                                 "It is tried again by itself; if it lasts, look at the server's load.");
    case ErrorCode::Cancelled:
        return "";
    case ErrorCode::Tls:
        return QT_TRANSLATE_NOOP("Error", "Choose the right CA file or server name in Connections.");
    case ErrorCode::Unauthorized:
        return QT_TRANSLATE_NOOP("Error", "Sign in again or choose another user in Connections.");
    case ErrorCode::Forbidden:
        return QT_TRANSLATE_NOOP("Error", "Ask whoever runs the cluster for the permission.");
    case ErrorCode::NotFound:
        return QT_TRANSLATE_NOOP("Error", "Refresh, then look at the name and the address.");
    case ErrorCode::Conflict:
        return QT_TRANSLATE_NOOP("Error", "Look at the new state, then decide again.");
    case ErrorCode::Gone:
        return QT_TRANSLATE_NOOP("Error", "The list is read afresh by itself.");
    case ErrorCode::RateLimited:
        return QT_TRANSLATE_NOOP("Error", "It is tried again after the pause that the server named.");
    case ErrorCode::Invalid:
        return QT_TRANSLATE_NOOP("Error", "Correct the input and try again.");
    case ErrorCode::Server:
        return QT_TRANSLATE_NOOP("Error",
                                 "It is tried again by itself; if it lasts, look at the server's log.");
    case ErrorCode::Protocol:
        return QT_TRANSLATE_NOOP("Error", "Check that the address is that of the right service.");
    case ErrorCode::NotSupported:
        return QT_TRANSLATE_NOOP("Error", "Use another way or a newer version.");
    case ErrorCode::Storage:
        return QT_TRANSLATE_NOOP("Error", "Check the path, the permissions and the free space.");
    case ErrorCode::NeedsConsent:
        return QT_TRANSLATE_NOOP("Error", "Look at the command in Connections and agree or refuse.");
    }
    return "";
}

/// "nodes of bj-prod", as the platform names what it was reading, in the interface's language.
QString subjectText(const QString &subject)
{
    static constexpr std::array kinds{
        QT_TRANSLATE_NOOP("Error", "nodes of %1"),
        QT_TRANSLATE_NOOP("Error", "pods of %1"),
        QT_TRANSLATE_NOOP("Error", "resource slices of %1"),
        QT_TRANSLATE_NOOP("Error", "resource claims of %1"),
        QT_TRANSLATE_NOOP("Error", "Prometheus of %1"),
        QT_TRANSLATE_NOOP("Error", "Ascend device information of %1"),
    };
    for (const char *kind : kinds) {
        const QString beginning = QString::fromLatin1(kind).chopped(2);
        if (subject.startsWith(beginning))
            return substituteArguments(translated(kind), {subject.mid(beginning.size())});
    }
    return subject;
}

QStringList visibleArguments(const QStringList &arguments)
{
    QStringList shown;
    shown.reserve(arguments.size());
    for (const QString &argument : arguments)
        shown << visibleText(argument.size() > 600 ? argument.left(600) + QChar(0x2026) : argument);
    return shown;
}

} // namespace

ErrorText errorText(const Error &error)
{
    const QStringList arguments = visibleArguments(error.arguments);
    ErrorText result;
    result.sentence =
        substituteArguments(translated(error.text ? error.text : generalSentence(error.code)), arguments);
    if (!error.subject.isEmpty()) {
        //: %1 is a file, a server or an object, %2 the sentence about it.
        result.sentence = substituteArguments(QCoreApplication::translate("Error", "%1: %2"),
                                              {visibleText(subjectText(error.subject)), result.sentence});
    }
    const char *remedy = error.remedy ? error.remedy : generalRemedy(error.code);
    if (*remedy)
        result.remedy = substituteArguments(translated(remedy), arguments);
    return result;
}

QString errorLine(const Error &error)
{
    ErrorText text = errorText(error);
    // A sentence that ends with what somebody else wrote.
    if (!text.remedy.isEmpty() && !text.sentence.isEmpty() &&
        !QStringLiteral(".!?:\u3002\uff01\uff1f\uff1a\u2026").contains(text.sentence.back()))
        //: The stop behind a sentence.
        text.sentence += QCoreApplication::translate("Error", ".");
    return sentencesText(text.sentence, text.remedy);
}

} // namespace tongchi
