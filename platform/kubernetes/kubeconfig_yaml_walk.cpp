// The two walks over a whole tree. Both are bounded: with aliases a small file can spell an astronomically
// large tree.

#include "platform/kubernetes/kubeconfig_yaml.h"

#include <utility>

namespace tongchi {

namespace {

void appendJsonText(QByteArray &out, const std::string &text)
{
    static const char digits[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20 || code == 0x7F) {
            out += "\\u00";
            out += digits[code >> 4];
            out += digits[code & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

bool isJsonNumber(const std::string &text)
{
    if (text.empty() || text.size() > 40)
        return false;
    std::size_t i = text[0] == '-' ? 1 : 0;
    if (i >= text.size() || text[i] < '0' || text[i] > '9')
        return false;
    if (text[i] == '0' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9')
        return false;
    bool point = false;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !point && i + 1 < text.size())
            point = true;
        else if (text[i] < '0' || text[i] > '9')
            return false;
    }
    return true;
}

bool appendJson(QByteArray &out, const KubeconfigYaml &value, qsizetype limit)
{
    if (out.size() > limit)
        return false;
    switch (value.kind) {
    case KubeconfigYaml::Kind::Null:
        out += "null";
        break;
    case KubeconfigYaml::Kind::Scalar:
        if (value.plain && (value.text == "true" || value.text == "false" || isJsonNumber(value.text)))
            out.append(value.text.data(), qsizetype(value.text.size()));
        else
            appendJsonText(out, value.text);
        break;
    case KubeconfigYaml::Kind::Sequence: {
        out += '[';
        bool first = true;
        for (const KubeconfigYamlPtr &item : value.items) {
            if (!std::exchange(first, false))
                out += ',';
            if (!appendJson(out, *item, limit))
                return false;
        }
        out += ']';
        break;
    }
    case KubeconfigYaml::Kind::Mapping: {
        out += '{';
        bool first = true;
        for (const auto &[name, item] : value.entries) {
            if (!std::exchange(first, false))
                out += ',';
            appendJsonText(out, name);
            out += ':';
            if (!appendJson(out, *item, limit))
                return false;
        }
        out += '}';
        break;
    }
    }
    return out.size() <= limit;
}

bool sameYamlWithin(const KubeconfigYaml &left, const KubeconfigYaml &right, int &budget)
{
    if (--budget < 0 || left.kind != right.kind || left.text != right.text ||
        left.items.size() != right.items.size() || left.entries.size() != right.entries.size())
        return false;
    for (std::size_t i = 0; i < left.items.size(); ++i) {
        if (!sameYamlWithin(*left.items[i], *right.items[i], budget))
            return false;
    }
    for (std::size_t i = 0; i < left.entries.size(); ++i) {
        if (left.entries[i].first != right.entries[i].first ||
            !sameYamlWithin(*left.entries[i].second, *right.entries[i].second, budget))
            return false;
    }
    return true;
}

} // namespace

QByteArray kubeconfigYamlToJson(const KubeconfigYaml &value, qsizetype limit)
{
    QByteArray out;
    return appendJson(out, value, limit) ? out : QByteArray();
}

bool sameKubeconfigYaml(const KubeconfigYaml &left, const KubeconfigYaml &right)
{
    int budget = 2000;
    return sameYamlWithin(left, right, budget);
}

} // namespace tongchi
