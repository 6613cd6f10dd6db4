// The numbers of the positions with given men of the side to move and of the other side (docs/tables.md).
//
// Men stand in groups: those of one side and kind. The leading group or groups (both kings in chess; else the first
// group of one man, else the first group) count up to the symmetries of the board: all eight without pawns, else the
// mirror image left for right. The other groups count in their order as the digits of a number, each by its set of
// squares. A symmetry that brings the leading men into their smallest place is applied to all men; if several do, the
// smallest number counts. So a position and its images have one number; some numbers have no position.
//
// A pawn that may be captured in passing counts as one on the first rank of its file, where no pawn stands.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "games/chessboard/board.hpp"
#include "games/chessboard/endgames/classes.hpp"

namespace proofbase::chessboard {

/// The men on their squares, those of the side to move first, each side's from the most valuable one on, equal men in
/// any order. A pawn that may be captured in passing is on the first rank. As long as a word, which is copied at once.
using MenSquares = std::array<std::uint8_t, 8>;
static_assert(most_table_men <= std::tuple_size_v<MenSquares>);

/// The symmetries: bit 0 left for right, bit 1 rank 1 for rank 8, then bit 2 files for ranks.
using SquareMap = std::array<std::uint8_t, 64>;
extern const std::array<SquareMap, 8> square_maps;

/// Places of one or two men up to symmetries.
class LeadingPlaces {
  public:
    enum class Men : std::uint8_t { kings, pair, single };

    struct Place {
        std::uint16_t orbit;  ///< no_orbit where the men cannot stand like this
        std::uint8_t maps;    ///< a bit for each symmetry that leads to the first place of the orbit
        std::uint8_t map;     ///< the first of them
    };
    static constexpr std::uint16_t no_orbit = 0xffff;

    /// The places of men on the squares from `first` to `end`; pawns stand on no others.
    LeadingPlaces(Men men, unsigned maps, unsigned first, unsigned end);

    const Place& place(unsigned a, unsigned b) const noexcept { return places_[a | b << 6]; }
    const std::array<std::uint8_t, 2>& first_place(std::size_t orbit) const noexcept { return first_places_[orbit]; }
    std::size_t orbits() const noexcept { return first_places_.size(); }

  private:
    std::vector<Place> places_;
    std::vector<std::array<std::uint8_t, 2>> first_places_;
};

/// A number, and how many symmetries keep its position in place.
struct NumberAndSymmetry {
    std::uint64_t number;
    unsigned symmetry;
};

class Numbering {
  public:
    Numbering(Rules rules, const SideMen& own, const SideMen& other);

    std::uint64_t size() const noexcept { return leading_->orbits() * rest_size_; }
    std::size_t own_men() const noexcept { return own_men_; }
    std::size_t men() const noexcept { return men_; }
    Kind kind(std::size_t man) const noexcept { return kinds_[man]; }

    /// Whether a pawn of the other side can be one that may be captured in passing.
    bool has_passed_pawns() const noexcept { return passed_pawns_; }

    /// Precondition: the men can stand like this by themselves: kings apart, different squares within a group.
    NumberAndSymmetry number(const MenSquares& at) const noexcept {
        const LeadingPlaces::Place& place = leading_->place(at[lead_a_], lead_pair_ ? at[lead_b_] : 0u);
        const std::uint64_t base = place.orbit * rest_size_;
        if ((place.maps & (place.maps - 1)) == 0) return {base + rest(square_maps[place.map], at), 1};
        std::uint64_t smallest = ~std::uint64_t{0};
        unsigned symmetry = 0;
        for (unsigned maps = place.maps; maps != 0; maps &= maps - 1) {
            const std::uint64_t found = rest(square_maps[static_cast<std::size_t>(std::countr_zero(maps))], at);
            symmetry = found < smallest ? 1 : symmetry + (found == smallest);
            smallest = std::min(smallest, found);
        }
        return {base + smallest, symmetry};
    }

    /// The squares of a number; nothing is said of whether there is such a position. Returns whether the number is sure
    /// to be that of these squares: otherwise others may have it.
    bool squares(std::uint64_t number, MenSquares& at) const noexcept {
        const std::uint64_t orbit = number / rest_size_;
        const auto& first = leading_->first_place(orbit);
        at[lead_a_] = first[0];
        if (lead_pair_) at[lead_b_] = first[1];
        auto left = static_cast<std::uint32_t>(number % rest_size_);
        for (std::size_t g = groups_count_; g-- > 0;) {
            const Group& group = groups_[g];
            const std::uint32_t place = left % group.size;
            left /= group.size;
            put(group, place, at);
        }
        const unsigned maps = leading_->place(first[0], lead_pair_ ? first[1] : 0u).maps;
        return (maps & (maps - 1)) == 0;
    }

  private:
    struct Group {
        std::uint32_t size;  // places
        std::uint8_t first;  // man
        std::uint8_t count;
        std::uint8_t base;  // the first square that counts
    };

    std::uint64_t rest(const SquareMap& map, const MenSquares& at) const noexcept {
        std::uint64_t number = 0;
        for (std::size_t g = 0; g < groups_count_; ++g) {
            const Group& group = groups_[g];
            unsigned a = map[at[group.first]] - unsigned{group.base};
            if (group.count > 1) {
                unsigned b = map[at[group.first + 1u]] - unsigned{group.base};
                if (a > b) std::swap(a, b);
                if (group.count == 2) {
                    a += b * (b - 1) / 2;
                } else {
                    unsigned c = map[at[group.first + 2u]] - unsigned{group.base};
                    if (b > c) std::swap(b, c);
                    if (a > b) std::swap(a, b);
                    a += b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6;
                }
            }
            number = number * group.size + a;
        }
        return number;
    }

    static void put(const Group& group, std::uint32_t place, MenSquares& at) noexcept;

    const LeadingPlaces* leading_;  // lives as long as the process
    std::uint64_t rest_size_ = 1;
    std::array<Group, 3> groups_{};
    std::size_t groups_count_ = 0;
    std::size_t own_men_;
    std::size_t men_;
    std::array<Kind, most_table_men> kinds_{};
    std::size_t lead_a_ = 0;
    std::size_t lead_b_ = 0;
    bool lead_pair_ = false;
    bool pawns_ = false;
    bool passed_pawns_ = false;
};

/// All numberings of a game.
class Numberings {
  public:
    explicit Numberings(Rules rules);

    /// Null where no table has these sides (classes.hpp).
    const Numbering* get(unsigned own, unsigned other) const noexcept { return all_[side_numbers * own + other].get(); }

  private:
    std::vector<std::unique_ptr<const Numbering>> all_;
};

/// Made at the first call for each game.
const Numberings& numberings(Rules rules);

}  // namespace proofbase::chessboard
