// Iteration over a record table in chunks, for Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/adapters/without_gil.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "records/encoding.hpp"
#include "records/record_table.hpp"
#include "search/api/any_search.hpp"

namespace proofbase {

/// Sorts. Throws Cancelled as soon as `stop` is set; it may be null.
template <class Entries, class Less>
void sort_unless_stopped(Entries& entries, const StopFlag* stop, Less&& less) {
    if (stop == nullptr) return std::sort(entries.begin(), entries.end(), less);
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
        if (stop->is_set()) throw Cancelled();
        return less(a, b);
    });
}

/// Records by ascending key: the keys that the table has when the iteration begins, each with the record that the table
/// has when the iteration comes to the key.
template <Game G>
class RecordChunks final : public AnyChunks {
  public:
    RecordChunks(const RecordTable<G>& table, std::size_t size, const StopFlag* stop) : table_(table), size_(size) {
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        const std::shared_lock lock(table_.mutex());
        keys_ = table_.keys();
        sort_unless_stopped(keys_, stop, std::less<typename G::Key>());
    }

    nb::list next() override {
        nb::list out;
        std::vector<std::pair<const typename G::Key*, std::string>> items;
        Claims claims;
        while (items.empty() && next_ < keys_.size()) {
            const std::shared_lock lock(table_.mutex());
            const std::size_t end = std::min(keys_.size(), next_ + size_);
            for (std::size_t i = next_; i < end; ++i) table_.prefetch(table_.hash(keys_[i]));
            for (; next_ < end; ++next_) {
                table_.claims(keys_[next_], table_.hash(keys_[next_]), claims);
                if (!claims.empty()) items.emplace_back(&keys_[next_], encode_claims(claims));
            }
        }
        for (const auto& [key, record] : items) {
            out.append(nb::make_tuple(to_bytes(table_.game(), *key), nb::bytes(record.data(), record.size())));
        }
        return out;
    }

  private:
    const RecordTable<G>& table_;
    std::size_t size_;
    std::vector<typename G::Key> keys_;
    std::size_t next_ = 0;
};

/// Claims by ascending rank, each encoded as a record of its own. A claim that has changed since the iteration began is
/// left out.
template <Game G>
class ClaimChunks final : public AnyChunks {
  public:
    ClaimChunks(const RecordTable<G>& table, std::size_t size, const StopFlag* stop) : table_(table), size_(size) {
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        const std::shared_lock lock(table_.mutex());
        table_.for_each([this, stop](const typename G::Key& key, const Claims& claims) {
            for (const Claim& claim : claims) entries_.push_back({claim.rank, claim.side, key});
            if (stop != nullptr && stop->is_set()) throw Cancelled();
        });
        sort_unless_stopped(entries_, stop, [](const Entry& a, const Entry& b) {
            return std::tie(a.rank, a.key, a.side) < std::tie(b.rank, b.key, b.side);
        });
    }

    nb::list next() override {
        nb::list out;
        std::vector<std::pair<const typename G::Key*, std::string>> items;
        Claims claims;
        while (items.empty() && next_ < entries_.size()) {
            const std::shared_lock lock(table_.mutex());
            const std::size_t end = std::min(entries_.size(), next_ + size_);
            for (; next_ < end; ++next_) {
                const Entry& entry = entries_[next_];
                table_.claims(entry.key, table_.hash(entry.key), claims);
                for (const Claim& claim : claims) {
                    if (claim.side != entry.side || claim.rank != entry.rank) continue;
                    items.emplace_back(&entry.key, encode_claims(Claims{claim}));
                }
            }
        }
        for (const auto& [key, record] : items) {
            out.append(nb::make_tuple(to_bytes(table_.game(), *key), nb::bytes(record.data(), record.size())));
        }
        return out;
    }

  private:
    struct Entry {
        std::uint32_t rank;
        Side side;
        typename G::Key key;
    };

    const RecordTable<G>& table_;
    std::size_t size_;
    std::vector<Entry> entries_;
    std::size_t next_ = 0;
};

}  // namespace proofbase
