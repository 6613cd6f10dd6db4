// The classes of endings of checkers: which men each side has (docs/tables.md).
//
// A side of one to five men has a number: sides are sorted by how many men they have, then by their kings. A class has
// the positions in which the two sides are two given ones, whoever is to move; its larger side is named first. Class
// number: 20 times the larger side and the smaller one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/checkers/board.hpp"

namespace proofbase::checkers {

inline constexpr int most_table_men = 6;  ///< of both sides
inline constexpr int most_side_men = 5;
inline constexpr unsigned side_numbers = 20;

/// What a side has. `men` are those that are no kings.
struct Side {
    int men, kings;
    bool operator==(const Side&) const = default;
    int count() const noexcept { return men + kings; }
};

/// Precondition: one to five men.
constexpr unsigned side_number(const Side& side) noexcept {
    const int count = side.men + side.kings;
    return static_cast<unsigned>(count * (count + 1) / 2 - 1 + side.kings);
}
constexpr Side side_of_number(unsigned number) noexcept {
    int count = 1;
    auto kings = static_cast<int>(number);
    for (; kings > count; ++count) kings -= count + 1;
    return {count - kings, kings};
}

inline Side side_of(Squares squares, Squares kings) noexcept {
    return {std::popcount(squares & ~kings), std::popcount(squares & kings)};
}

/// Whether the two sides can be those of a table.
constexpr bool has_table(const Side& side, const Side& other) noexcept {
    return side.men + side.kings > 0 && other.men + other.kings > 0 &&
           side.men + side.kings + other.men + other.kings <= most_table_men;
}

/// The class of the positions with these two sides, in any order.
constexpr std::uint32_t class_of(unsigned side, unsigned other) noexcept {
    return side < other ? side_numbers * other + side : side_numbers * side + other;
}
constexpr unsigned larger_side(std::uint32_t c) noexcept {
    return c / side_numbers;
}
constexpr unsigned smaller_side(std::uint32_t c) noexcept {
    return c % side_numbers;
}

/// The classes of up to so many men, fewer men first, then more kings: so that each comes after those it needs.
inline std::vector<std::uint32_t> classes_of_men(std::uint32_t men) {
    std::vector<std::uint32_t> all;
    for (unsigned larger = 0; larger < side_numbers; ++larger) {
        for (unsigned smaller = 0; smaller <= larger; ++smaller) {
            const Side a = side_of_number(larger);
            const Side b = side_of_number(smaller);
            if (has_table(a, b) && static_cast<std::uint32_t>(a.count() + b.count()) <= men) {
                all.push_back(class_of(larger, smaller));
            }
        }
    }
    const auto order = [](std::uint32_t c) {
        const Side a = side_of_number(larger_side(c));
        const Side b = side_of_number(smaller_side(c));
        return 16 * (a.count() + b.count()) + a.men + b.men;
    };
    std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) { return order(a) < order(b); });
    return all;
}

/// The classes that moves out of a class lead to, ascending: a man becomes a king, men are taken, or both.
inline std::vector<std::uint32_t> classes_needed(std::uint32_t c) {
    std::vector<std::uint32_t> needed;
    const auto add = [&](const Side& mover, const Side& other) {
        for (int crowned = 0; crowned <= std::min(1, mover.men); ++crowned) {
            const unsigned after = side_number({mover.men - crowned, mover.kings + crowned});
            for (int men = 0; men <= other.men; ++men) {
                for (int kings = 0; kings <= other.kings; ++kings) {
                    if (men + kings == 0) continue;
                    const std::uint32_t need = class_of(after, side_number({men, kings}));
                    if (need != c) needed.push_back(need);
                }
            }
        }
    };
    const Side a = side_of_number(larger_side(c));
    const Side b = side_of_number(smaller_side(c));
    add(a, b);
    add(b, a);
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    return needed;
}

/// `kkm-km`: kings, then men.
inline std::string name_of_class(std::uint32_t c) {
    const auto name = [](const Side& side) {
        return std::string(static_cast<std::size_t>(side.kings), 'k') +
               std::string(static_cast<std::size_t>(side.men), 'm');
    };
    return name(side_of_number(larger_side(c))) + "-" + name(side_of_number(smaller_side(c)));
}

}  // namespace proofbase::checkers
