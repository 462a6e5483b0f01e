#pragma once

#include "platform/kubernetes/list_lane.h"
#include "platform/kubernetes/object_parser.h"
#include "platform/kubernetes/uid_set.h"

#include <memory>
#include <utility>
#include <vector>

namespace tongchi {

/// The objects of one piece of a list as records, which are reused from piece to piece, and those that could
/// not be read, in the places where they stood.
template <typename Record> class ParsedRecords final : public ParsedItems
{
public:
    /// The parser is only used by the thread that fills this; several may share it in turns.
    explicit ParsedRecords(std::shared_ptr<ObjectParser<Record>> parser) : m_parser(std::move(parser)) {}

    void clear() override
    {
        m_count = 0;
        m_hashes.clear();
        m_unreadable.clear();
    }
    void item(std::string_view json) override
    {
        if (m_count == m_records.size())
            m_records.emplace_back();
        UnreadableObject why;
        if (!m_parser->parse(json, m_records[m_count], why)) {
            m_unreadable.emplace_back(m_count, std::move(why));
            return;
        }
        m_hashes.push_back(UidSet::hashOf(m_records[m_count].key));
        ++m_count;
    }
    void skippedItem(std::string_view beginning, const char *reason) override
    {
        m_unreadable.emplace_back(m_count, UnreadableObject{findIdentity(beginning).key, reason});
    }

    /// `upsert(record, hash of its uid)` and `unreadable(object)` in the order of the list.
    template <typename Upsert, typename Unreadable> void each(Upsert upsert, Unreadable unreadable) const
    {
        std::size_t next = 0;
        for (const auto &[before, object] : m_unreadable) {
            for (; next < before; ++next)
                upsert(m_records[next], m_hashes[next]);
            unreadable(object);
        }
        for (; next < m_count; ++next)
            upsert(m_records[next], m_hashes[next]);
    }

private:
    std::shared_ptr<ObjectParser<Record>> m_parser;
    std::vector<Record> m_records; ///< the first m_count of them
    std::size_t m_count = 0;
    std::vector<std::uint64_t> m_hashes;                                ///< of their uids
    std::vector<std::pair<std::size_t, UnreadableObject>> m_unreadable; ///< records before it, what
};

} // namespace tongchi
