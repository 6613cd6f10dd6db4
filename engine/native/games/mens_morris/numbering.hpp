// The numbers of positions up to symmetry: the positions with a men of the side to move and b men of the other side on
// the board, in ascending order of (own men, other men), each orbit of a group of maps by its smallest member. The
// numbers have no gaps.
//
// The own men of the smallest member are the smallest of their orbit; the other men are the smallest under the maps
// that keep the own men in place. Most sets of own men are moved by all maps: there the other men may stand in any way
// on the points that are left. For the few other sets a bit for each way says whether it is the smallest.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/boards/bit_subsets.hpp"
#include "games/mens_morris/board.hpp"
#include "games/mens_morris/counting.hpp"
#include "games/mens_morris/made_once.hpp"

namespace proofbase::mens_morris {

/// The sets of so many men up to the maps of a group.
class Orbits {
  public:
    struct Place {
        std::uint32_t orbit;
        std::uint32_t map;  ///< the number of a map that takes the set to the smallest of its orbit
    };

    Orbits(const Sets& sets, const std::vector<Map>& maps) : sets_(sets), maps_(maps), places_(sets.size(), unset) {
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (places_[i] != unset) continue;
            const Men smallest = sets[i];
            const auto orbit = static_cast<std::uint32_t>(smallest_.size());
            std::vector<std::uint8_t> keeping;
            for (std::size_t m = 0; m < maps.size(); ++m) {
                const Men image = maps[m](smallest);
                if (image == smallest) keeping.push_back(static_cast<std::uint8_t>(m));
                std::uint32_t& place = places_[sets.number(image)];
                if (place == unset) place = orbit << 8 | inverse(m);
            }
            smallest_.push_back(smallest);
            if (keeping.size() > 1) {
                kept_.push_back(std::move(keeping));
                moved_.push_back(static_cast<std::int32_t>(kept_.size() - 1));
            } else {
                moved_.push_back(-1);
            }
        }
    }

    const Sets& sets() const noexcept { return sets_; }
    std::size_t size() const noexcept { return smallest_.size(); }
    Men smallest(std::size_t orbit) const noexcept { return smallest_[orbit]; }

    Place place(Men men) const noexcept {
        const std::uint32_t place = places_[sets_.number(men)];
        return {place >> 8, place & 0xff};
    }

    /// The orbits whose sets some maps keep in place have numbers in this order; -1 for all other orbits.
    std::int32_t kept(std::size_t orbit) const noexcept { return moved_[orbit]; }
    std::size_t kept_orbits() const noexcept { return kept_.size(); }
    /// The maps that keep the smallest set of such an orbit in place.
    std::span<const std::uint8_t> keeping(std::int32_t kept) const noexcept {
        return kept_[static_cast<std::size_t>(kept)];
    }

    const Map& map(std::size_t number) const noexcept { return maps_[number]; }
    std::size_t maps() const noexcept { return maps_.size(); }

  private:
    static constexpr std::uint32_t unset = 0xffffffff;

    std::uint32_t inverse(std::size_t m) {
        if (inverses_.empty()) {
            for (const Map& map : maps_) {
                std::uint32_t found = 0;
                const auto undoes = [&](const Map& other) {
                    for (int point = 0; point < most_points; ++point) {
                        if (other(map(man_on(point))) != man_on(point)) return false;
                    }
                    return true;
                };
                while (!undoes(maps_[found])) ++found;
                inverses_.push_back(found);
            }
        }
        return inverses_[m];
    }

    const Sets& sets_;
    const std::vector<Map>& maps_;
    std::vector<std::uint32_t> inverses_;
    std::vector<std::uint32_t> places_;  // by number of the set: the orbit and, in the low byte, the map
    std::vector<Men> smallest_;          // by orbit
    std::vector<std::int32_t> moved_;    // by orbit
    std::vector<std::vector<std::uint8_t>> kept_;
};

struct Men2 {
    Men own;
    Men other;
};

/// The numbers of the positions with so many men.
class Numbering {
  public:
    Numbering(const Orbits& own, const Sets& others, int points)
        : orbits_(own),
          others_(others),
          all_(man_on(points) - 1),
          ways_(choose(points - own.sets().count(), others.count())) {
        smallest_.reserve(own.kept_orbits());
        first_.reserve(own.size() + 1);
        std::uint64_t first = 0;
        for (std::size_t orbit = 0; orbit < own.size(); ++orbit) {
            first_.push_back(static_cast<std::uint32_t>(first));
            first += own.kept(orbit) < 0 ? ways_ : count_smallest(orbit);
        }
        first_.push_back(static_cast<std::uint32_t>(first));
    }

    std::uint64_t size() const noexcept { return first_.back(); }

    std::uint64_t rank(Men2 men) const noexcept {
        const auto [orbit, map] = orbits_.place(men.own);
        const Men left = all_ & ~orbits_.smallest(orbit);
        const Men other = orbits_.map(map)(men.other);
        const std::int32_t kept = orbits_.kept(orbit);
        if (kept < 0) [[likely]] {
            return first_[orbit] + others_.number(compress(other, left));
        }
        return first_[orbit] +
               smallest_[static_cast<std::size_t>(kept)].rank(others_.number(compress(smallest(kept, other), left)));
    }

    /// The smallest position with a number.
    Men2 position(std::uint64_t number) const noexcept {
        const auto above = std::upper_bound(first_.begin(), first_.end(), static_cast<std::uint32_t>(number));
        const auto orbit = static_cast<std::size_t>(above - first_.begin()) - 1;
        const auto way = static_cast<std::uint32_t>(number) - first_[orbit];
        const std::int32_t kept = orbits_.kept(orbit);
        const Men own = orbits_.smallest(orbit);
        const std::uint32_t index = kept < 0 ? way : smallest_[static_cast<std::size_t>(kept)].select(way);
        return {own, expand(others_[index], all_ & ~own)};
    }

