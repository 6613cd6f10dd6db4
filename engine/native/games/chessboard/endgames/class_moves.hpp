// The moves of endgames, forwards and backwards, on squares of men: for the builder of tables (concepts.hpp,
// `ClassMoves`). It shares the numbering with the rest, and no rules of moves. Moves forwards are in class_exits.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "games/chessboard/endgames/few_men.hpp"
#include "games/chessboard/endgames/numbering.hpp"
#include "games/chessboard/endgames/positions.hpp"
#include "table_concepts.hpp"

namespace proofbase::chessboard {

class EndgameMoves {
  public:
    /// A placement in one half of the class (positions.hpp). A pawn that may be captured in passing stands where it is.
    struct Placement {
        MenSquares at{};
        std::uint8_t half = 0;
        std::uint8_t passed = none;  ///< the man that may be captured in passing
        std::uint8_t symmetry = 1;   ///< how many symmetries keep the position in place
    };

    /// `steps_leave`: moves of pawns count among those that leave the class, and not backwards.
    EndgameMoves(Rules rules, std::uint32_t c, bool steps_leave = false)
        : rules_(rules), class_(c), steps_leave_(steps_leave) {
        const Numberings& all = numberings(rules);
        sides_ = {larger_side(c), smaller_side(c)};
        halves_[0] = all.get(sides_[0], sides_[1]);
        halves_[1] = all.get(sides_[1], sides_[0]);
        equal_ = sides_[0] == sides_[1];
        for (std::size_t h = 0; h < 2; ++h) make_exits(h);
    }

    bool men(std::uint64_t i, Placement& out) const noexcept {
        out.half = !equal_ && i >= halves_[0]->size();
        const Numbering& numbering = *halves_[out.half];
        if (out.half != 0) i -= halves_[0]->size();
        const bool sure = numbering.squares(i, out.at);
        const MenSquares written = out.at;
        out.passed = none;
        out.symmetry = 1;
        if (numbering.has_passed_pawns() && !take_passed_pawn(numbering, out)) return false;
        Squares occupied = 0;
        for (std::size_t man = 0; man < numbering.men(); ++man) {
            const Squares on = square_set(out.at[man]);
            if ((occupied & on) != 0) return false;
            occupied |= on;
        }
        if (out.passed != none) {
            const Squares behind = square_set(out.at[out.passed]) << 8 | square_set(out.at[out.passed]) << 16;
            if ((occupied & behind) != 0 || !has_pass_capture(out, out.at[out.passed])) return false;
        }
        if (rules_ == Rules::chess && is_attacked(out, out.at[numbering.own_men()], 0, numbering.own_men()))
            return false;
        if (sure) return true;
        const NumberAndSymmetry found = numbering.number(written);
        out.symmetry = static_cast<std::uint8_t>(found.symmetry);
        return found.number == i;
    }

    template <class Leave>
    ClassExits exits(const Placement& men, Leave&& leave) const {
        return rules_ == Rules::chess ? chess_exits(men, leave) : giveaway_exits(men, leave);
    }

    template <class Visit>
    void for_each_predecessor(const Placement& men, Visit&& visit) const {
        if (men.symmetry == 1) {
            for_each_move_back(men, [&](const MenSquares& before) {
                const NumberAndSymmetry found = number_before(men, before);
                for (unsigned i = 0; i < found.symmetry; ++i) visit(found.number);
            });
            return;
        }
        // Moves that symmetries make out of each other count as one: each position before gets its share.
        std::array<std::pair<std::uint64_t, unsigned>, 256> all;
        std::size_t count = 0;
        for_each_move_back(men, [&](const MenSquares& before) {
            const NumberAndSymmetry found = number_before(men, before);
            all[count++] = {found.number, found.symmetry};
        });
        std::sort(all.data(), all.data() + count);
        for (std::size_t i = 0; i < count;) {
            std::size_t end = i;
            while (end < count && all[end].first == all[i].first) ++end;
            for (std::size_t k = 0; k < (end - i) * all[i].second / men.symmetry; ++k) visit(all[i].first);
            i = end;
        }
    }

