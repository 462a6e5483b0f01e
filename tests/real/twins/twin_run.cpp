#include "tests/real/twins/twin_server.h"
#include "tests/support/wait.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QRegularExpression>

namespace tongchi::twins {

namespace {

QByteArray shown(const QJsonValue &value)
{
    if (value.isString())
        return value.toString().toUtf8();
    if (value.isDouble())
        return QByteArray::number(value.toDouble(), 'f', 0);
    return value.isBool() ? QByteArray(value.toBool() ? "true" : "false") : QByteArray();
}

QByteArray firstLines(const QByteArray &text, int count)
{
    qsizetype end = 0;
    for (int i = 0; i < count && end >= 0; ++i)
        end = text.indexOf('\n', end) + 1;
    return text.left(end);
}

class CallRunner
{
public:
    CallRunner(const TwinCall &call, const TwinServer &server, QString *problem)
        : m_call(call), m_server(server), m_problem(problem), m_variables(server.variables)
    {
        m_variables.insert("id", QByteArray(call.id).replace('_', '-'));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        m_variables.insert("now", QByteArray::number(now.toSecsSinceEpoch()));
        m_variables.insert("moment", now.toString(QStringLiteral("yyyy-MM-dd'T'hh:mm:ss'Z'")).toLatin1());
    }

    void sendAll(const std::vector<TwinStep> &steps)
    {
        for (const TwinStep &step : steps) {
            if (m_problem->isEmpty() && concerns(step))
                sendOne(step);
        }
    }

    Transcript compareAll(const std::vector<TwinStep> &steps)
    {
        Transcript transcript;
        for (const TwinStep &step : steps) {
            if (!m_problem->isEmpty())
                break;
            RawAnswer raw = send(step);
            take(step, raw);
            if (step.events > 0) // one piece of the stream may hold more
                raw.body = firstLines(raw.body, step.events);
            transcript.push_back(normalised(step.name, raw, step.stream));
        }
        return transcript;
    }

private:
    bool concerns(const TwinStep &step) const { return step.only.isEmpty() || step.only == m_server.name; }

    /// A step whose answer has to be a success, again until it says what is wanted.
    void sendOne(const TwinStep &step)
    {
        RawAnswer raw;
        const auto done = [&] {
            raw = send(step);
            if (step.untilAt.isEmpty() || !m_problem->isEmpty())
                return true;
            const QJsonValue body(QJsonDocument::fromJson(raw.text()).object());
            return step.untilAt == "status" ? QByteArray::number(raw.status) == step.untilIs
                                            : shown(valueAt(body, step.untilAt)) == step.untilIs;
        };
        const bool came = test::waitUntil(done, std::chrono::seconds(60));
        if (!step.mayFail && (!came || raw.status / 100 != 2))
            *m_problem = QStringLiteral("%1: %2 %3 was answered %4 %5%6")
                             .arg(QString::fromUtf8(m_server.name), QString::fromLatin1(step.request.method),
                                  QString::fromUtf8(step.request.target))
                             .arg(raw.status)
                             .arg(QString::fromUtf8(raw.text().left(2000)), raw.problem);
        take(step, raw);
    }

    RawAnswer send(const TwinStep &step)
    {
        RawRequest request = step.request;
        request.target = m_server.prefixes.value(m_call.engine) + fill(request.target);
        request.body = fill(request.body);
        for (auto &header : request.headers)
            header.second = fill(header.second);
        if (m_call.engine == "kubernetes") {
            request.headers.append(std::pair<QByteArray, QByteArray>("User-Agent", "twins/1.0"));
            if (step.as != "nobody")
                request.headers.append(std::pair<QByteArray, QByteArray>(
                    "Authorization", "Bearer " + m_server.tokens.value(step.as, step.as)));
        }
        RawExchange exchange(m_server.endpoints.value(m_call.engine));
        if (!m_problem->isEmpty() || !exchange.send(request) || request.method == "HEAD")
            return exchange.answer();
        sendAll(step.during);
        const auto enough = [&step](const QByteArray &body) {
            return step.events > 0 && body.count('\n') >= step.events;
        };
        exchange.readBody(enough);
        return exchange.answer();
    }

    QByteArray fill(const QByteArray &text) { return filledIn(text, m_variables, m_problem); }

    void take(const TwinStep &step, const RawAnswer &raw)
    {
        const QJsonValue body(QJsonDocument::fromJson(raw.text()).object());
        for (auto variable = step.take.begin(); variable != step.take.end(); ++variable) {
            const QByteArray &pointer = variable.value();
            m_variables.insert(variable.key(),
                               pointer.startsWith('/') ? shown(valueAt(body, pointer)) : raw.header(pointer));
        }
    }

    const TwinCall &m_call;
    const TwinServer &m_server;
    QString *m_problem;
    QMap<QByteArray, QByteArray> m_variables;
};

} // namespace

Transcript run(const TwinCall &call, const TwinServer &server, QString *problem)
{
    // What an interrupted run has left goes first.
    QString ignored;
    CallRunner(call, server, &ignored).sendAll(call.cleanup);
    CallRunner runner(call, server, problem);
    runner.sendAll(call.setup);
    Transcript transcript = runner.compareAll(call.steps);
    ignored.clear();
    CallRunner(call, server, &ignored).sendAll(call.cleanup);
    return transcript;
}

} // namespace tongchi::twins
