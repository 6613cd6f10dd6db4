// The moves of checkers, and how a move is coded.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "games/checkers/board.hpp"

namespace proofbase::checkers {

/// From the high bits: the square that the man leaves, the one that it comes to (5 bits each), and the number of the
/// way between them, where there are several (4 bits).
using Move = std::uint16_t;
inline constexpr unsigned most_jumps = 9;  ///< of a man: squares that can be jumped over from one square on
inline constexpr unsigned most_ways = 16;  ///< of a man to jump, counted over all sets of men to jump over

constexpr Move code(unsigned from, unsigned to, unsigned way) noexcept {
    return static_cast<Move>(from << 9 | to << 4 | way);
}
constexpr unsigned from_of(Move move) noexcept {
    return move >> 9;
}
constexpr unsigned to_of(Move move) noexcept {
    return move >> 4 & 31U;
}
/// A jump keeps the parity of the row, a step does not.
constexpr bool is_jump(Move move) noexcept {
    return ((from_of(move) ^ to_of(move)) & 4) == 0;
}

/// The squares of a move and the men that it takes.
struct Path {
    std::array<std::uint8_t, most_jumps + 1> squares{};
    std::size_t length = 0;  ///< of `squares`
    Squares taken = 0;
};

/// The men of `own` that can jump over one of `other`, of those that move in a direction.
constexpr Squares jumpers(Squares own, Squares other, Squares free, unsigned direction) noexcept {
    const unsigned back = directions - 1 - direction;
    return own & stepped(stepped(free, back) & other, back);
}

constexpr bool can_jump(const Position& p) noexcept {
    const Squares free = ~(p.own | p.other);
    const Squares kings = p.own & p.kings;
    return (jumpers(p.own, p.other, free, 0) | jumpers(p.own, p.other, free, 1) | jumpers(kings, p.other, free, 2) |
            jumpers(kings, p.other, free, 3)) != 0;
}

constexpr bool can_step(const Position& p) noexcept {
    const Squares kings = p.own & p.kings;
    const Squares to = stepped(p.own, 0) | stepped(p.own, 1) | stepped(kings, 2) | stepped(kings, 3);
    return (to & ~(p.own | p.other)) != 0;
}

/// Rules 3 and 4: calls `visit(path)` for the ways of the man on a square to jump, in the order of their directions,
/// until it returns true.
template <class Visit>
void for_each_jump(const Position& p, unsigned from, Visit&& visit) {
    const bool king = (p.kings >> from & 1) != 0;
    const Squares free = ~(p.own | p.other) | square_set(from);
    Path path;
    path.squares[path.length++] = static_cast<std::uint8_t>(from);
    const auto go_on = [&](const auto& self) -> bool {
        const unsigned at = path.squares[path.length - 1];
        bool further = false;
        const unsigned ways = king ? directions : (square_set(at) & king_row) != 0 ? 0 : forward;
        for (unsigned d = 0; d < ways; ++d) {
            const unsigned over = neighbours[at][d];
            const unsigned to = neighbours[over][d];
            if (to == nowhere || ((p.other & ~path.taken) >> over & 1) == 0 || (free >> to & 1) == 0) continue;
            further = true;
            path.taken ^= square_set(over);
            path.squares[path.length++] = static_cast<std::uint8_t>(to);
            if (self(self)) return true;
            --path.length;
            path.taken ^= square_set(over);
        }
        return !further && path.length > 1 && visit(static_cast<const Path&>(path));
    };
    go_on(go_on);
}

/// Precondition: the move is legal.
inline Path path_of(const Position& p, Move move) noexcept {
    Path found;
    if (!is_jump(move)) {
        found.squares = {static_cast<std::uint8_t>(from_of(move)), static_cast<std::uint8_t>(to_of(move))};
        found.length = 2;
        return found;
    }
    unsigned way = move & 15;
    for_each_jump(p, from_of(move), [&](const Path& path) {
        if (path.squares[path.length - 1] != to_of(move)) return false;
        found = path;
        return way-- == 0;
    });
    return found;
}

inline Position played(const Position& p, Move move) noexcept {
    const Squares taken = is_jump(move) ? path_of(p, move).taken : 0;
    const Squares from = square_set(from_of(move));
    const Squares to = square_set(to_of(move));
    const bool king = (p.kings & from) != 0 || (to & king_row) != 0;  // rule 4
    const Squares kings = (p.kings & ~from & ~taken) | (king ? to : 0);
    return {turned(p.other & ~taken), turned((p.own & ~from) | to), turned(kings), p.side ^ 1};
}

}  // namespace proofbase::checkers
