#include "tests/real/twins/twin_call.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <yaml-cpp/yaml.h>

namespace tongchi::twins {

namespace {

constexpr const char *methods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

QByteArray textOf(const YAML::Node &node)
{
    return QByteArray::fromStdString(node.as<std::string>());
}

QByteArray mediaType(const QByteArray &word)
{
    if (word == "merge" || word == "strategic-merge")
        return "application/" + word + "-patch+json";
    if (word == "json-patch")
        return "application/json-patch+json";
    return word == "apply" ? QByteArray("application/apply-patch+yaml") : word;
}

class TableReader
{
public:
    TableReader(YAML::Node table, QByteArray engine)
        : m_fixtures(table["fixtures"]), m_engine(std::move(engine))
    {
    }

    TwinCall call(const YAML::Node &node)
    {
        TwinCall call;
        call.id = textOf(node["id"]);
        call.engine = m_engine;
        call.live = node["live"] && node["live"].as<bool>();
        for (const YAML::Node &name : node["with"]) {
            const YAML::Node fixture = m_fixtures[name.as<std::string>()];
            if (!fixture)
                throw std::runtime_error("there is no fixture " + name.as<std::string>());
            add(call.setup, fixture["make"]);
            add(call.cleanup, fixture["remove"]);
        }
        add(call.setup, node["setup"]);
        add(call.cleanup, node["cleanup"]);
        for (TwinStep &step : call.cleanup)
            step.mayFail = true;
        add(call.steps, node["steps"]);
        if (call.steps.empty())
            throw std::runtime_error(call.id.toStdString() + " has no steps");
        return call;
    }

private:
    void add(std::vector<TwinStep> &to, const YAML::Node &list)
    {
        for (const YAML::Node &node : list)
            to.push_back(step(node));
    }

    TwinStep step(const YAML::Node &node)
    {
        TwinStep step;
        QByteArray accept = m_engine == "kubernetes" ? "application/json" : "*/*";
        QByteArray type;
        for (const auto &entry : node) {
            const std::string key = entry.first.as<std::string>();
            const YAML::Node &value = entry.second;
            if (std::find(std::begin(methods), std::end(methods), key) != std::end(methods)) {
                step.request.method = QByteArray::fromStdString(key);
                step.request.target = textOf(value);
            } else if (key == "name") {
                step.name = textOf(value);
            } else if (key == "as") {
                step.as = textOf(value);
            } else if (key == "accept") {
                accept = textOf(value);
            } else if (key == "type") {
                type = mediaType(textOf(value));
            } else if (key == "body") {
                step.request.body = textOf(value);
            } else if (key == "headers") {
                for (const auto &header : value)
                    step.request.headers.append({textOf(header.first), textOf(header.second)});
            } else if (key == "stream") {
                step.stream = value.as<bool>();
            } else if (key == "events") {
                step.events = value.as<int>();
            } else if (key == "only") {
                step.only = textOf(value);
            } else if (key == "may-fail") {
                step.mayFail = value.as<bool>();
            } else if (key == "during") {
                add(step.during, value);
            } else if (key == "until") {
                step.untilAt = textOf(value["at"]);
                step.untilIs = textOf(value["is"]);
            } else if (key == "take") {
                for (const auto &variable : value)
                    step.take.insert(textOf(variable.first), textOf(variable.second));
            } else if (key == "shape") {
                step.comparison.shapeOnly = value.as<bool>();
            } else if (key == "mask") {
                for (const YAML::Node &pointer : value)
                    step.comparison.masked.append(textOf(pointer));
            } else if (key == "unordered") {
                for (const YAML::Node &pointer : value)
                    step.comparison.unordered.append(textOf(pointer));
            } else if (key == "subset") {
                for (const YAML::Node &pointer : value)
                    step.comparison.subset.append(textOf(pointer));
            } else if (key == "partial") {
                for (const auto &list : value)
                    step.comparison.partial.insert(textOf(list.first), textOf(list.second));
            } else {
                throw std::runtime_error("a step cannot have \"" + key + '"');
            }
        }
        if (step.request.target.isEmpty())
            throw std::runtime_error("a step has no method and path");
        if (!accept.isEmpty())
            step.request.headers.append(std::pair<QByteArray, QByteArray>("Accept", accept));
        if (type.isEmpty() && !step.request.body.isEmpty())
            type = "application/json";
        if (!type.isEmpty() && type != "none")
            step.request.headers.append(std::pair<QByteArray, QByteArray>("Content-Type", type));
        return step;
    }

    YAML::Node m_fixtures;
    QByteArray m_engine;
};

} // namespace

std::vector<TwinCall> readTwinCalls(const QString &folder, QString *problem)
{
    std::vector<TwinCall> calls;
    QSet<QByteArray> ids;
    QString file;
    try {
        const YAML::Node shared =
            YAML::LoadFile(QFile::encodeName(folder + QStringLiteral("/fixtures.yaml")).toStdString());
        const QStringList names =
            QDir(folder).entryList({QStringLiteral("*-*.yaml")}, QDir::Files, QDir::Name);
        for (const QString &name : names) {
            file = name;
            const YAML::Node table = YAML::LoadFile(QFile::encodeName(folder + u'/' + name).toStdString());
            TableReader reader(shared, textOf(table["engine"]));
            const QByteArray point = textOf(table["point"]);
            for (const YAML::Node &node : table["calls"]) {
                calls.push_back(reader.call(node));
                calls.back().point = point;
                if (ids.contains(calls.back().id))
                    throw std::runtime_error("there are two calls " + calls.back().id.toStdString());
                ids.insert(calls.back().id);
            }
        }
    } catch (const std::exception &exception) {
        *problem = file + QStringLiteral(": ") + QString::fromUtf8(exception.what());
        if (!calls.empty())
            *problem += QStringLiteral(" (after ") + QString::fromUtf8(calls.back().id) + u')';
    }
    return calls;
}

QByteArray filledIn(const QByteArray &text, const QMap<QByteArray, QByteArray> &variables, QString *problem)
{
    static const QRegularExpression variable(QStringLiteral("\\{([a-z][a-z0-9-]*)\\}"));
    const QString source = QString::fromUtf8(text);
    QString out;
    qsizetype from = 0;
    for (auto match = variable.globalMatch(source); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        const QByteArray name = found.captured(1).toLatin1();
        if (!variables.contains(name))
            *problem = QStringLiteral("there is no variable ") + found.captured(1);
        out += source.mid(from, found.capturedStart() - from) + QString::fromUtf8(variables.value(name));
        from = found.capturedEnd();
    }
    return (out + source.mid(from)).toUtf8();
}

} // namespace tongchi::twins
