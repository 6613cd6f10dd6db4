#include "games/chessboard/rules.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/giveaway_moves.hpp"
#include "games/chessboard/move_sinks.hpp"
#include "games/chessboard/squares.hpp"

namespace proofbase::chessboard {
namespace {

/// The rights to castle that are left when a man leaves or enters a square.
constexpr std::array<std::uint8_t, 64> castling_left = [] {
    std::array<std::uint8_t, 64> left{};
    left.fill(15);
    left[4] = other_king_side | other_queen_side;
    left[60] = own_king_side | own_queen_side;
    left[7] = 15 & ~own_king_side;
    left[0] = 15 & ~own_queen_side;
    left[63] = 15 & ~other_king_side;
    left[56] = 15 & ~other_queen_side;
    return left;
}();

}  // namespace

bool has_move(Rules rules, const Board& b) noexcept {
    AnyMove any;
    if (rules == Rules::chess) return chess_moves(b, any);
    return giveaway_others(b, any) || giveaway_captures(b, any);
}

void legal_moves(Rules rules, const Board& b, Moves& out) noexcept {
    MoveList list(out, kinds_of_promotion(rules));
    if (rules == Rules::chess) {
        chess_moves(b, list);
        return;
    }
    giveaway_captures(b, list);
    if (out.size() == 0) giveaway_others(b, list);
}

unsigned count_moves(Rules rules, const Board& b) noexcept {
    MoveCount count(kinds_of_promotion(rules));
    if (rules == Rules::chess) {
        chess_moves(b, count);
        return count.total();
    }
    giveaway_captures(b, count);
    if (count.total() == 0) giveaway_others(b, count);
    return count.total();
}

std::optional<int> terminal(Rules rules, const Board& b) noexcept {
    if (has_move(rules, b)) return std::nullopt;
    if (rules == Rules::chess) return in_check(b) ? -1 : 0;
    return 1;
}

bool has_pass_capture(Rules rules, const Board& b, int to) noexcept {
    const Squares capturers = pass_capturers(b, to);
    if (rules != Rules::chess) return rules == Rules::antichess && capturers != 0;
    bool legal = false;
    for_each_square(capturers, [&](int from) { legal = legal || may_pass_capture(b, from, to); });
    return legal;
}

Board play(Rules rules, const Board& before, Move move) noexcept {
    Board b = before;
    const auto from = static_cast<std::size_t>(origin(move));
    const auto to = static_cast<std::size_t>(target(move));
    const Squares leaves = square_set(origin(move));
    const Squares enters = square_set(target(move));
    const Kind kind = before.kind_at(origin(move));
    b.castling &= castling_left[from] & castling_left[to];
    b.en_passant = 0;
    b.remove(leaves | enters);
    b.own |= enters;
    bool two_steps = false;
    if (kind == pawn) {
        if (to == before.en_passant && to != 0) b.remove(enters >> 8);
        two_steps = to == from + 16;
        b.put(promotion(move), enters);  // a pawn stays one by the code 0
    } else {
        b.put(kind, enters);
        if (kind == king && from == 4 && (to == 6 || to == 2)) {  // castling: other steps of kings are of one file
            const Squares rook_leaves = square_set(to == 6 ? 7 : 0);
            const Squares rook_enters = square_set(to == 6 ? 5 : 3);
            b.straight ^= rook_leaves | rook_enters;
            b.own ^= rook_leaves | rook_enters;
        }
    }
    pass(b);
    if (two_steps) {
        const int passed = static_cast<int>(from + 8) ^ 56;
        if (has_pass_capture(rules, b, passed)) b.en_passant = static_cast<std::uint8_t>(passed);
    }
    return b;
}

}  // namespace proofbase::chessboard
