#include "models/inventory/source_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <optional>

namespace tongchi {
namespace {

// As platform/inventory writes them, with %1 ... for what varies. Longer beginnings stand first.
constexpr std::array patterns{
    //: Where a value comes from.
    QT_TRANSLATE_NOOP("SourceText", "model of the chip"),
    //: Where a value comes from.
    QT_TRANSLATE_NOOP("SourceText", "name of the resource"),
    //: Where a value comes from: a label of the node.
    QT_TRANSLATE_NOOP("SourceText", "label %1"),
    //: Cards that are connected with one another: number of their network.
    QT_TRANSLATE_NOOP("SourceText", "network %1"),
    //: Ascend: several servers with one interconnect.
    QT_TRANSLATE_NOOP("SourceText", "super node %1"),
    QT_TRANSLATE_NOOP("SourceText", "HAMi reports the card unhealthy"),
    QT_TRANSLATE_NOOP("SourceText", "the kubelet reports the device unhealthy"),
    QT_TRANSLATE_NOOP("SourceText", "the device plug-in reports the card unhealthy"),
    QT_TRANSLATE_NOOP("SourceText", "the device plug-in reports the card's network unhealthy"),
    QT_TRANSLATE_NOOP("SourceText", "the node reports no state"),
    //: Why a node counts as silent: "Ready" is Kubernetes' name of the condition.
    QT_TRANSLATE_NOOP("SourceText", "no Ready condition"),
    QT_TRANSLATE_NOOP("SourceText", "registration could not be read: %1: %2"),
    QT_TRANSLATE_NOOP("SourceText", "only %1 of %2 cards are shown"),
    QT_TRANSLATE_NOOP("SourceText", "%1: the allocatable amount \"%2\" cannot be read"),
    QT_TRANSLATE_NOOP("SourceText", "%1: the amount \"%2\" cannot be read"),
    QT_TRANSLATE_NOOP("SourceText", "%1: %2 are too many to be cards"),
    QT_TRANSLATE_NOOP("SourceText", "%1: only shares are reported, not how many cards there are"),
};

/// What stands for %1 and %2 in `text`, if it has the form of `pattern`.
std::optional<QStringList> valuesIn(const QString &text, const QString &pattern)
{
    QStringList values;
    qsizetype at = 0, from = 0;
    for (;;) {
        const qsizetype place = pattern.indexOf(u'%', from);
        const QString fixed = pattern.mid(from, place < 0 ? -1 : place - from);
        if (values.isEmpty() && from == 0) {
            if (!text.startsWith(fixed))
                return std::nullopt;
            at = fixed.size();
        } else {
            const qsizetype found = place < 0 ? (text.endsWith(fixed) ? text.size() - fixed.size() : -1)
                                              : text.indexOf(fixed, at);
            if (found < at)
                return std::nullopt;
            values.append(text.mid(at, found - at));
            at = found + fixed.size();
        }
        if (place < 0)
            return at == text.size() ? std::optional(values) : std::nullopt;
        from = place + 2;
    }
}

QString translatedPhrase(const QString &english)
{
    for (const char *pattern : patterns) {
        const auto values = valuesIn(english, QString::fromUtf8(pattern));
        if (!values)
            continue;
        const QString text = QCoreApplication::translate("SourceText", pattern);
        if (values->isEmpty())
            return text;
        return values->size() == 1 ? text.arg(values->first()) : text.arg(values->at(0), values->at(1));
    }
    return english;
}

} // namespace

QString sourceText(const QString &english)
{
    if (!english.contains(QLatin1String("; ")))
        return translatedPhrase(english);
    QStringList phrases;
    for (const QString &phrase : english.split(QStringLiteral("; ")))
        phrases.append(translatedPhrase(phrase));
    //: Stands between two remarks.
    return phrases.join(QCoreApplication::translate("SourceText", "; "));
}

} // namespace tongchi