    /// Moves of pawns lead to higher stages: how many steps all pawns have made.
    unsigned stage(const Placement& men) const noexcept {
        const Numbering& numbering = *halves_[men.half];
        unsigned steps = 0;
        for (std::size_t man = 0; man < numbering.men(); ++man) {
            if (numbering.kind(man) != pawn) continue;
            steps += man < numbering.own_men() ? men.at[man] / 8u - 1 : 6u - men.at[man] / 8u;
        }
        return steps;
    }
    unsigned stages() const noexcept {
        unsigned out = 1;
        for (std::size_t man = 0; man < halves_[0]->men(); ++man) out += halves_[0]->kind(man) == pawn ? 5 : 0;
        return out;
    }

  private:
    static constexpr std::uint8_t none = 255;
    static constexpr std::size_t no_man = most_table_men;

    /// Where a capture or a promotion leads.
    struct Exit {
        const Numbering* numbering = nullptr;  ///< of the position after it; null where its side to move has no men
        std::uint32_t table_class = no_table_class;
        std::uint64_t first = 0;                         ///< number of the first position of its half
        std::array<std::uint8_t, most_table_men> men{};  ///< the man before, by the man after
    };

    /// By the moving man's new kind (`pawn` where it stays what it is) and the captured man.
    using Exits = std::array<std::array<Exit, most_table_men + 1>, 6>;

    void make_exits(std::size_t h);

    static bool take_passed_pawn(const Numbering& numbering, Placement& out) noexcept {
        for (std::size_t man = numbering.own_men(); man < numbering.men(); ++man) {
            if (numbering.kind(man) != pawn || out.at[man] > 7) continue;
            if (out.passed != none) return false;
            out.passed = static_cast<std::uint8_t>(man);
            out.at[man] = static_cast<std::uint8_t>(out.at[man] + 32);
        }
        return true;
    }

    /// Whether one of the men from `first` to `end` attacks a square; all men stand in the way.
    bool is_attacked(const Placement& men, unsigned square, std::size_t first, std::size_t end) const noexcept {
        const Numbering& numbering = *halves_[men.half];
        for (std::size_t man = first; man < end; ++man) {
            const Kind kind = numbering.kind(man);
            const unsigned from = men.at[man];
            const Squares attacked = kind == pawn && first != 0
                                         ? few_men.attacked_from_above[from]
                                         : attacks_among(kind, from, men.at.data(), numbering.men());
            if ((attacked >> square & 1) != 0) return true;
        }
        return false;
    }

    /// Whether the king of the side to move, on a square, is attacked while the man `without` is off the board.
    bool is_king_attacked(const Placement& men, unsigned square, std::size_t without) const noexcept {
        const Numbering& numbering = *halves_[men.half];
        std::array<std::uint8_t, most_table_men> standing{};
        std::size_t count = 0;
        for (std::size_t man = 0; man < numbering.men(); ++man) {
            if (man != without) standing[count++] = man == 0 ? static_cast<std::uint8_t>(square) : men.at[man];
        }
        for (std::size_t man = numbering.own_men(); man < numbering.men(); ++man) {
            if (man == without) continue;
            const Kind kind = numbering.kind(man);
            const unsigned from = men.at[man];
            const Squares attacked =
                kind == pawn ? few_men.attacked_from_above[from] : attacks_among(kind, from, standing.data(), count);
            if ((attacked >> square & 1) != 0) return true;
        }
        return false;
    }

    /// Whether a pawn of the side to move can capture in passing the pawn on this square.
    bool has_pass_capture(const Placement& men, unsigned pawn_on) const noexcept {
        const Numbering& numbering = *halves_[men.half];
        for (std::size_t man = 0; man < numbering.own_men(); ++man) {
            if (numbering.kind(man) == pawn && captures_in_passing(men, man, pawn_on)) return true;
        }
        return false;
    }

    bool captures_in_passing(const Placement& men, std::size_t man, unsigned pawn_on) const noexcept {
        if ((few_men.empty_board[pawn][men.at[man]] & square_set(static_cast<int>(pawn_on)) << 8) == 0) return false;
        if (rules_ != Rules::chess) return true;
        std::size_t taken = halves_[men.half]->own_men();
        while (men.at[taken] != pawn_on) ++taken;
        Placement after = men;
        after.at[man] = static_cast<std::uint8_t>(pawn_on + 8);
        return !is_king_attacked(after, men.at[0], taken);
    }

