#pragma once

#include "platform/core/result.h"

#include <QByteArray>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace tongchi {

class ApiDocument;

/// A place in an ApiDocument. Absent, null and wrong kinds all read as nothing, so that chains need no
/// checks. Valid as long as its document.
class ApiNode
{
public:
    ApiNode() = default;
    ApiNode at(std::string_view key) const;
    bool isThere() const { return m_document; }
    bool isObject() const;
    bool isArray() const;
    QString text() const;
    bool boolean() const;
    std::optional<std::int64_t> integer() const;
    /// Elements of an array.
    void forEach(const std::function<void(const ApiNode &)> &visit) const;
    /// Members of an object.
    void forEachMember(const std::function<void(const QString &, const ApiNode &)> &visit) const;

private:
    friend class ApiDocument;
    ApiNode(const ApiDocument *document, std::uint32_t index) : m_document(document), m_index(index) {}
    const ApiDocument *m_document = nullptr;
    std::uint32_t m_index = 0;
};

/// One JSON answer of the API server, parsed as a whole: for answers of at most some megabytes that are read
/// once (discovery, reviews, one object). Lists and watches are cut and read as they stream instead.
class ApiDocument
{
public:
    /// `kind` is what the document has to be; empty: anything.
    ApiDocument(const QByteArray &json, const QString &kind);
    ~ApiDocument();
    ApiDocument(const ApiDocument &) = delete;
    ApiDocument &operator=(const ApiDocument &) = delete;

    bool isValid() const { return !m_invalid; }
    ApiNode root() const;
    QString kind() const;
    /// Protocol: no JSON, cut off, or another kind than was asked for.
    Error error() const;

private:
    friend class ApiNode;
    struct Tape;
    std::unique_ptr<Tape> m_tape;
    QString m_kind;
    bool m_invalid = true;
    QString m_reason;
};

} // namespace tongchi
