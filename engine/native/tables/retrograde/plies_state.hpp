// What the builder in parts knows of a position of a table of plies (plies_in_parts.hpp), in one number:
// in the low bits an entry (plies_code.hpp), above it a mark of eight bits.
//
// The mark `known_mark`: the position has that entry. Any other: it is not known. Then the mark is the number of its
// moves in the class that are not known to be lost by it (`open`), and bit 7 says that it can never be lost (`safe`).
// The entry is the one that its moves out of the class bring about: the soonest win, or, if it is not safe, the latest
// loss; 0 for none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"

namespace proofbase {

/// An entry while a table is built.
template <HasPlies G>
using PliesEntry = std::conditional_t<IndexedByPlies<G>, std::uint8_t, std::uint16_t>;

template <class Entry>
struct PliesStates {
    using State = std::conditional_t<sizeof(Entry) == 1, std::uint16_t, std::uint32_t>;

    static constexpr unsigned shift = 8 * sizeof(Entry);
    static constexpr unsigned known_mark = 255;
    static constexpr unsigned safe = 128;
    static constexpr unsigned most_open = 126;

    static constexpr State pack(unsigned entry, unsigned mark) noexcept {
        return static_cast<State>(entry | mark << shift);
    }
    static constexpr State known(unsigned entry) noexcept { return pack(entry, known_mark); }
    static constexpr unsigned entry_of(State state) noexcept { return static_cast<Entry>(state); }
    static constexpr unsigned mark_of(State state) noexcept { return state >> shift & 0xffu; }
    static constexpr bool is_known(State state) noexcept { return mark_of(state) == known_mark; }

    /// Whether the position gets the entry of its moves out of the class in its turn, whatever its other moves are.
    static constexpr bool awaits_its_turn(State state) noexcept {
        const unsigned mark = mark_of(state);
        return entry_of(state) != 0 && mark != known_mark && ((mark & safe) != 0 || mark == 0);
    }

    /// The entry before a position that has this one. Throws std::length_error.
    static unsigned plus_one(unsigned entry) {
        if (entry >= last_entry<Entry>) {
            throw std::length_error("a game of more than " + std::to_string(last_entry<Entry> - finished_entry) +
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
        if (mark == known_mark) return state;
        if (wins) return known(next);
        if (mark == 0 || (mark & safe) != 0) return state;
        // It is lost with its last open move only, and not before its moves out of the class are lost too.
        return mark == 1 && entry_of(state) <= next ? known(next) : pack(entry_of(state), mark - 1);
    }
};

}  // namespace proofbase
