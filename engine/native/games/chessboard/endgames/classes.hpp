// The classes of endgames: which men each side has (docs/tables.md).
//
// A side of one to three men, or of a king and three others, has a number: sides are sorted by how many men they have,
// then by their men from the most valuable one on (a king before a queen, rook, bishop, knight and pawn). A class has
// the positions in which the two sides are two given ones, whoever is to move; its larger side is named first. Class
// number: 83 times the larger side and the smaller one, which never has more than three men.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/chessboard/board.hpp"

namespace proofbase::chessboard {

inline constexpr int most_table_men = 5;  ///< of both sides
inline constexpr std::size_t most_side_men = 4;
inline constexpr unsigned smaller_sides = 83;  ///< 6 sides of one man, 21 of two, 56 of three
inline constexpr unsigned side_numbers = smaller_sides + 35;

/// Men of both sides in the tables of a game. One side has one man less at most.
constexpr int most_table_men_of(Rules rules) noexcept {
    return rules == Rules::chess ? most_table_men : 4;
}

/// The men of one side, from the most valuable one on.
struct SideMen {
    std::array<Kind, most_side_men> kinds{no_man, no_man, no_man, no_man};
    std::uint8_t count = 0;

    bool operator==(const SideMen&) const = default;

    bool has(Kind kind) const noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            if (kinds[i] == kind) return true;
        }
        return false;
    }
    SideMen without(std::size_t man) const noexcept;
    SideMen with(Kind kind) const noexcept;  ///< Precondition: fewer than four men.
};

/// Precondition: one man at least.
unsigned side_number(const SideMen& men) noexcept;
SideMen side_of_number(unsigned number) noexcept;

/// The number of a side with so many men of each kind, `counts` with two bits a kind from pawns at the low end on;
/// side_numbers where no side with a number has them.
unsigned side_of_counts(unsigned counts) noexcept;

/// The class of the positions with these two sides, in any order.
constexpr std::uint32_t class_of(unsigned side, unsigned other) noexcept {
    return side < other ? smaller_sides * other + side : smaller_sides * side + other;
}
constexpr unsigned larger_side(std::uint32_t c) noexcept {
    return c / smaller_sides;
}
constexpr unsigned smaller_side(std::uint32_t c) noexcept {
    return c % smaller_sides;
}

/// Whether the two sides can be those of a table: not too many men, and in chess one king each.
bool is_table_class(Rules rules, const SideMen& side, const SideMen& other) noexcept;

/// The classes of up to so many men, fewer men first, then fewer pawns: so that each comes after those it needs.
std::vector<std::uint32_t> classes_of_men(Rules rules, std::uint32_t men);

/// The classes that a capture or a promotion leads to, ascending.
std::vector<std::uint32_t> classes_needed(Rules rules, std::uint32_t c);

/// Whether mates in a class may take more than 252 plies: those of two pawns against one do, up to 127 moves.
bool has_long_mates(Rules rules, std::uint32_t c) noexcept;

/// `kq-kr`.
std::string name_of_class(std::uint32_t c);

}  // namespace proofbase::chessboard
