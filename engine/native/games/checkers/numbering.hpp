// The numbers of the positions with given men of the side to move and of the other side (docs/tables.md): all positions
// have a number, and all numbers a position.
//
// They are seen by the side to move, which moves down. Its men on the first row, where no man of the other side can
// stand, decide how many squares are left for those: positions are sorted by the number of these men. Then the own men
// on the first row, those on the other rows, the men of the other side, the own kings and the other kings are the
// digits, each the number of a set of squares among those that are left for it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/checkers/board.hpp"
#include "games/checkers/classes.hpp"

namespace proofbase::checkers {

/// By n and k: C(n, k).
inline constexpr auto binomials = [] {
    std::array<std::array<std::uint32_t, most_side_men + 1>, 33> all{};
    for (std::size_t n = 0; n < all.size(); ++n) {
        all[n][0] = 1;
        for (std::size_t k = 1; n > 0 && k < all[n].size(); ++k) all[n][k] = all[n - 1][k - 1] + all[n - 1][k];
    }
    return all;
}();

/// Squares a < b < c count C(a, 1) + C(b, 2) + C(c, 3).
inline std::uint32_t number_of_set(Squares set) noexcept {
    std::uint32_t number = 0;
    for (std::size_t k = 1; set != 0; set &= set - 1) {
        number += binomials[static_cast<std::size_t>(std::countr_zero(set))][k++];
    }
    return number;
}

using Sets = std::array<std::vector<Squares>, most_side_men + 1>;

// (A function, since the compiler would try to run a lambda itself, for seconds.)
inline Sets make_all_sets() {
    Sets sets;
    for (std::size_t count = 0; count < sets.size(); ++count) {
        sets[count].reserve(binomials[32][count]);
        std::uint64_t set = (std::uint64_t{1} << count) - 1;
        while (set >> 32 == 0) {
            sets[count].push_back(static_cast<Squares>(set));
            if (set == 0) break;
            const std::uint64_t lowest = set & (~set + 1);  // the next set with as many bits
            const std::uint64_t ripple = set + lowest;
            set = ripple | ((set ^ ripple) >> 2) / lowest;
        }
    }
    return sets;
}

/// By how many squares they have, the sets of up to five squares in the order of their numbers.
inline const Sets& all_sets() {
    static const Sets all = make_all_sets();
    return all;
}

/// The set without the squares that are left out: those above move down.
constexpr Squares closed_up(Squares set, Squares left_out) noexcept {
    while (left_out != 0) {
        const Squares below = std::bit_floor(left_out) - 1;
        set = (set & below) | (set >> 1 & ~below);
        left_out &= below;
    }
    return set;
}

/// Inverse: the squares that are left out are put in again.
constexpr Squares opened_up(Squares set, Squares left_out) noexcept {
    for (; left_out != 0; left_out &= left_out - 1) {
        const Squares below = (left_out & (~left_out + 1)) - 1;
        set = (set & below) | (set & ~below) << 1;
    }
    return set;
}

/// Men as the side to move sees them.
struct Placed {
    Squares own, other, kings;
};

/// Positions in which the two sides have given men, the first one to move.
class Numbering {
  public:
    Numbering() = default;
    Numbering(const Side& own, const Side& other) : own_(own), other_(other) {
        for (int first = 0; first <= 4; ++first) {
            const auto f = static_cast<std::size_t>(first);
            Part& part = parts_[f];
            if (first <= own.men) {
                const int left = 32 - own.men - other.men;
                part.first_row = choose(4, first);
                part.rows = choose(24, own.men - first);
                part.others = choose(28 - own.men + first, other.men);
                part.kings = choose(left, own.kings);
                part.other_kings = choose(left - own.kings, other.kings);
            }
            ends_[f] = size_ += part.first_row * part.rows * part.others * part.kings * part.other_kings;
        }
    }

    std::uint64_t size() const noexcept { return size_; }

