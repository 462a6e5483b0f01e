#pragma once

#include "platform/core/string_pool.h"

#include <QByteArray>
#include <memory>
#include <string_view>
#include <vector>

namespace tongchi {

struct PromLabel
{
    StringId name = 0;
    StringId value = 0;
    bool operator==(const PromLabel &) const = default;
};

/// A series' labels in the order of their names, the metric's name among them. Immutable once shared.
class PromLabels
{
public:
    PromLabels() = default;
    explicit PromLabels(std::vector<PromLabel> sorted);

    const std::vector<PromLabel> &all() const { return m_labels; }
    StringId value(StringId name) const; ///< 0 (empty text): not there
    std::uint64_t hash() const { return m_hash; }
    bool operator==(const PromLabels &other) const
    {
        return m_hash == other.m_hash && m_labels == other.m_labels;
    }

private:
    std::vector<PromLabel> m_labels;
    std::uint64_t m_hash = 0;
};

using PromLabelsPtr = std::shared_ptr<const PromLabels>;

/// Names and values of labels as numbers. Thread-safe as StringPool is.
class PromSymbols
{
public:
    PromSymbols() : m_metricName(m_pool.intern("__name__")) {}

    StringId intern(std::string_view text) { return m_pool.intern(text); }
    StringId intern(const QByteArray &text)
    {
        return m_pool.intern({text.constData(), std::size_t(text.size())});
    }
    std::string_view text(StringId id) const { return m_pool.utf8(id); }
    StringId metricName() const { return m_metricName; } ///< __name__

    /// Sorts, drops empty values; of equal names the last given wins.
    PromLabels make(std::vector<PromLabel> labels) const;
    PromLabelsPtr share(std::vector<PromLabel> labels) const
    {
        return std::make_shared<const PromLabels>(make(std::move(labels)));
    }
    /// Without the names given; with `keep` only those.
    PromLabelsPtr without(const PromLabels &labels, const std::vector<StringId> &names, bool keep) const;
    PromLabelsPtr withoutName(const PromLabels &labels) const
    {
        return without(labels, {m_metricName}, false);
    }
    PromLabelsPtr with(const PromLabels &labels, StringId name, StringId value) const;
    bool less(const PromLabels &a, const PromLabels &b) const;
    /// {__name__="up", job="app"}, as Prometheus writes it into error texts.
    QByteArray describe(const PromLabels &labels) const;

private:
    StringPool m_pool;
    StringId m_metricName;
};

} // namespace tongchi
