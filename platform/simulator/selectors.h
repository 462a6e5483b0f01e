#pragma once

#include "platform/simulator/api_error.h"

#include <QByteArrayView>

namespace tongchi::simulator {

struct ResourceType;

/// labelSelector: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>3`.
class LabelSelector
{
public:
    [[nodiscard]] static ApiResult<LabelSelector> parse(const QByteArray &text);
    bool isEmpty() const { return m_requirements.empty(); }
    /// `text` is a stored object.
    bool matches(QByteArrayView text) const;

private:
    enum class Operator { In, NotIn, Exists, NotExists, Greater, Less };
    struct Requirement
    {
        QByteArray key;
        Operator op = Operator::Exists;
        std::vector<QByteArray> values;
    };
    std::vector<Requirement> m_requirements;
    friend class LabelSelectorParser;
};

/// fieldSelector: `spec.nodeName=x,status.phase!=Failed`, as far as the type knows the field.
class FieldSelector
{
public:
    [[nodiscard]] static ApiResult<FieldSelector> parse(const QByteArray &text, const ResourceType &type);
    bool isEmpty() const { return m_terms.empty(); }
    bool matches(QByteArrayView text) const;
    /// The one name that can match; empty when the selector does not say.
    QByteArray onlyName() const;

private:
    struct Term
    {
        QByteArray field;
        bool equal = true;
        QByteArray value;
        QByteArray needle; ///< bytes that must occur in a matching text; empty: unknown
    };
    std::vector<Term> m_terms;
};

} // namespace tongchi::simulator
