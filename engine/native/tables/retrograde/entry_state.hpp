// What the builder knows of a position, in one number: in the low bits what its moves bring that are known, above them
// a mark. Both kinds of tables are built with it.
//
// The mark `final_mark`: the position is final, with what the low bits say. Any other: it is not. Then the mark is
// `open`, the number of its moves that are not known. The low bits hold
//
//   values (retrograde.hpp): `best`, the best value that its known moves bring. `open` counts all others. The mark
//     `pending_mark`: it is final, and has still to update its predecessors: the work was stopped.
//   plies (plies_in_parts.hpp): the entry (plies_code.hpp) that its moves out of the class bring about: the soonest
//     win, or, if it can be lost, the latest loss; 0 for none. `open` counts its moves in the class that are not known
//     to be lost by it; the highest bit of the mark says that it can never be lost (`safe`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/listed/lists_moves.hpp"

namespace proofbase {

/// `Known`: what the low bits hold, a value or an entry. `mark_bits`: those of the mark.
template <class Number, class Known, unsigned mark_bits>
struct EntryStates {
    using State = Number;

    static constexpr unsigned shift = 8 * sizeof(Known);
    static constexpr unsigned final_mark = (1u << mark_bits) - 1;
    static constexpr unsigned pending_mark = final_mark - 1;

    static constexpr State pack(int known, unsigned mark) noexcept {
        return static_cast<State>(static_cast<std::make_unsigned_t<Known>>(known) | mark << shift);
    }
    static constexpr Known known_of(State state) noexcept { return static_cast<Known>(state); }
    static constexpr unsigned mark_of(State state) noexcept { return state >> shift & final_mark; }
};

/// States of tables of values.
template <class Number, unsigned mark_bits>
struct ValueStatesOf : EntryStates<Number, std::int8_t, mark_bits> {
    using Base = EntryStates<Number, std::int8_t, mark_bits>;
    using State = Number;
    using Base::final_mark, Base::mark_of, Base::pack, Base::pending_mark;

    static constexpr std::int8_t no_value = std::numeric_limits<std::int8_t>::min();
    /// The threshold that positions wait for which are pending, or have no move of unknown value: any.
    static constexpr int awaits_always = 127;

    static constexpr std::int8_t best_of(State state) noexcept { return Base::known_of(state); }
    static constexpr bool is_final(State state) noexcept { return mark_of(state) >= pending_mark; }

    /// Whether a position has to be made final at the threshold v by its own state. Without branches.
    static constexpr bool becomes_final(State state, int v) noexcept {
        const unsigned open = mark_of(state);
        return (open == pending_mark) | (open == 0) | ((open != final_mark) & (best_of(state) >= v));
    }

    /// The state at the threshold v after one more move has the value `value` for the position. Precondition: the old
    /// one is not final.
    static constexpr State updated(State old, int value, int v) noexcept {
        const int best = std::max<int>(best_of(old), value);
        const unsigned open = mark_of(old) - 1;
        return pack(best, best >= v || open == 0 ? final_mark : open);
    }

    /// The value of a position, after the last threshold.
    static constexpr int value_of(State state) noexcept { return mark_of(state) == final_mark ? best_of(state) : 0; }

    /// The highest threshold at which one of these positions is final by its own state; none at a higher one is.
    static int awaited_threshold(const State* states, std::uint64_t count) noexcept {
        int highest = no_value;
        for (std::uint64_t i = 0; i < count; ++i) {  // without a way out: the compiler compares many states at once
            const unsigned open = mark_of(states[i]);
            const int waits = open == 0 || open == pending_mark ? awaits_always : best_of(states[i]);
            highest = std::max(highest, open == final_mark ? int{no_value} : waits);
        }
        return highest;
    }
};

/// States of tables of plies.
template <class Number, class Known, unsigned mark_bits>
struct PliesStatesOf : EntryStates<Number, Known, mark_bits> {
    using Base = EntryStates<Number, Known, mark_bits>;
    using State = Number;
    using Base::final_mark, Base::mark_of, Base::pack;

    static constexpr unsigned safe = 1u << (mark_bits - 1);
    static constexpr unsigned most_open = safe - 2;

    static constexpr State known(unsigned entry) noexcept { return pack(static_cast<int>(entry), final_mark); }
    static constexpr unsigned entry_of(State state) noexcept { return Base::known_of(state); }
    static constexpr bool is_known(State state) noexcept { return mark_of(state) == final_mark; }

    /// Whether the position gets the entry of its moves out of the class in its turn, whatever its other moves are.
    static constexpr bool awaits_its_turn(State state) noexcept {
        const unsigned mark = mark_of(state);
        return entry_of(state) != 0 && mark != final_mark && ((mark & safe) != 0 || mark == 0);
    }

    /// The entry before a position that has this one. Throws std::length_error.
    static unsigned plus_one(unsigned entry) {
        if (entry >= last_entry<Known>) {
            throw std::length_error("a game of more than " + std::to_string(last_entry<Known> - finished_entry) +
                                    " plies");
        }
        return entry + 1;
    }

    /// The state of a position that is not known after a move out of the class leads to an entry. Throws
    /// std::length_error.
    static State after_exit(State state, unsigned child, int end_value) {
        const int worth = -value_of_entry(child, end_value);
        const unsigned mark = mark_of(state);
        const bool was_safe = (mark & safe) != 0;
        unsigned entry = entry_of(state);
        if (worth < 0) return was_safe ? state : pack(std::max(entry, plus_one(child)), mark);
        if (!was_safe) entry = 0;  // what it loses by does not matter any more
        if (worth > 0) entry = entry == 0 ? plus_one(child) : std::min(entry, plus_one(child));
        return pack(entry, mark | safe);
    }

    /// The state of a position after a move in the class turns out to lead to a position one ply below `next`: a lost
    /// one (`wins`), or a won one.
    static constexpr State after_move(State state, bool wins, unsigned next) noexcept {
        const unsigned mark = mark_of(state);
        if (mark == final_mark) return state;
        if (wins) return known(next);
        if (mark == 0 || (mark & safe) != 0) return state;
        // It is lost with its last open move only, and not before its moves out of the class are lost too.
        return mark == 1 && entry_of(state) <= next ? known(next) : pack(entry_of(state), mark - 1);
    }
};

/// The states of a table of values. Lists of moves may be long.
template <HasTables G>
using ValueStates =
    std::conditional_t<ListsMoves<G>, ValueStatesOf<std::uint32_t, 24>, ValueStatesOf<std::uint16_t, 8>>;

/// The states of a table of plies whose entries have this type (with_entry_of_plies).
template <HasPlies G, class Entry>
using PliesStates = std::conditional_t<ListsMoves<G>, PliesStatesOf<std::uint32_t, Entry, 24>,
                                       std::conditional_t<sizeof(Entry) == 1, PliesStatesOf<std::uint16_t, Entry, 8>,
                                                          PliesStatesOf<std::uint32_t, Entry, 8>>>;

}  // namespace proofbase