    std::uint64_t number(const Placed& p) const noexcept {
        const Squares men = p.own & ~p.kings;
        const Squares others = p.other & ~p.kings;
        const Squares kings = p.own & p.kings;
        const auto first = static_cast<std::size_t>(std::popcount(men & home_row));
        const Part& part = parts_[first];
        std::uint64_t number = number_of_set(men & home_row);
        number = number * part.rows + number_of_set(men >> 4);
        number = number * part.others + number_of_set(closed_up(others >> 4, men >> 4));
        number = number * part.kings + number_of_set(closed_up(kings, men | others));
        number = number * part.other_kings + number_of_set(closed_up(p.other & p.kings, men | others | kings));
        return number + (first == 0 ? 0 : ends_[first - 1]);
    }

    Placed position(std::uint64_t number) const noexcept {
        std::size_t first = 0;
        while (number >= ends_[first]) ++first;
        if (first > 0) number -= ends_[first - 1];
        const Part& part = parts_[first];
        const auto& sets = all_sets();
        const auto digit = [&](std::uint64_t size, int count) {
            const std::uint64_t place = number % size;
            number /= size;
            return sets[static_cast<std::size_t>(count)][place];
        };
        const Squares other_kings = digit(part.other_kings, other_.kings);
        const Squares kings = digit(part.kings, own_.kings);
        const Squares others = digit(part.others, other_.men);
        const Squares rows = digit(part.rows, own_.men - static_cast<int>(first));
        const Squares men = rows << 4 | sets[first][number];
        Placed p{men, opened_up(others, men >> 4) << 4, 0};
        const Squares own_kings = opened_up(kings, p.own | p.other);
        p.kings = own_kings | opened_up(other_kings, p.own | p.other | own_kings);
        p.other |= p.kings & ~own_kings;
        p.own |= own_kings;
        return p;
    }

  private:
    /// The positions with so many own men on the first row: how many sets there are for each digit.
    struct Part {
        std::uint64_t first_row = 0, rows = 0, others = 0, kings = 0, other_kings = 0;
    };

    static std::uint64_t choose(int n, int k) noexcept {
        return binomials[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
    }

    Side own_{};
    Side other_{};
    std::uint64_t size_ = 0;
    std::array<Part, 5> parts_{};
    std::array<std::uint64_t, 5> ends_{};  ///< the numbers of each part are below this
};

inline std::vector<Numbering> make_numberings() {
    std::vector<Numbering> made(std::size_t{side_numbers} * side_numbers);
    for (unsigned a = 0; a < side_numbers; ++a) {
        for (unsigned b = 0; b < side_numbers; ++b) {
            if (!has_table(side_of_number(a), side_of_number(b))) continue;
            made[std::size_t{side_numbers} * a + b] = Numbering(side_of_number(a), side_of_number(b));
        }
    }
    return made;
}

/// By the numbers of the side to move and of the other one; of size 0 where no table has these sides.
inline const Numbering& numbering(unsigned own, unsigned other) {
    static const std::vector<Numbering> all = make_numberings();
    return all[std::size_t{side_numbers} * own + other];
}

/// The class of a position, and its number there: first come those in which the larger side is to move.
struct ClassEntry {
    std::uint32_t table_class;
    std::uint64_t number;
};

/// Precondition: the position is in a table.
inline ClassEntry entry_of(const Placed& p) noexcept {
    const unsigned own = side_number(side_of(p.own, p.kings));
    const unsigned other = side_number(side_of(p.other, p.kings));
    const std::uint64_t number = numbering(own, other).number(p);
    return {class_of(own, other), own < other ? number + numbering(other, own).size() : number};
}

inline std::uint64_t size_of_class(std::uint32_t c) noexcept {
    const std::uint64_t size = numbering(larger_side(c), smaller_side(c)).size();
    return larger_side(c) == smaller_side(c) ? size : 2 * size;
}

/// The position with a number of a class.
inline Placed placed(std::uint32_t c, std::uint64_t number) noexcept {
    const Numbering& first = numbering(larger_side(c), smaller_side(c));
    if (number < first.size()) return first.position(number);
    return numbering(smaller_side(c), larger_side(c)).position(number - first.size());
}

}  // namespace proofbase::checkers
