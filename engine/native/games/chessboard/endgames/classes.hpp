// The classes of endgames: which men each side has (docs/tables.md).
//
// A side of one to three men has a number: sides are sorted by how many men they have, then by their men from the most
// valuable one on (a king before a queen, rook, bishop, knight and pawn). A class has the positions in which the two
// sides are two given ones, whoever is to move; its larger side is named first. Class number: 83 times the larger side
// and the smaller one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "games/chessboard/board.hpp"

namespace proofbase::chessboard {

inline constexpr int most_table_men = 4;
inline constexpr std::size_t most_side_men = 3;
inline constexpr unsigned side_numbers = 83;  ///< 6 sides of one man, 21 of two, 56 of three

/// The men of one side, from the most valuable one on.
struct SideMen {
    std::array<Kind, most_side_men> kinds{no_man, no_man, no_man};
    std::uint8_t count = 0;

    bool operator==(const SideMen&) const = default;

    bool has(Kind kind) const noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            if (kinds[i] == kind) return true;
        }
        return false;
    }
    SideMen without(std::size_t man) const noexcept;
    SideMen with(Kind kind) const noexcept;  ///< Precondition: fewer than three men.
};

/// Precondition: one man at least.
unsigned side_number(const SideMen& men) noexcept;
SideMen side_of_number(unsigned number) noexcept;

/// The number of a side with so many men of each kind, `counts` with two bits a kind from pawns at the low end on;
/// side_numbers where no side of one to three men has them.
unsigned side_of_counts(unsigned counts) noexcept;

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

/// Whether the two sides can be those of a table: four men at most, and in chess one king each.
bool is_table_class(Rules rules, const SideMen& side, const SideMen& other) noexcept;

/// The classes of up to so many men, fewer men first, then fewer pawns: so that each comes after those it needs.
std::vector<std::uint32_t> classes_of_men(Rules rules, std::uint32_t men);

/// The classes that a capture or a promotion leads to, ascending.
std::vector<std::uint32_t> classes_needed(Rules rules, std::uint32_t c);

/// `kq-kr`.
std::string name_of_class(std::uint32_t c);

}  // namespace proofbase::chessboard
