// Positions of endgames as numbers of their classes (docs/tables.md): the numbers by which tables are read.
//
// A class has two halves: first the positions in which the larger side is to move, then the others. A class of two
// equal sides has one half.
#pragma once

#include <cstdint>
#include <optional>

#include "games/chessboard/board.hpp"
#include "games/chessboard/endgames/classes.hpp"
#include "games/chessboard/endgames/numbering.hpp"

namespace proofbase::chessboard {

/// The class of a position; no_table_class for too many men, rights to castle, and a side without men.
std::uint32_t table_class(Rules rules, const Board& b) noexcept;

/// Precondition: the position is in a table.
std::uint64_t table_rank(Rules rules, const Board& b) noexcept;

/// Halves of a class and how many numbers they have.
std::uint64_t class_size(Rules rules, std::uint32_t c) noexcept;

/// The position with a number, White to move; nothing where no position has it.
std::optional<Board> table_position(Rules rules, std::uint32_t c, std::uint64_t number) noexcept;

}  // namespace proofbase::chessboard
