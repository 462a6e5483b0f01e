#pragma once

#include "tests/real/twins/raw_http.h"

#include <QJsonValue>
#include <QMap>
#include <vector>

namespace tongchi::twins {

/// How the answers to a step are compared.
struct Comparison
{
    bool shapeOnly = false;      ///< keys and types count, values do not; of a list the first element
    QList<QByteArray> masked;    ///< pointers to values that count for nothing, their types do; * is any step
    QList<QByteArray> unordered; ///< lists whose order is no part of the contract
    /// Lists of which the embedded one may hold a part: the pointer, and the member that names an element.
    QMap<QByteArray, QByteArray> partial;
    QList<QByteArray> subset; ///< objects of which the embedded one may lack members
};

/// One request and what is done with its answer. Texts may hold {variables}.
struct TwinStep
{
    QByteArray name; ///< of differences; empty in a call of one step
    RawRequest request;
    QByteArray as = "admin";      ///< admin, viewer, stranger, expired or nobody
    bool stream = false;          ///< the answer is a sequence of JSON lines
    int events = 0;               ///< the stream is left after so many; 0: the server ends it
    QByteArray only;              ///< "real" or "embedded": not sent to the other one
    bool mayFail = false;         ///< of cleanups
    std::vector<TwinStep> during; ///< sent when the stream's head has come
    /// Repeated until the value at the pointer is this one.
    QByteArray untilAt;
    QByteArray untilIs;
    QMap<QByteArray, QByteArray> take; ///< variable: pointer into the answer
    Comparison comparison;
};

/// What both servers are asked, in order. A test of its own.
struct TwinCall
{
    QByteArray id;
    QByteArray engine;           ///< "kubernetes" or "prometheus"
    QByteArray point;            ///< of the issue, that the table of this call proves
    bool live = false;           ///< too large to be recorded
    std::vector<TwinStep> setup; ///< have to succeed; not compared
    std::vector<TwinStep> steps;
    std::vector<TwinStep> cleanup;
};

/// The calls of all tables in a folder, in the order of their files; `problem` says what is wrong with one.
std::vector<TwinCall> readTwinCalls(const QString &folder, QString *problem);

/// Puts the variables in; `problem` names one that there is not.
QByteArray filledIn(const QByteArray &text, const QMap<QByteArray, QByteArray> &variables, QString *problem);

} // namespace tongchi::twins
