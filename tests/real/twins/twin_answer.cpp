#include "tests/real/twins/twin_answer.h"

#include "tests/real/twins/raw_http.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace tongchi::twins {

namespace {

/// Framing, and what a server notes for its own logs.
const QSet<QByteArray> &unreadHeaders()
{
    static const QSet<QByteArray> names{"date",
                                        "content-length",
                                        "transfer-encoding",
                                        "audit-id",
                                        "x-kubernetes-pf-flowschema-uid",
                                        "x-kubernetes-pf-prioritylevel-uid"};
    return names;
}

bool isController(const QString &manager)
{
    return manager == QLatin1String("kube-controller-manager") || manager == QLatin1String("kwok") ||
           manager == QLatin1String("kube-scheduler");
}

QJsonValue normalisedValue(const QJsonValue &value, const QString &key);

/// Managers come in the order of the seconds of their writes, which differ from run to run.
QJsonArray withoutSeconds(const QJsonArray &managers)
{
    std::vector<QJsonValue> sorted(managers.begin(), managers.end());
    const auto key = [](const QJsonValue &entry) -> QString {
        return entry[QLatin1String("operation")].toString() + u' ' +
               entry[QLatin1String("manager")].toString() + u' ' +
               entry[QLatin1String("subresource")].toString();
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&key](const QJsonValue &a, const QJsonValue &b) { return key(a) < key(b); });
    QJsonArray out;
    for (const QJsonValue &entry : sorted)
        out.append(entry);
    return out;
}

QJsonArray normalisedArray(const QJsonArray &array, const QString &key)
{
    QJsonArray out;
    for (const QJsonValue &item : array) {
        // What controllers write comes when it comes; the calls are about the API server.
        if (key == QLatin1String("managedFields") && isController(item[QLatin1String("manager")].toString()))
            continue;
        if (key == QLatin1String("taints") && !item[QLatin1String("timeAdded")].isUndefined() &&
            item[QLatin1String("key")].toString().startsWith(QLatin1String("node.kubernetes.io/")))
            continue;
        out.append(normalisedValue(item, {}));
    }
    return key == QLatin1String("managedFields") ? withoutSeconds(out) : out;
}

QJsonObject normalisedObject(const QJsonObject &object, const QString &key)
{
    QJsonObject out;
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (key == QLatin1String("annotations") &&
            member.key() == QLatin1String("node.alpha.kubernetes.io/ttl"))
            continue; // the TTL controller's
        const QJsonValue value = normalisedValue(member.value(), member.key());
        const bool theirs = member.key() == QLatin1String("annotations") ||
                            member.key() == QLatin1String("taints") ||
                            member.key() == QLatin1String("managedFields");
        const bool emptied =
            theirs &&
            ((value.isObject() && value.toObject().isEmpty() && !member.value().toObject().isEmpty()) ||
             (value.isArray() && value.toArray().isEmpty() && !member.value().toArray().isEmpty()));
        if (!emptied) // as if the controllers had never been there
            out.insert(member.key(), value);
    }
    return out;
}

QJsonValue normalisedValue(const QJsonValue &value, const QString &key)
{
    if (value.isArray())
        return normalisedArray(value.toArray(), key);
    if (value.isObject())
        return normalisedObject(value.toObject(), key);
    if (!value.isString() || value.toString().isEmpty())
        return value;
    static const QRegularExpression digits(QStringLiteral("\\A[1-9][0-9]*\\z"));
    const QString text = value.toString();
    if (text.size() > 4096 && text.count(text.front()) == text.size())
        return QString(QStringLiteral("<%1 times %2>").arg(text.size()).arg(text.front()));
    if (key == QLatin1String("uid") && text.size() == 36)
        return QStringLiteral("<uid>");
    if ((key == QLatin1String("resourceVersion") || key == QLatin1String("observedVersion")) &&
        digits.match(text).hasMatch())
        return QStringLiteral("<version>");
    if (key == QLatin1String("continue"))
        return QStringLiteral("<continue>");
    return QString::fromUtf8(normalisedText(text.toUtf8()));
}

QByteArray headerValue(const QByteArray &name, const QByteArray &value)
{
    if (name == "etag")
        return "<tag>";
    if (name == "last-modified" || name == "expires")
        return "<date>";
    return normalisedText(value);
}

QJsonArray eventsOf(const QByteArray &text)
{
    QJsonArray events;
    for (const QByteArray &line : text.split('\n')) {
        if (line.trimmed().isEmpty())
            continue;
        const QJsonDocument event = QJsonDocument::fromJson(line);
        events.append(event.isObject() ? normalisedValue(event.object(), {})
                                       : QJsonValue(QStringLiteral("no JSON: ") + QString::fromUtf8(line)));
    }
    return events;
}

