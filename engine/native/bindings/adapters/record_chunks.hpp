// Iteration over a record table in chunks, for Python.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/adapters/without_gil.hpp"
#include "bindings/conversion/positions.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "records/claims/encoding.hpp"
#include "records/known_records.hpp"
#include "search/api/search.hpp"

namespace proofbase {

inline const std::atomic<bool>* flag_of(const StopFlag* stop) noexcept {
    return stop == nullptr ? nullptr : &stop->flag();
}

/// Records by ascending key: the keys that the table has when the iteration begins, each with the record that the table
/// has when the iteration comes to the key.
template <Game G>
class RecordChunks final : public AnyChunks {
  public:
    RecordChunks(const KnownRecords<G>& table, std::size_t size, const StopFlag* stop)
        : table_(table), size_(size), keys_(table.empty_list()) {
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        const std::shared_lock lock(table_.mutex());
        keys_ = table_.keys();
        if (!keys_.sort(flag_of(stop))) throw Cancelled();
    }

    nb::list next() override {
        nb::list out;
        std::vector<std::pair<std::size_t, std::string>> items;
        Claims claims;
        while (items.empty() && next_ < keys_.size()) {
            const std::shared_lock lock(table_.mutex());
            const std::size_t end = std::min(keys_.size(), next_ + size_);
            for (std::size_t i = next_; i < end; ++i) table_.prefetch(table_.hash(keys_[i]));
            for (; next_ < end; ++next_) {
                const typename G::Key& key = keys_[next_];
                table_.claims(key, table_.hash(key), claims);
                if (!claims.empty()) items.emplace_back(next_, encode_claims(claims));
            }
        }
        for (const auto& [i, record] : items) {
            out.append(nb::make_tuple(to_bytes(table_.game(), keys_[i]), nb::bytes(record.data(), record.size())));
        }
        return out;
    }

  private:
    const KnownRecords<G>& table_;
    std::size_t size_;
    typename KnownRecords<G>::Keys keys_;
    std::size_t next_ = 0;
};

/// Claims by ascending rank, each encoded as a record of its own. A claim that has changed since the iteration began is
/// left out.
template <Game G>
class ClaimChunks final : public AnyChunks {
  public:
    ClaimChunks(const KnownRecords<G>& table, std::size_t size, const StopFlag* stop)
        : table_(table), size_(size), keys_(table.empty_list()) {
        [[maybe_unused]] const WithoutGil<G> without_gil{};
        const std::shared_lock lock(table_.mutex());
        keys_ = table_.keys();
        if (!keys_.sort(flag_of(stop))) throw Cancelled();
        Claims claims;
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            if (stop != nullptr && stop->is_set()) throw Cancelled();
            const typename G::Key& key = keys_[i];
            table_.claims(key, table_.hash(key), claims);
            for (const Claim& claim : claims) entries_.push_back({claim.rank, claim.side, i});
        }
        std::sort(entries_.begin(), entries_.end(), [stop](const Entry& a, const Entry& b) {
            if (stop != nullptr && stop->is_set()) throw Cancelled();
            return std::tie(a.rank, a.key, a.side) < std::tie(b.rank, b.key, b.side);
        });
    }

    nb::list next() override {
        nb::list out;
        std::vector<std::pair<std::size_t, std::string>> items;
        Claims claims;
        while (items.empty() && next_ < entries_.size()) {
            const std::shared_lock lock(table_.mutex());
            const std::size_t end = std::min(entries_.size(), next_ + size_);
            for (; next_ < end; ++next_) {
                const Entry& entry = entries_[next_];
                const typename G::Key& key = keys_[entry.key];
                table_.claims(key, table_.hash(key), claims);
                for (const Claim& claim : claims) {
                    if (claim.side != entry.side || claim.rank != entry.rank) continue;
                    items.emplace_back(entry.key, encode_claims(Claims{claim}));
                }
            }
        }
        for (const auto& [i, record] : items) {
            out.append(nb::make_tuple(to_bytes(table_.game(), keys_[i]), nb::bytes(record.data(), record.size())));
        }
        return out;
    }

  private:
    struct Entry {
        std::uint32_t rank;
        Side side;
        std::size_t key;  ///< its number in keys_
    };

    const KnownRecords<G>& table_;
    std::size_t size_;
    typename KnownRecords<G>::Keys keys_;
    std::vector<Entry> entries_;
    std::size_t next_ = 0;
};

}  // namespace proofbase
