// Entries of tables of plies (docs/tables.md): how a position ends, and when, in one small number.
//
// 0: a draw. 1: no position has this number. From 2 on: the game ends in (entry - 2) plies if both sides play for
// that, the winner for the soonest end and the loser for the latest. Who wins follows from the plies: positions 0 plies
// from the end have the value `end_value` of the game, and the sides take turns.
#pragma once

#include <limits>

namespace proofbase {

inline constexpr unsigned drawn_entry = 0;
inline constexpr unsigned no_position_entry = 1;
inline constexpr unsigned finished_entry = 2;

/// The largest entry while a table is built with entries of this type, whose largest number means something else then.
template <class Entry>
inline constexpr unsigned last_entry = std::numeric_limits<Entry>::max() - 1;

/// -1, 0 or 1; 0 for a number without a position.
constexpr int value_of_entry(unsigned entry, int end_value) noexcept {
    if (entry < finished_entry) return 0;
    return (entry & 1) == (finished_entry & 1) ? end_value : -end_value;
}

/// Plies to the end of a decided game; 0 for others.
constexpr unsigned plies_of_entry(unsigned entry) noexcept {
    return entry < finished_entry ? 0 : entry - finished_entry;
}

}  // namespace proofbase
