#include "games/chessboard/endgames/few_men.hpp"

#include <algorithm>
#include <cstdlib>

namespace proofbase::chessboard {
namespace {

FewMenTables make_few_men_tables() noexcept {
    FewMenTables out;
    for (int from = 0; from < 64; ++from) {
        const auto at = static_cast<std::size_t>(from);
        for (int to = 0; to < 64; ++to) {
            const int right = to % 8 - from % 8;
            const int up = to / 8 - from / 8;
            if (right == 0 && up == 0) continue;
            const Squares target = square_set(to);
            const int longer = std::max(std::abs(right), std::abs(up));
            const int shorter = std::min(std::abs(right), std::abs(up));
            if (longer == 1) out.empty_board[king][at] |= target;
            if (longer == 2 && shorter == 1) out.empty_board[knight][at] |= target;
            if (up == 1 && std::abs(right) == 1) out.empty_board[pawn][at] |= target;
            if (up == -1 && std::abs(right) == 1) out.attacked_from_above[at] |= target;
            const bool straight = shorter == 0;
            if (!straight && shorter != longer) continue;
            out.empty_board[straight ? rook : bishop][at] |= target;
            out.empty_board[queen][at] |= target;
            const int step_right = right / longer;
            const int step_up = up / longer;
            for (int i = 1; i < longer; ++i) {
                out.connecting[at][static_cast<std::size_t>(to)] |= square_set(from + i * (step_right + 8 * step_up));
            }
            for (int file = to % 8 + step_right, rank = to / 8 + step_up;
                 file >= 0 && file < 8 && rank >= 0 && rank < 8; file += step_right, rank += step_up) {
                out.beyond[at][static_cast<std::size_t>(to)] |= square_set(file + 8 * rank);
            }
        }
    }
    return out;
}

}  // namespace

const FewMenTables few_men = make_few_men_tables();

}  // namespace proofbase::chessboard
