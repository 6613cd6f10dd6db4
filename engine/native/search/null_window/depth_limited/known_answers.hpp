// What the table and stored records know of a question, for null-window search in games with cycles.
#pragma once

#include <cstdint>

#include "concepts.hpp"
#include "search/null_window/depth_limited/depth_limited_entry.hpp"
#include "search/null_window/depth_limited/depth_limited_frame.hpp"
#include "search/policy/leaf.hpp"

namespace proofbase {

/// The answer to "value >= bound?" that the entry has. False if it has none.
inline bool settled_by(const DepthLimitedEntry& entry, int bound, DepthLimitedResult& result) noexcept {
    if (entry.reaches(bound)) {
        result = {BoundAnswer::reached, entry.lower, entry.lower_height};
    } else if (entry.stays_below(bound)) {
        result = {BoundAnswer::below, entry.upper, entry.upper_height};
    } else {
        return false;
    }
    return true;
}

/// The wanted answers that a search to this depth may find, as far as the entry knows.
inline WantedAnswers without_hopeless(const DepthLimitedEntry& entry, int bound, std::uint32_t depth,
                                      WantedAnswers wanted) noexcept {
    wanted.reached = wanted.reached && !entry.without_lower(bound, depth);
    wanted.below = wanted.below && !entry.without_upper(bound, depth);
    return wanted;
}

template <Game G, class Shared>
class KnownAnswers {
  public:
    explicit KnownAnswers(Shared& shared) noexcept : shared_(shared) {}

    /// To be called when the mutex of the stored records was taken.
    void look_for_records() noexcept {
        has_records_ = shared_.records != nullptr && shared_.records->size() > 0;
        has_tables_ = shared_.records != nullptr && shared_.records->tables() != nullptr;
    }

    /// The answer to "value >= bound?" that the table or a record gives. False if there is none; then `entry` is what
    /// the table has.
    [[gnu::always_inline]] bool settle(const typename G::Position& position, const typename Shared::Identity& identity,
                                       int bound, DepthLimitedEntry& entry, DepthLimitedResult& result) const {
        if (shared_.table.find(identity, entry) && settled_by(entry, bound, result)) return true;
        return (has_records_ || has_tables_) && settle_by_records(position, bound, result);
    }

  private:
    [[gnu::noinline]] bool settle_by_records(const typename G::Position& position, int bound,
                                             DepthLimitedResult& result) const {
        const G& game = shared_.game;
        const auto leaf = settled_leaf(game, shared_.records, position, bound, [&] { return game.key(position); });
        if (!leaf) return false;
        const bool reached = leaf->numbers.proved();
        result = {reached ? BoundAnswer::reached : BoundAnswer::below, reached ? bound : bound - 1, 0};
        return true;
    }

    Shared& shared_;
    bool has_records_ = false;
    bool has_tables_ = false;
};

}  // namespace proofbase
