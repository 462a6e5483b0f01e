#include "platform/kubernetes/api_document.h"

#include <QtCore/qcoreapplication.h>
#include <vector>

// As everywhere in this room: one set of options a program, or its inline functions differ.
#define SIMDJSON_EXCEPTIONS 0
#ifndef SIMDJSON_DEVELOPMENT_CHECKS
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#endif
#include <simdjson.h>

namespace tongchi {

/// The parser owns the text; elements handed out are kept here and addressed by number, which keeps simdjson
/// out of the header.
struct ApiDocument::Tape
{
    simdjson::dom::parser parser;
    std::vector<simdjson::dom::element> elements;

    std::uint32_t keep(simdjson::dom::element element)
    {
        elements.push_back(element);
        return std::uint32_t(elements.size() - 1);
    }
};

ApiDocument::ApiDocument(const QByteArray &json, const QString &kind)
    : m_tape(std::make_unique<Tape>()), m_kind(kind)
{
    simdjson::dom::element root;
    const auto code = m_tape->parser.parse(json.constData(), std::size_t(json.size())).get(root);
    if (code) {
        m_reason = QString::fromLatin1(simdjson::error_message(code));
        return;
    }
    m_tape->keep(root);
    const QString found = ApiDocument::root().at("kind").text();
    if (!root.is_object() || (!kind.isEmpty() && found != kind)) {
        m_reason = QStringLiteral("kind is \"%1\", expected \"%2\"").arg(found.left(60), kind);
        return;
    }
    m_invalid = false;
}

ApiDocument::~ApiDocument() = default;

ApiNode ApiDocument::root() const
{
    return m_tape->elements.empty() ? ApiNode() : ApiNode(this, 0);
}

QString ApiDocument::kind() const
{
    return root().at("kind").text();
}

Error ApiDocument::error() const
{
    return {.code = ErrorCode::Protocol,
            .text = m_kind.isEmpty() ? QT_TRANSLATE_NOOP("Error", "The server's answer cannot be understood.")
                                     : QT_TRANSLATE_NOOP("Error", "The server's answer is no %1."),
            .arguments = {m_kind},
            .remedy = QT_TRANSLATE_NOOP(
                "Error",
                "Check the server address: something else may answer there, such as a proxy's login page."),
            .detail = m_reason};
}

ApiNode ApiNode::at(std::string_view key) const
{
    simdjson::dom::element found;
    if (!m_document || m_document->m_tape->elements[m_index][key].get(found))
        return {};
    return {m_document, m_document->m_tape->keep(found)};
}

bool ApiNode::isObject() const
{
    return m_document && m_document->m_tape->elements[m_index].is_object();
}

bool ApiNode::isArray() const
{
    return m_document && m_document->m_tape->elements[m_index].is_array();
}

QString ApiNode::text() const
{
    std::string_view view;
    if (!m_document || m_document->m_tape->elements[m_index].get(view))
        return {};
    return QString::fromUtf8(view.data(), qsizetype(view.size()));
}

bool ApiNode::boolean() const
{
    bool value = false;
    return m_document && !m_document->m_tape->elements[m_index].get(value) && value;
}

std::optional<std::int64_t> ApiNode::integer() const
{
    std::int64_t value = 0;
    if (!m_document || m_document->m_tape->elements[m_index].get(value))
        return std::nullopt;
    return value;
}

void ApiNode::forEach(const std::function<void(const ApiNode &)> &visit) const
{
    simdjson::dom::array array;
    if (!m_document || m_document->m_tape->elements[m_index].get(array))
        return;
    for (const simdjson::dom::element element : array) {
        const std::size_t mark = m_document->m_tape->elements.size();
        visit(ApiNode(m_document, m_document->m_tape->keep(element)));
        m_document->m_tape->elements.resize(mark); // nodes made during the visit end with it
    }
}

void ApiNode::forEachMember(const std::function<void(const QString &, const ApiNode &)> &visit) const
{
    simdjson::dom::object object;
    if (!m_document || m_document->m_tape->elements[m_index].get(object))
        return;
    for (const simdjson::dom::key_value_pair member : object) {
        const std::size_t mark = m_document->m_tape->elements.size();
        visit(QString::fromUtf8(member.key.data(), qsizetype(member.key.size())),
              ApiNode(m_document, m_document->m_tape->keep(member.value)));
        m_document->m_tape->elements.resize(mark);
    }
}

} // namespace tongchi
