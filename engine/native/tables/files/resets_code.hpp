// Entries of tables of games with a counter of plies (IndexedByResets): who wins a position with the counter 0, and
// within how many plies the next reset comes, or mate, if the winner plays for the soonest and the loser for the
// latest. The winner's reset leads to a position that is won again.
//
// 0: a draw, whatever the counter is. 1: no position has this number. Otherwise 2 + 2 z, and 1 more where the side to
// move wins: z plies, 0 where it is mated, up to 100. A position with the counter c is decided if z + c <= 100, and a
// draw otherwise.
//
// Why one entry is enough. Let W(p, c) be the value of the position p with the counter c. If W(p, c + 1) is not 0, then
// W(p, c) is the same: by induction from the highest counter down, since the moves are the same, resets lead to the
// same positions, and after other moves the counter is less by one. So each position is decided up to some counter, 100
// - z, and z is 1 for a reset, or else one more than that of the position after the move: the least over the moves of
// the winner, the most over those of the loser.
#pragma once

#include "tables/files/plies_code.hpp"

namespace proofbase {

inline constexpr unsigned most_plies_to_reset = 100;
inline constexpr int value_of_mated = -1;

constexpr unsigned reset_entry(unsigned plies, bool wins) noexcept {
    return finished_entry + 2 * plies + (wins ? 1 : 0);
}

/// Precondition: the entry is not that of a draw or of no position.
constexpr unsigned plies_to_reset(unsigned entry) noexcept {
    return plies_of_entry(entry) / 2;
}

/// The value of a position with this counter.
constexpr int value_with_counter(unsigned entry, unsigned counter) noexcept {
    const bool in_time = entry >= finished_entry && plies_to_reset(entry) + counter <= most_plies_to_reset;
    return in_time ? value_of_entry(entry, value_of_mated) : 0;
}

/// The entry of a position with one move only, by the entry of the position after it.
constexpr unsigned entry_before(unsigned after, bool is_reset) noexcept {
    if (after < finished_entry) return drawn_entry;
    const unsigned plies = is_reset ? 1 : plies_to_reset(after) + 1;
    return plies > most_plies_to_reset ? drawn_entry : reset_entry(plies, value_of_entry(after, value_of_mated) < 0);
}

}  // namespace proofbase
