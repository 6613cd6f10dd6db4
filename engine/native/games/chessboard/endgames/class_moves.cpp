#include "games/chessboard/endgames/class_moves.hpp"

namespace proofbase::chessboard {

void EndgameMoves::make_exits(std::size_t h) {
    const SideMen own = side_of_number(sides_[h]);
    const SideMen other = side_of_number(sides_[1 - h]);
    const Numberings& all = numberings(rules_);
    for (int becomes = pawn; becomes <= king; ++becomes) {
        if (becomes != pawn && !own.has(pawn)) continue;
        for (std::size_t taken = own.count; taken <= most_table_men; ++taken) {
            if (taken != no_man && taken >= std::size_t{own.count} + other.count) continue;
            // The men after the move, each with the number that it had before.
            struct Man {
                Kind kind;
                std::uint8_t before;
            };
            std::array<Man, most_table_men> mine{};
            std::array<Man, most_table_men> theirs{};
            SideMen mine_after;
            SideMen theirs_after;
            for (std::uint8_t man = 0; man < own.count; ++man) {
                const bool changes = becomes != pawn && man + 1 == own.count;
                const Kind kind = changes ? static_cast<Kind>(becomes) : own.kinds[man];
                mine[mine_after.count] = {kind, man};
                mine_after.kinds[mine_after.count++] = kind;
            }
            for (std::uint8_t man = 0; man < other.count; ++man) {
                const auto number = static_cast<std::uint8_t>(own.count + man);
                if (number == taken) continue;
                theirs[theirs_after.count] = {other.kinds[man], number};
                theirs_after.kinds[theirs_after.count++] = other.kinds[man];
            }
            Exit& exit = exits_[h][static_cast<std::size_t>(becomes)][taken];
            const auto sort = [](std::array<Man, most_table_men>& men, SideMen& side) {
                std::stable_sort(men.begin(), men.begin() + side.count,
                                 [](const Man& a, const Man& b) { return a.kind > b.kind; });
                for (std::size_t i = 0; i < side.count; ++i) side.kinds[i] = men[i].kind;
            };
            sort(mine, mine_after);
            sort(theirs, theirs_after);
            if (!is_table_class(rules_, theirs_after, mine_after)) continue;
            const unsigned to_move = side_number(theirs_after);
            const unsigned moved = side_number(mine_after);
            exit.numbering = all.get(to_move, moved);
            exit.table_class = class_of(to_move, moved);
            exit.first = to_move < moved ? all.get(moved, to_move)->size() : 0;
            for (std::size_t i = 0; i < theirs_after.count; ++i) exit.men[i] = theirs[i].before;
            for (std::size_t i = 0; i < mine_after.count; ++i) exit.men[theirs_after.count + i] = mine[i].before;
        }
    }
}

}  // namespace proofbase::chessboard