const char *kindName(TwinAnswer::Kind kind)
{
    switch (kind) {
    case TwinAnswer::Kind::Json:
        return "json";
    case TwinAnswer::Kind::Text:
        return "text";
    case TwinAnswer::Kind::Events:
        return "events";
    case TwinAnswer::Kind::Nothing:
        break;
    }
    return "nothing";
}

} // namespace

QByteArray normalisedText(const QByteArray &text)
{
    static const QRegularExpression uid(
        QStringLiteral("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"));
    static const QRegularExpression address(QStringLiteral("127\\.0\\.0\\.1:[0-9]+"));
    static const QRegularExpression time(
        QStringLiteral("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
                       "(Z|[+-][0-9]{2}:[0-9]{2})"));
    // "resourceVersion":"5" inside a message, and the same as YAML.
    static const QRegularExpression version(QStringLiteral("(resourceVersion[\\\\\": ]+|current: )[0-9]+"));
    QString out = QString::fromUtf8(text);
    static const QRegularExpression hash(QStringLiteral("hash=[0-9A-F]+"));
    out.replace(version, QStringLiteral("\\1<version>"));
    out.replace(hash, QStringLiteral("hash=<hash>"));
    out.replace(uid, QStringLiteral("<uid>"));
    out.replace(address, QStringLiteral("<address>"));
    // How finely a time is given is part of its form.
    for (auto match = time.match(out); match.hasMatch(); match = time.match(out)) {
        const QString fraction = match.captured(1).isEmpty() ? QString() : QStringLiteral(" with a fraction");
        out.replace(match.capturedStart(), match.capturedLength(),
                    QString(QStringLiteral("<time") + fraction + u'>'));
    }
    return out.toUtf8();
}

TwinAnswer normalised(const QByteArray &step, const RawAnswer &raw, bool stream)
{
    TwinAnswer answer;
    answer.step = step;
    answer.status = raw.status;
    answer.problem = raw.problem.toUtf8();
    for (const auto &[name, value] : raw.headers) {
        const QByteArray key = name.toLower();
        if (unreadHeaders().contains(key))
            continue;
        QByteArray &all = answer.headers[key];
        all += (all.isEmpty() ? "" : "\n") + headerValue(key, value);
    }
    const QByteArray text = raw.text();
    if (stream && raw.status == 200) {
        answer.kind = TwinAnswer::Kind::Events;
        answer.body = eventsOf(text);
        return answer;
    }
    const QJsonDocument document = QJsonDocument::fromJson(text);
    if (document.isObject() || document.isArray()) {
        answer.kind = TwinAnswer::Kind::Json;
        answer.body = document.isObject() ? QJsonValue(normalisedObject(document.object(), {}))
                                          : QJsonValue(normalisedArray(document.array(), {}));
    } else if (!text.isEmpty()) {
        answer.kind = TwinAnswer::Kind::Text;
        answer.text = normalisedText(text);
    }
    return answer;
}

QJsonObject TwinAnswer::toJson() const
{
    QJsonObject json{{QStringLiteral("status"), status},
                     {QStringLiteral("kind"), QLatin1String(kindName(kind))}};
    if (!step.isEmpty())
        json.insert(QStringLiteral("step"), QString::fromUtf8(step));
    QJsonObject fields;
    for (auto header = headers.begin(); header != headers.end(); ++header)
        fields.insert(QString::fromLatin1(header.key()), QString::fromUtf8(header.value()));
    json.insert(QStringLiteral("headers"), fields);
    if (kind == Kind::Text)
        json.insert(QStringLiteral("text"), QString::fromUtf8(text));
    else if (kind != Kind::Nothing)
        json.insert(QStringLiteral("body"), body);
    return json;
}

TwinAnswer TwinAnswer::fromJson(const QJsonObject &json)
{
    TwinAnswer answer;
    answer.step = json[QLatin1String("step")].toString().toUtf8();
    answer.status = json[QLatin1String("status")].toInt();
    const QString kind = json[QLatin1String("kind")].toString();
    for (const Kind candidate : {Kind::Json, Kind::Text, Kind::Events}) {
        if (kind == QLatin1String(kindName(candidate)))
            answer.kind = candidate;
    }
    const QJsonObject fields = json[QLatin1String("headers")].toObject();
    for (auto header = fields.begin(); header != fields.end(); ++header)
        answer.headers.insert(header.key().toLatin1(), header.value().toString().toUtf8());
    answer.body = json[QLatin1String("body")];
    answer.text = json[QLatin1String("text")].toString().toUtf8();
    return answer;
}

QJsonValue valueAt(const QJsonValue &root, const QByteArray &pointer)
{
    QJsonValue value = root;
    if (pointer.isEmpty())
        return value;
    for (QByteArray step : pointer.mid(1).split('/')) {
        step.replace("~1", "/").replace("~0", "~");
        value = value.isArray() ? value.toArray().at(step.toInt()) : value[QString::fromUtf8(step)];
    }
    return value;
}

} // namespace tongchi::twins
