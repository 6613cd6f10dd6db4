// Which sets of the attacker's stones have won against other replies of the defender.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "threats/board/symmetric_keys.hpp"
#include "threats/board/threat_concepts.hpp"

namespace proofbase {

/// A shape is the attacker's stones alone, the same for all its images under the symmetries of the board. What won
/// against most replies of the defender is likely to win against the next one.
template <QuietThreatBoard Attack>
class WinningShapes {
  public:
    using Stones = typename Attack::Stones;

    explicit WinningShapes(const SymmetricKeys<Attack>& keys) : keys_(keys) {}

    /// A position, with the defender to move, is proved. Each position counts once.
    void note(const Stones& s) {
        if (!noted_.insert(keys_.of(s, false)).second) return;
        ++wins_by_shape_[key(s)];
        ++positions_by_stones_[s.attacker.count()];
    }

    void clear() {
        noted_.clear();
        wins_by_shape_.clear();
        positions_by_stones_.clear();
    }

    /// An estimate, in (0, 1], of how likely the attacker wins with these stones: the share of this shape among the
    /// positions that were noted with as many of his stones, each number counted one higher.
    double likelihood(const Stones& s) const {
        return (1 + count_in(wins_by_shape_, key(s))) / (1 + count_in(positions_by_stones_, s.attacker.count()));
    }

  private:
    template <class Map>
    static double count_in(const Map& map, const typename Map::key_type& key) {
        const auto place = map.find(key);
        return place == map.end() ? 0 : static_cast<double>(place->second);
    }

    std::uint64_t key(const Stones& s) const {
        Stones alone;
        alone.attacker = s.attacker;
        return keys_.of(alone, false);
    }

    const SymmetricKeys<Attack>& keys_;
    std::unordered_set<std::uint64_t> noted_;
    std::unordered_map<std::uint64_t, std::size_t> wins_by_shape_;
    std::unordered_map<int, std::size_t> positions_by_stones_;  ///< by the number of the attacker's stones
};

}  // namespace proofbase
