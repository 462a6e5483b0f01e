#pragma once

#include "tests/real/twins/twin_difference.h"

namespace tongchi::twins {

/// Differences that somebody has looked at and wants to stay, each with its reason.
class ReviewedList
{
public:
    struct Entry
    {
        QList<QByteArray> calls;
        QByteArray step; ///< empty: any
        Place place = Place::Status;
        QByteArray path; ///< a pattern, see pathMatches()
        QByteArray reason;
    };

    /// `problem` says what is wrong with the file.
    static ReviewedList read(const QString &file, QString *problem);
    explicit ReviewedList(std::vector<Entry> entries = {}) : m_entries(std::move(entries)) {}

    /// What is left of the differences of a call, each as text; also every entry of this call that covers
    /// nothing any more.
    QList<QByteArray> complaints(const QByteArray &call, const std::vector<Difference> &differences) const;
    /// Entries of calls that are in no table.
    QList<QByteArray> withoutCall(const std::vector<TwinCall> &calls) const;

private:
    std::vector<Entry> m_entries;
};

} // namespace tongchi::twins