    /// The position after a smallest one in the order of the numbers. There must be one.
    Men2 next(Men2 men) const noexcept {
        const std::uint32_t orbit = orbits_.place(men.own).orbit;
        if (orbits_.kept(orbit) < 0) {
            const Men left = all_ & ~men.own;
            const std::uint32_t way = others_.number(compress(men.other, left)) + 1;
            if (way < ways_) return {men.own, expand(others_[way], left)};
        }
        return position(rank(men) + 1);
    }

    /// How many maps keep a position in place.
    unsigned symmetry(Men2 men) const noexcept {
        const auto [orbit, map] = orbits_.place(men.own);
        const std::int32_t kept = orbits_.kept(orbit);
        if (kept < 0) [[likely]] {
            return 1;
        }
        const Men other = orbits_.map(map)(men.other);
        unsigned count = 0;
        for (const std::uint8_t m : orbits_.keeping(kept)) count += orbits_.map(m)(other) == other;
        return count;
    }

    /// Calls `visit(map)` for the maps that keep a smallest position in place.
    template <class Visit>
    void for_each_keeping(Men2 men, Visit&& visit) const {
        const std::int32_t kept = orbits_.kept(orbits_.place(men.own).orbit);
        for (const std::uint8_t m : orbits_.keeping(kept)) {
            if (orbits_.map(m)(men.other) == men.other) visit(orbits_.map(m));
        }
    }

  private:
    /// The smallest image of the other men under the maps that keep the own ones in place.
    Men smallest(std::int32_t kept, Men other) const noexcept {
        Men found = other;
        for (const std::uint8_t m : orbits_.keeping(kept)) found = std::min(found, orbits_.map(m)(other));
        return found;
    }

    std::uint32_t count_smallest(std::size_t orbit) {
        const Men left = all_ & ~orbits_.smallest(orbit);
        CountedBits& bits = smallest_.emplace_back(ways_);
        for (std::uint32_t way = 0; way < ways_; ++way) {
            const Men other = expand(others_[way], left);
            if (smallest(orbits_.kept(orbit), other) == other) bits.set(way);
        }
        return bits.count();
    }

    const Orbits& orbits_;
    const Sets& others_;
    Men all_;
    std::uint32_t ways_;                 // to place the other men
    std::vector<std::uint32_t> first_;   // by orbit: its first number; then the number of all positions
    std::vector<CountedBits> smallest_;  // by orbit with maps that keep it in place: the ways that are the smallest
};

/// All numberings of a board.
class Numberings {
  public:
    Numberings(const Board& board, int men) : board_(board), men_(static_cast<std::size_t>(men) + 1) {
        sets_ = std::vector<MadeOnce<Sets>>(men_);
        orbits_ = std::vector<MadeOnce<Orbits>>(2 * men_);
        numberings_ = std::vector<MadeOnce<Numbering>>(2 * men_ * men_);
    }

    /// `own`, `other`: men on the board. `mills_only`: for positions in which only mills matter.
    const Numbering& get(int own, int other, bool mills_only) {
        const auto a = static_cast<std::size_t>(own);
        const auto b = static_cast<std::size_t>(other);
        return numberings_[(mills_only ? men_ * men_ : 0) + a * men_ + b].get([&] {
            const Orbits& orbits = orbits_[(mills_only ? men_ : 0) + a].get(
                [&] { return Orbits(sets(a), mills_only ? board_.mill_maps() : board_.board_maps()); });
            return Numbering(orbits, sets(b), board_.points());
        });
    }

    /// The number of positions, without making a numbering.
    std::uint64_t size(int own, int other, bool mills_only) {
        const auto& sizes = sizes_[mills_only ? 1 : 0].get(
            [&] { return all_sizes(mills_only ? board_.mill_maps() : board_.board_maps()); });
        return sizes[static_cast<std::size_t>(own) * men_ + static_cast<std::size_t>(other)];
    }

  private:
    using Sizes = std::vector<std::uint64_t>;  // by own and other men

    /// The mean number of positions that a map keeps in place (Burnside). A map keeps a position if the men of a cycle
    /// of its points are all own, all of the other side, or none.
    Sizes all_sizes(const std::vector<Map>& maps) const {
        Sizes kept(men_ * men_);
        for (const Map& map : maps) {
            Sizes ways(men_ * men_);
            ways[0] = 1;
            Men left = board_.all();
            while (left != 0) {
                const Men start = left & (~left + 1);
                std::size_t length = 0;
                for (Men at = start; (left & at) != 0; at = map(at), ++length) left &= ~at;
                for (std::size_t a = men_; a-- > 0;) {
                    for (std::size_t b = men_; b-- > 0;) {
                        std::uint64_t& sum = ways[a * men_ + b];
                        if (a >= length) sum += ways[(a - length) * men_ + b];
                        if (b >= length) sum += ways[a * men_ + b - length];
                    }
                }
            }
            for (std::size_t i = 0; i < kept.size(); ++i) kept[i] += ways[i];
        }
        for (std::uint64_t& sum : kept) sum /= maps.size();
        return kept;
    }

    const Sets& sets(std::size_t count) {
        return sets_[count].get([&] { return Sets(board_.points(), static_cast<int>(count)); });
    }

    const Board& board_;
    std::size_t men_;
    std::array<MadeOnce<Sizes>, 2> sizes_;
    std::vector<MadeOnce<Sets>> sets_;
    std::vector<MadeOnce<Orbits>> orbits_;
    std::vector<MadeOnce<Numbering>> numberings_;
};

}  // namespace proofbase::mens_morris
