#include "platform/simulator/name_rules.h"

#include <QList>
#include <QString>

namespace tongchi::simulator {

namespace {

constexpr const char *subdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr const char *dnsLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr const char *labelValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr const char *namePartRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr const char *dataKeyRule =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
    "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

bool isAlphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isNameText(const QByteArray &text)
{
    for (const char c : text) {
        if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return true;
}

bool isNamePart(const QByteArray &text)
{
    return !text.isEmpty() && isNameText(text) && isAlphanumeric(text.front()) && isAlphanumeric(text.back());
}

bool isDnsLabel(const QByteArray &text)
{
    for (const char c : text) {
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return !text.isEmpty() && text.front() != '-' && text.back() != '-';
}

bool isSubdomain(const QByteArray &text)
{
    for (const QByteArray &part : text.split('.')) {
        if (!isDnsLabel(part))
            return false;
    }
    return true;
}

} // namespace

std::vector<QByteArray> subdomainProblems(const QByteArray &name)
{
    std::vector<QByteArray> problems;
    if (name.size() > 253)
        problems.emplace_back("must be no more than 253 characters");
    if (!isSubdomain(name))
        problems.emplace_back(subdomainRule);
    return problems;
}

std::vector<QByteArray> dnsLabelProblems(const QByteArray &name)
{
    std::vector<QByteArray> problems;
    if (name.size() > 63)
        problems.emplace_back("must be no more than 63 characters");
    if (isDnsLabel(name))
        return problems;
    if (isSubdomain(name))
        problems.emplace_back("must not contain dots");
    else
        problems.emplace_back(dnsLabelRule);
    return problems;
}

std::vector<QByteArray> qualifiedNameProblems(const QByteArray &key)
{
    const QList<QByteArray> parts = key.split('/');
    if (parts.size() > 2)
        return {QByteArray("a valid label key ") + namePartRule +
                " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    std::vector<QByteArray> problems;
    if (parts.size() == 2) {
        if (parts.first().isEmpty()) {
            problems.emplace_back("prefix part must be non-empty");
        } else {
            for (const QByteArray &problem : subdomainProblems(parts.first()))
                problems.push_back("prefix part " + problem);
        }
    }
    const QByteArray &name = parts.last();
    if (name.isEmpty())
        problems.emplace_back("name part must be non-empty");
    else if (name.size() > 63)
        problems.emplace_back("name part must be no more than 63 bytes");
    if (!isNamePart(name))
        problems.push_back(QByteArray("name part ") + namePartRule);
    return problems;
}

std::vector<QByteArray> labelValueProblems(const QByteArray &value)
{
    std::vector<QByteArray> problems;
    if (value.size() > 63)
        problems.emplace_back("must be no more than 63 bytes");
    if (!value.isEmpty() && !isNamePart(value))
        problems.emplace_back(labelValueRule);
    return problems;
}

std::vector<QByteArray> dataKeyProblems(const QByteArray &key)
{
    std::vector<QByteArray> problems;
    if (key.size() > 253)
        problems.emplace_back("must be no more than 253 characters");
    if (key.isEmpty() || !isNameText(key))
        problems.emplace_back(dataKeyRule);
    else if (key == "." || key.startsWith(".."))
        problems.push_back(key == "." || key == ".." ? QByteArray("must not be '" + key + '\'')
                                                     : QByteArray("must not start with '..'"));
    return problems;
}

} // namespace tongchi::simulator
