#include "tests/real/twins/recording.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

namespace tongchi::twins {

namespace {

/// All that a comparison of shapes looks at.
QJsonValue shapeOf(const QJsonValue &value)
{
    if (value.isString())
        return QString();
    if (value.isArray())
        return value.toArray().isEmpty() ? QJsonArray() : QJsonArray{shapeOf(value.toArray().first())};
    if (!value.isObject())
        return value;
    QJsonObject shape;
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member)
        shape.insert(member.key(), shapeOf(member.value()));
    return shape;
}

} // namespace

void Recording::insert(const TwinCall &call, const Transcript &transcript)
{
    Transcript kept = transcript;
    for (std::size_t i = 0; i < kept.size() && i < call.steps.size(); ++i) {
        if (call.steps[i].comparison.shapeOnly)
            kept[i].body = shapeOf(kept[i].body);
    }
    m_engines[call.engine].insert(call.id, kept);
}

bool Recording::find(const TwinCall &call, Transcript *transcript) const
{
    const QMap<QByteArray, Transcript> calls = m_engines.value(call.engine);
    const auto found = calls.constFind(call.id);
    if (found == calls.constEnd())
        return false;
    *transcript = *found;
    return true;
}

bool Recording::write(const QString &folder) const
{
    for (auto engine = m_engines.begin(); engine != m_engines.end(); ++engine) {
        QSaveFile file(folder + u'/' + QString::fromLatin1(engine.key()) + QStringLiteral(".jsonl"));
        if (!file.open(QIODevice::WriteOnly))
            return false;
        for (auto call = engine->begin(); call != engine->end(); ++call) {
            QJsonArray answers;
            for (const TwinAnswer &answer : *call)
                answers.append(answer.toJson());
            const QJsonObject line{{QStringLiteral("call"), QString::fromLatin1(call.key())},
                                   {QStringLiteral("answers"), answers}};
            file.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
        }
        if (!file.commit())
            return false;
    }
    return true;
}

Recording Recording::read(const QString &folder)
{
    Recording recording;
    for (const QString &name : QDir(folder).entryList({QStringLiteral("*.jsonl")}, QDir::Files)) {
        QFile file(folder + u'/' + name);
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (const QByteArray &text : file.readAll().split('\n')) {
            const QJsonObject line = QJsonDocument::fromJson(text).object();
            Transcript transcript;
            for (const QJsonValue &answer : line[QLatin1String("answers")].toArray())
                transcript.push_back(TwinAnswer::fromJson(answer.toObject()));
            if (!line.isEmpty())
                recording.m_engines[name.chopped(6).toLatin1()].insert(
                    line[QLatin1String("call")].toString().toLatin1(), transcript);
        }
    }
    return recording;
}

} // namespace tongchi::twins
