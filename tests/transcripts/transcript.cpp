#include "tests/transcripts/transcript.h"

#include "tests/support/paths.h"

#include <QDir>
#include <QRegularExpression>
#include <algorithm>
#include <array>

namespace tongchi::test {

namespace {

struct Half
{
    QByteArray firstLine;
    Exchange::Headers headers;
    QByteArray body;
};

Half halfOf(const QByteArray &text)
{
    Half half;
    const qsizetype blank = text.indexOf("\n\n");
    const QByteArray head = blank < 0 ? text : text.left(blank);
    QList<QByteArray> lines = head.split('\n');
    half.firstLine = lines.takeFirst().trimmed();
    for (const QByteArray &line : lines) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            half.headers.append({line.left(colon).trimmed(), line.mid(colon + 1).trimmed()});
    }
    half.body = blank < 0 ? QByteArray() : text.mid(blank + 2);
    while (half.body.endsWith('\n'))
        half.body.chop(1);
    return half;
}

} // namespace

QByteArray Exchange::parameter(const char *key) const
{
    const qsizetype begin = target.indexOf('?');
    if (begin < 0)
        return {};
    const QByteArray wanted = QByteArray(key) + '=';
    const QList<QByteArray> pairs = target.mid(begin + 1).split('&');
    for (const QByteArray &pair : pairs) {
        if (pair.startsWith(wanted))
            return QByteArray::fromPercentEncoding(pair.mid(wanted.size()));
    }
    return {};
}

QByteArray Exchange::header(const Headers &headers, QByteArrayView key)
{
    for (const auto &[name, value] : headers) {
        if (name.compare(key, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

bool Exchange::isError() const
{
    if (status >= 400)
        return true;
    static constexpr std::array marks{R"("type":"ERROR")", R"("status":"error")", R"("status":"Failure")",
                                      R"("warnings":[)"};
    return std::any_of(marks.begin(), marks.end(), [this](const char *mark) { return body.contains(mark); });
}

QList<Exchange> parseTranscript(const QString &file, const QByteArray &text, QStringList *problems)
{
    static const QRegularExpression response(QStringLiteral("^<<< response.*$"),
                                             QRegularExpression::MultilineOption);
    static const QRegularExpression shortened(QStringLiteral("\\n\\.\\.\\. [\\[(]\\d+ more characters"));
    QList<Exchange> exchanges;
    const QString whole = QLatin1Char('\n') + QString::fromUtf8(text);
    const QStringList blocks = whole.split(QStringLiteral("\n### ")).mid(1);
    for (const QString &block : blocks) {
        const QString name = block.section(u'\n', 0, 0);
        const auto problem = [&](const char *what) {
            *problems << QStringLiteral("%1: %2: %3").arg(file, name, QLatin1String(what));
        };
        const QString begin = name + QStringLiteral("\n>>> request\n");
        const auto middle = response.match(block);
        if (!block.startsWith(begin) || !middle.hasMatch()) {
            problem("no request and response");
            continue;
        }
        const Half request = halfOf(block.mid(begin.size(), middle.capturedStart() - begin.size()).toUtf8());
        // Notes between exchanges begin with "## ".
        const QString rest = block.mid(middle.capturedEnd() + 1).section(QStringLiteral("\n## "), 0, 0);
        const Half answer = halfOf(rest.toUtf8());
        const QList<QByteArray> asked = request.firstLine.split(' ');
        const QList<QByteArray> told = answer.firstLine.split(' ');
        Exchange exchange{.file = file,
                          .name = name,
                          .method = asked.value(0),
                          .target = asked.value(1),
                          .requestHeaders = request.headers,
                          .requestBody = request.body,
                          .status = told.value(1).toInt(),
                          .headers = answer.headers,
                          .body = answer.body};
        if (asked.size() != 3 || !exchange.target.startsWith('/'))
            problem("the request is not HTTP");
        if (!answer.firstLine.startsWith("HTTP/1.1 ") || exchange.status < 100)
            problem("the response is not HTTP");
        if (shortened.match(rest).hasMatch() && exchange.isError())
            problem("the body was shortened");
        exchanges << exchange;
    }
    return exchanges;
}

QList<Exchange> allExchanges()
{
    QList<Exchange> exchanges;
    QStringList problems;
    const QDir folder(dataPath(QStringLiteral("transcripts")));
    const QStringList files = folder.entryList(
        {QStringLiteral("kubernetes-*.txt"), QStringLiteral("prometheus-*.txt")}, QDir::Files, QDir::Name);
    for (const QString &file : files)
        exchanges << parseTranscript(file, readData(QStringLiteral("transcripts/") + file), &problems);
    EXPECT_TRUE(problems.isEmpty()) << problems.join(u'\n').toStdString();
    return exchanges;
}

const Exchange *findExchange(const QList<Exchange> &exchanges, const QString &file, const QString &name)
{
    const auto found = std::find_if(exchanges.begin(), exchanges.end(), [&](const Exchange &one) {
        return one.file == file && one.name == name;
    });
    return found == exchanges.end() ? nullptr : &*found;
}

} // namespace tongchi::test
