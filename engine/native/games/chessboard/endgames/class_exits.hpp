// The moves of endgames forwards: those that leave the class one by one, the others by their number. Included by
// class_moves.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/endgames/class_moves.hpp"

namespace proofbase::chessboard {

// The order of the own men: the king is man 0 in chess.

template <class Leave>
ClassExits EndgameMoves::chess_exits(const Placement& men, Leave&& leave) const {
    const Numbering& numbering = *halves_[men.half];
    const std::size_t own_men = numbering.own_men();
    const auto [own, other] = occupied(men);
    const unsigned king_on = men.at[0];
    ClassExits out;
    unsigned left = 0;
    const auto counted = [&](std::uint32_t c, std::uint64_t i) {
        ++left;
        leave(c, i);
    };

    // What the other side attacks with the king off its square, who gives check, and who is pinned to which line.
    Squares danger = 0;
    Squares allowed = ~Squares{0};
    bool checked = false;
    std::array<Squares, most_side_men> line;
    line.fill(~Squares{0});
    for (std::size_t man = own_men; man < numbering.men(); ++man) {
        const Kind kind = numbering.kind(man);
        const unsigned from = men.at[man];
        if (kind == pawn) {
            danger |= few_men.attacked_from_above[from];
        } else {
            danger |= attacks_among(kind, from, men.at.data() + 1, numbering.men() - 1);
        }
        const Squares whole = kind == pawn ? few_men.attacked_from_above[from] : few_men.empty_board[kind][from];
        if ((whole >> king_on & 1) == 0) continue;
        const Squares way = few_men.connecting[from][king_on];
        const Squares blockers = way & (own | other);
        const Squares path = way | square_set(static_cast<int>(from));
        if (blockers == 0 || kind == knight || kind == pawn) {
            allowed &= kind == knight || kind == pawn ? square_set(static_cast<int>(from)) : path;
            checked = true;
        } else if ((blockers & (blockers - 1)) == 0 && (blockers & own) != 0) {
            for (std::size_t mine = 1; mine < own_men; ++mine) {
                if ((blockers >> men.at[mine] & 1) != 0) line[mine] = path;
            }
        }
    }

    for (std::size_t man = 1; man < own_men; ++man) {
        const unsigned from = men.at[man];
        if (numbering.kind(man) != pawn) {
            const Squares targets = attacks_among(numbering.kind(man), from, men.at.data(), numbering.men());
            man_moves(men, man, targets & ~own & allowed & line[man], other, out, counted);
            continue;
        }
        const Squares targets = pawn_steps(from, own | other) | (few_men.empty_board[pawn][from] & other);
        pawn_moves(men, man, targets & allowed & line[man], other, out, counted);
        if (men.passed != none && captures_in_passing(men, man, men.at[men.passed])) {
            leave_class(men, man, men.at[men.passed] + 8u, pawn, men.passed, counted);
        }
    }
    man_moves(men, 0, few_men.empty_board[king][king_on] & ~own & ~danger, other, out, counted);
    if (out.inside + left == 0) out.finished = checked ? -1 : 0;
    return out;
}

template <class Leave>
ClassExits EndgameMoves::giveaway_exits(const Placement& men, Leave&& leave) const {
    const Numbering& numbering = *halves_[men.half];
    const std::size_t own_men = numbering.own_men();
    const auto [own, other] = occupied(men);
    std::array<Squares, most_side_men> attacked{};
    ClassExits out;
    bool captures = false;
    for (std::size_t man = 0; man < own_men; ++man) {
        attacked[man] = attacks_among(numbering.kind(man), men.at[man], men.at.data(), numbering.men());
        captures |= (attacked[man] & other) != 0;
    }
    for (std::size_t man = 0; man < own_men && men.passed != none; ++man) {
        if (numbering.kind(man) == pawn && captures_in_passing(men, man, men.at[men.passed])) {
            leave_class(men, man, men.at[men.passed] + 8u, pawn, men.passed, leave);
            captures = true;
        }
    }
    unsigned left = 0;
    const auto counted = [&](std::uint32_t c, std::uint64_t i) {
        ++left;
        leave(c, i);
    };
    for (std::size_t man = 0; man < own_men; ++man) {
        const bool is_pawn = numbering.kind(man) == pawn;
        Squares targets = captures  ? attacked[man] & other
                          : is_pawn ? pawn_steps(men.at[man], own | other)
                                    : attacked[man] & ~own;
        if (is_pawn) {
            pawn_moves(men, man, targets, other, out, counted);
        } else {
            man_moves(men, man, targets, other, out, counted);
        }
    }
    if (!captures && out.inside + left == 0) out.finished = 1;
    return out;
}

}  // namespace proofbase::chessboard