    template <class Leave>
    void leave_class(const Placement& men, std::size_t man, unsigned to, Kind becomes, std::size_t taken,
                     Leave&& leave) const {
        const Exit& exit = exits_[men.half][becomes][taken];
        if (exit.numbering == nullptr) {
            leave(no_table_class, std::uint64_t{0});
            return;
        }
        MenSquares after{};
        for (std::size_t i = 0; i < exit.numbering->men(); ++i) {
            const std::size_t before = becomes == pawn ? exit.men[i] : promoted(exit, i, man, men.half);
            after[i] = static_cast<std::uint8_t>((before == man ? to : men.at[before]) ^ 56u);
        }
        leave(exit.table_class, exit.first + exit.numbering->number(after).number);
    }

    /// Exits of promotions are made for the last own man, which is a pawn: another pawn changes places with it.
    std::size_t promoted(const Exit& exit, std::size_t i, std::size_t man, std::size_t half) const noexcept {
        const std::size_t last = halves_[half]->own_men() - 1;
        const std::size_t before = exit.men[i];
        return before == last ? man : before == man ? last : before;
    }

    /// Moves of one man to `targets`: those that stay in the class are counted.
    template <class Leave>
    void man_moves(const Placement& men, std::size_t man, Squares targets, Squares others, ClassExits& out,
                   Leave&& leave) const {
        out.inside += static_cast<unsigned>(std::popcount(targets & ~others));
        for (Squares captures = targets & others; captures != 0; captures &= captures - 1) {
            const auto to = static_cast<unsigned>(first_square(captures));
            leave_class(men, man, to, pawn, man_on(men, to), leave);
        }
    }

    std::size_t man_on(const Placement& men, unsigned square) const noexcept {
        std::size_t man = halves_[men.half]->own_men();
        while (men.at[man] != square) ++man;
        return man;
    }

    template <class Leave>
    void pawn_moves(const Placement& men, std::size_t man, Squares targets, Squares others, ClassExits& out,
                    Leave&& leave) const {
        if ((targets & rank_8) == 0) {
            if (steps_leave_) {
                for (Squares steps = targets & ~others; steps != 0; steps &= steps - 1) {
                    step_in_class(men, man, static_cast<unsigned>(first_square(steps)), leave);
                }
                targets &= others;
            }
            man_moves(men, man, targets, others, out, leave);
            return;
        }
        for (; targets != 0; targets &= targets - 1) {
            const auto to = static_cast<unsigned>(first_square(targets));
            const std::size_t taken = (others >> to & 1) != 0 ? man_on(men, to) : no_man;
            for (int kind = knight; kind <= (rules_ == Rules::chess ? queen : king); ++kind) {
                leave_class(men, man, to, static_cast<Kind>(kind), taken, leave);
            }
        }
    }

    /// A move of a pawn to the class itself.
    template <class Leave>
    void step_in_class(const Placement& men, std::size_t man, unsigned to, Leave&& leave) const {
        const Exit& exit = exits_[men.half][pawn][no_man];
        Placement after;
        after.half = static_cast<std::uint8_t>(half_before(men));  // the halves take turns
        std::size_t moved = 0;
        for (std::size_t i = 0; i < exit.numbering->men(); ++i) {
            if (exit.men[i] == man) moved = i;
            after.at[i] = static_cast<std::uint8_t>((exit.men[i] == man ? to : men.at[exit.men[i]]) ^ 56u);
        }
        const bool passes = exit.numbering->has_passed_pawns() && to == men.at[man] + 16u;
        if (passes && has_pass_capture(after, after.at[moved])) after.at[moved] &= 7;
        leave(exit.table_class, exit.first + exit.numbering->number(after.at).number);
    }

    static Squares pawn_steps(unsigned from, Squares occupied) noexcept {
        const Squares one = square_set(static_cast<int>(from)) << 8 & ~occupied;
        return one | ((one & rank_3) << 8 & ~occupied);
    }

