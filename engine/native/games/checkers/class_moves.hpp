// The moves of endings forwards and backwards on sets of squares, for the builder of tables (table_concepts.hpp,
// `ClassMoves`). It shares the board and the numbering with the rest, and no rules of moves: tables are verified by
// those of the game.
#pragma once

#include <bit>
#include <cstdint>

#include "games/checkers/board.hpp"
#include "games/checkers/classes.hpp"
#include "games/checkers/numbering.hpp"
#include "table_concepts.hpp"

namespace proofbase::checkers {

class EndingMoves {
  public:
    struct Placement {
        Placed at{};
        bool second = false;  ///< the smaller side is to move
    };

    explicit EndingMoves(std::uint32_t c)
        : first_(numbering(larger_side(c), smaller_side(c))),
          second_(numbering(smaller_side(c), larger_side(c))),
          equal_(larger_side(c) == smaller_side(c)) {}

    bool men(std::uint64_t i, Placement& out) const noexcept {
        out.second = i >= first_.size();
        out.at = out.second ? second_.position(i - first_.size()) : first_.position(i);
        return true;
    }

    template <class Leave>
    ClassExits exits(const Placement& men, Leave&& leave) const {
        const Placed& p = men.at;
        ClassExits out;
        const Squares free = ~(p.own | p.other);
        bool jumps = false;
        for (unsigned d = 0; d < directions; ++d) {
            const Squares movers = d < forward ? p.own : p.own & p.kings;
            const Squares over = stepped(movers, d) & p.other;
            for (Squares to = stepped(over, d) & free; to != 0; to &= to - 1) {
                jumps = true;
                const Squares end = to & (~to + 1);
                const Squares taken = stepped(end, opposite(d));
                const Squares start = stepped(taken, opposite(d));
                const bool king = (p.kings & start) != 0;
                jump_on({p.own & ~start, p.other & ~taken, p.kings & ~start & ~taken}, end, king, leave);
            }
        }
        if (jumps) return out;
        Squares crowned = 0;
        for (unsigned d = 0; d < directions; ++d) {
            out.inside += count(stepped(p.own & p.kings, d) & free);
            if (d >= forward) continue;
            const Squares to = stepped(p.own & ~p.kings, d) & free;
            out.inside += count(to & ~king_row);
            for (Squares left = to & king_row; left != 0; left &= left - 1) {
                const Squares end = left & (~left + 1);
                crowned |= end;
                left_class({(p.own & ~stepped(end, opposite(d))) | end, p.other, p.kings | end}, leave);
            }
        }
        if (out.inside == 0 && crowned == 0) out.finished = -1;
        return out;
    }

    template <class Visit>
    void for_each_predecessor(const Placement& men, Visit&& visit) const {
        // As the side sees it that has just moved.
        const Placed now{turned(men.at.other), turned(men.at.own), turned(men.at.kings)};
        const bool second = equal_ ? false : !men.second;
        const Numbering& before = second ? second_ : first_;
        const std::uint64_t base = second ? first_.size() : 0;
        const Squares free = ~(now.own | now.other);
        for (unsigned d = 0; d < directions; ++d) {  // the way of the step
            const Squares movers = d < forward ? now.own : now.own & now.kings;
            for (Squares from = stepped(movers, opposite(d)) & free; from != 0; from &= from - 1) {
                const Squares start = from & (~from + 1);
                const Squares end = stepped(start, d);
                const Squares king = (now.kings & end) != 0 ? start : 0;
                const Placed p{(now.own & ~end) | start, now.other, (now.kings & ~end) | king};
                if (!has_jump(p)) visit(base + before.number(p));
            }
        }
    }

  private:
    static constexpr unsigned opposite(unsigned direction) noexcept { return directions - 1 - direction; }
    static unsigned count(Squares s) noexcept { return static_cast<unsigned>(std::popcount(s)); }

    static bool has_jump(const Placed& p) noexcept {
        const Squares free = ~(p.own | p.other);
        Squares to = 0;
        for (unsigned d = 0; d < directions; ++d) {
            to |= stepped(stepped(d < forward ? p.own : p.own & p.kings, d) & p.other, d);
        }
        return (to & free) != 0;
    }

    /// Goes on jumping with a man that is in the air above `at`, and leaves the class where it ends.
    template <class Leave>
    static void jump_on(const Placed& p, Squares at, bool king, Leave&& leave) {
        const bool crowned = !king && (at & king_row) != 0;
        const Squares free = ~(p.own | p.other);
        bool further = false;
        for (unsigned d = 0; d < (king ? directions : forward) && !crowned; ++d) {
            const Squares taken = stepped(at, d) & p.other;
            const Squares end = stepped(taken, d) & free;
            if (end == 0) continue;
            further = true;
            jump_on({p.own, p.other & ~taken, p.kings & ~taken}, end, king, leave);
        }
        if (!further) left_class({p.own | at, p.other, king || crowned ? p.kings | at : p.kings}, leave);
    }

    /// Men after a move as its side sees them.
    template <class Leave>
    static void left_class(const Placed& after, Leave&& leave) {
        if (after.other == 0) {
            leave(no_table_class, 0);
            return;
        }
        const ClassEntry entry = entry_of({turned(after.other), turned(after.own), turned(after.kings)});
        leave(entry.table_class, entry.number);
    }

    const Numbering& first_;   // the larger side is to move
    const Numbering& second_;  // the smaller one
    bool equal_;
};

}  // namespace proofbase::checkers
