#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <utility>

namespace tongchi::test {

/// One request and its answer as they went over the wire.
struct Exchange
{
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    QString file; ///< without its folder
    QString name;
    QByteArray method;
    QByteArray target; ///< with its query
    Headers requestHeaders;
    QByteArray requestBody;
    int status = 0;
    Headers headers;
    QByteArray body; ///< chunks joined; without the line end behind it

    QByteArray path() const
    {
        return target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?'));
    }
    /// A value of the query, decoded.
    QByteArray parameter(const char *key) const;
    static QByteArray header(const Headers &headers, QByteArrayView key);

    /// A status of 400 and above, or a failure inside a success: an ERROR event, a status "error" or
    /// "Failure", warnings of a partial answer.
    bool isError() const;
};

/// Reads recordings: `### name`, `>>> request`, `<<< response`, raw HTTP in between. What stands outside of
/// exchanges is skipped. A half that is not HTTP, or a body that was shortened, is an entry of `problems`.
QList<Exchange> parseTranscript(const QString &file, const QByteArray &text, QStringList *problems);

/// All recordings of tests/data/transcripts; problems fail the test.
QList<Exchange> allExchanges();
const Exchange *findExchange(const QList<Exchange> &exchanges, const QString &file, const QString &name);

} // namespace tongchi::test