    struct Occupied {
        Squares own = 0;
        Squares other = 0;
    };
    Occupied occupied(const Placement& men) const noexcept {
        const Numbering& numbering = *halves_[men.half];
        Occupied out;
        for (std::size_t man = 0; man < numbering.men(); ++man) {
            (man < numbering.own_men() ? out.own : out.other) |= square_set(men.at[man]);
        }
        return out;
    }

    template <class Leave>
    ClassExits chess_exits(const Placement& men, Leave&& leave) const;
    template <class Leave>
    ClassExits giveaway_exits(const Placement& men, Leave&& leave) const;
    template <class Visit>
    void for_each_move_back(const Placement& men, Visit&& visit) const;

    std::size_t half_before(const Placement& men) const noexcept { return equal_ ? 0 : 1u - men.half; }

    NumberAndSymmetry number_before(const Placement& men, const MenSquares& before) const noexcept {
        const std::size_t half = half_before(men);
        NumberAndSymmetry found = halves_[half]->number(before);
        if (half != 0) found.number += halves_[0]->size();
        return found;
    }

    Rules rules_;
    std::uint32_t class_;
    bool steps_leave_;
    std::array<unsigned, 2> sides_{};
    std::array<const Numbering*, 2> halves_{};
    bool equal_ = false;
    std::array<Exits, 2> exits_{};
};

template <class Visit>
void EndgameMoves::for_each_move_back(const Placement& men, Visit&& visit) const {
    const Numbering& numbering = *halves_[men.half];
    const std::size_t own_men = numbering.own_men();
    const std::size_t other_men = numbering.men() - own_men;
    const Numbering& before = *halves_[half_before(men)];
    // As the side sees it that has just moved: its men first, the board turned.
    MenSquares base{};
    for (std::size_t man = 0; man < numbering.men(); ++man) {
        const std::size_t place = man < own_men ? other_men + man : man - own_men;
        base[place] = static_cast<std::uint8_t>(men.at[man] ^ 56u);
    }
    Squares occupied = 0;
    Squares targets = 0;  // of captures by the side that has just moved
    for (std::size_t man = 0; man < numbering.men(); ++man) {
        occupied |= square_set(base[man]);
        if (man >= other_men) targets |= square_set(base[man]);
    }

    const auto moved_back = [&](std::size_t man, unsigned from) {
        MenSquares at = base;
        at[man] = static_cast<std::uint8_t>(from);
        if (rules_ != Rules::chess) {  // who can capture does not move otherwise
            for (std::size_t i = 0; i < other_men; ++i) {
                if ((attacks_among(before.kind(i), at[i], at.data(), before.men()) & targets) != 0) return;
            }
        }
        visit(at);
        if (rules_ != Rules::chess || !before.has_passed_pawns()) return;
        // The same with a pawn that could have been captured in passing. Numbers without a position do not matter.
        for (std::size_t i = other_men; i < before.men(); ++i) {
            if (before.kind(i) != pawn || at[i] / 8 != 4) continue;
            MenSquares passed = at;
            passed[i] = at[i] % 8;
            visit(passed);
        }
    };

    for (std::size_t man = 0; man < other_men; ++man) {
        const unsigned on = base[man];
        if (before.kind(man) != pawn) {
            if (men.passed != none) continue;
            Squares from = attacks_among(before.kind(man), on, base.data(), before.men()) & ~occupied;
            if (rules_ == Rules::chess && man == 0) from &= ~few_men.empty_board[king][base[other_men]];
            for (; from != 0; from &= from - 1) moved_back(man, static_cast<unsigned>(first_square(from)));
            continue;
        }
        if (steps_leave_) continue;
        const bool has_passed = men.passed == own_men + man;
        if (men.passed != none && !has_passed) continue;
        if (on >= 16 && (occupied >> (on - 8) & 1) == 0 && !has_passed) moved_back(man, on - 8);
        if (on / 8 == 3 && (occupied >> (on - 8) & 1) == 0 && (occupied >> (on - 16) & 1) == 0 &&
            (has_passed || rules_ == Rules::giveaway || !numbering.has_passed_pawns() ||
             !has_pass_capture(men, on ^ 56u))) {
            moved_back(man, on - 16);
        }
    }
}

}  // namespace proofbase::chessboard

#include "games/chessboard/endgames/class_exits.hpp"
