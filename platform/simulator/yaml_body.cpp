#include "platform/simulator/yaml_body.h"

#include <yaml-cpp/yaml.h>

namespace tongchi::simulator {

namespace {

JsonValue plainScalar(const std::string &text)
{
    const QByteArray bytes(text.data(), qsizetype(text.size()));
    if (bytes.isEmpty() || bytes == "~" || bytes == "null" || bytes == "Null" || bytes == "NULL")
        return {};
    if (bytes == "true" || bytes == "True" || bytes == "TRUE")
        return JsonValue::boolean(true);
    if (bytes == "false" || bytes == "False" || bytes == "FALSE")
        return JsonValue::boolean(false);
    const char first = bytes.front();
    if ((first >= '0' && first <= '9') || first == '-') {
        JsonProblem problem;
        JsonValue number = JsonValue::parse(bytes, &problem);
        if (problem.message.isEmpty() && number.type() == JsonValue::Type::Number)
            return number;
    }
    return JsonValue::string(bytes);
}

JsonValue fromNode(const YAML::Node &node, int depth)
{
    if (depth > 200)
        return {};
    switch (node.Type()) {
    case YAML::NodeType::Scalar: {
        // "!" marks what was written in quotes.
        if (node.Tag() == "!")
            return JsonValue::string(QByteArray(node.Scalar().data(), qsizetype(node.Scalar().size())));
        return plainScalar(node.Scalar());
    }
    case YAML::NodeType::Sequence: {
        JsonValue list = JsonValue::array();
        for (const YAML::Node &item : node)
            list.append(fromNode(item, depth + 1));
        return list;
    }
    case YAML::NodeType::Map: {
        JsonValue map = JsonValue::object();
        for (const auto &entry : node) {
            const std::string &key = entry.first.Scalar();
            map.set(QByteArrayView(key.data(), qsizetype(key.size())), fromNode(entry.second, depth + 1));
        }
        return map;
    }
    default:
        return {};
    }
}

/// The words that Go's reader has for the same fault, where it is a common one.
QByteArray goYamlWords(const std::string &message)
{
    constexpr std::pair<const char *, const char *> words[] = {
        {YAML::ErrorMsg::END_OF_SEQ_FLOW, "did not find expected ',' or ']'"},
        {YAML::ErrorMsg::END_OF_MAP_FLOW, "did not find expected ',' or '}'"},
        {YAML::ErrorMsg::MAP_VALUE, "mapping values are not allowed in this context"},
        {YAML::ErrorMsg::END_OF_MAP, "could not find expected ':'"},
    };
    for (const auto &[ours, theirs] : words) {
        if (message == ours)
            return theirs;
    }
    return QByteArray(message.data(), qsizetype(message.size()));
}

} // namespace

JsonValue readYamlBody(const QByteArray &body, QByteArray *problem)
{
    problem->clear();
    JsonProblem json;
    JsonValue value = JsonValue::parse(body, &json);
    if (json.message.isEmpty())
        return value;
    try {
        return fromNode(YAML::Load(std::string(body.constData(), std::size_t(body.size()))), 0);
    } catch (const YAML::Exception &exception) {
        *problem =
            "yaml: line " + QByteArray::number(exception.mark.line + 1) + ": " + goYamlWords(exception.msg);
        return {};
    }
}

} // namespace tongchi::simulator
