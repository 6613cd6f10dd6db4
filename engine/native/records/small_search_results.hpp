// Results of small searches (small_search.hpp) below positions, kept so that a position that is reached again is not
// searched again. What hold() and reach() answer, and how many positions they visit, depends on the position, the bound
// and the depth alone. So a kept result is the one that the search would have, with the same number of visits: the
// results save time and change nothing.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "keys.hpp"

namespace proofbase {

/// A table of fixed size; a new result replaces the one in its place. It takes memory only once searches have visited
/// so many positions that it is worth it.
///
/// For positions of plain bytes, which are hashed and compared as such. Results below other positions (those of users'
/// games are Python objects) are not kept.
template <class Position>
class SmallSearchResults {
  public:
    /// Adds the visits of a finished search. From a certain number on, results are kept.
    void note_visits(std::uint32_t visits) {
        if constexpr (plain_bytes) {
            if (!entries_.empty()) return;
            visits_ += visits;
            if (visits_ >= visits_before_keeping) entries_.resize(entry_count);
        }
    }

    /// If there is a result: adds its visits to `visits`, sets `answer` and returns true.
    bool find(const Position& position, std::int64_t bound, bool holds, std::uint32_t plies_left, std::uint32_t& visits,
              bool& answer) const {
        if constexpr (plain_bytes) {
            if (entries_.empty()) return false;
            const Entry& entry = entries_[index(position, plies_left)];
            if (entry.plies_left != plies_left || entry.bound != bound || !(entry.position == position)) return false;
            if (entry.holds != holds) return false;
            visits += entry.visits;
            answer = entry.answer;
            return true;
        }
        return false;
    }

    void keep(const Position& position, std::int64_t bound, bool holds, std::uint32_t plies_left, std::uint32_t visits,
              bool answer) {
        if constexpr (plain_bytes) {
            if (entries_.empty() || visits > std::numeric_limits<std::uint16_t>::max()) return;
            if (bound != static_cast<std::int32_t>(bound)) return;
            entries_[index(position, plies_left)] = {
                position, plies_left, static_cast<std::int32_t>(bound), static_cast<std::uint16_t>(visits),
                holds,    answer};
        }
    }

  private:
    static constexpr bool plain_bytes = std::has_unique_object_representations_v<Position>;
    static constexpr std::size_t entry_count = std::size_t{1} << 15;  // for 16-byte positions 1 MiB: a level-2 cache
    static constexpr std::uint64_t visits_before_keeping = 50'000;

    struct Entry {
        Position position{};
        std::uint32_t plies_left = 0;  // 0: no result
        std::int32_t bound = 0;
        std::uint16_t visits = 0;
        bool holds = false;
        bool answer = false;
    };

    static std::size_t index(const Position& position, std::uint32_t plies_left) {
        char bytes[sizeof(Position)];
        std::memcpy(bytes, &position, sizeof(Position));
        return hash_question(std::string_view(bytes, sizeof(Position)), static_cast<int>(plies_left)) % entry_count;
    }

    std::vector<Entry> entries_;
    std::uint64_t visits_ = 0;
};

}  // namespace proofbase
