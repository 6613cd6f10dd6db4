#include "games/chessboard/rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "games/chessboard/chess_moves.hpp"
#include "games/chessboard/giveaway_moves.hpp"
#include "games/chessboard/move_sinks.hpp"
#include "games/chessboard/squares.hpp"
#ifdef __AVX2__
#include "games/chessboard/move_counts.hpp"
#endif
// The processors that count bits in long vectors: Intel's since 2019, AMD's since 2022.
#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512VBMI2__) && defined(__AVX512BW__) && defined(__GFNI__)
#define PROOFBASE_EIGHT_BOARDS
#include "games/chessboard/eight_boards.hpp"
#include "games/chessboard/eight_children.hpp"
#endif

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
#ifdef __AVX2__
    return rules == Rules::chess ? count_chess_moves(b) : count_giveaway_moves(b);
#else  // the vectors of directions.hpp would be slow
    MoveCount count(kinds_of_promotion(rules));
    if (rules == Rules::chess) {
        chess_moves(b, count);
        return count.total();
    }
    giveaway_captures(b, count);
    if (count.total() == 0) giveaway_others(b, count);
    return count.total();
#endif
}

void describe_chess_children(const Board& b, std::span<const Move> moves, std::span<Key> keys,
                             std::span<std::uint32_t> counts) noexcept {
    std::size_t done = 0;
#ifdef PROOFBASE_EIGHT_BOARDS
    constexpr std::size_t fewest = 3;  // fewer are described more quickly one by one
    while (moves.size() - done >= fewest) {
        const std::size_t now = std::min<std::size_t>(8, moves.size() - done);
        const EightBoards boards = boards_after(b, moves.subspan(done, now));
        write_keys(boards, keys.subspan(done, now));
        count_moves(boards, first_square(b.kings & ~b.own) ^ 56, counts.subspan(done, now));
        done += now;
    }
#endif
    for (; done < moves.size(); ++done) {
        const Board child = play(Rules::chess, b, moves[done]);
        keys[done] = key_of(child);
        counts[done] = count_moves(Rules::chess, child);
    }
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
    const int from = origin(move);
    const int to = target(move);
    const Squares leaves = square_set(from);
    const Squares enters = square_set(to);
    // Without branches: which kind of man moves, a processor could not predict.
    const auto moved = [&](Squares men) { return (men & ~(leaves | enters)) | (-(men >> from & 1) & enters); };
    Board b;
    b.pawns = moved(before.pawns);
    b.knights = moved(before.knights);
    b.diagonal = moved(before.diagonal);
    b.straight = moved(before.straight);
    b.kings = moved(before.kings);
    b.own = (before.own & ~leaves) | enters;
    b.castling =
        before.castling & castling_left[static_cast<std::size_t>(from)] & castling_left[static_cast<std::size_t>(to)];
    b.black = before.black;
    const bool pawn_moves = (before.pawns & leaves) != 0;
    const bool two_steps = pawn_moves & (to == from + 16);
    const bool passes = pawn_moves & (to == before.en_passant) & (to != 0);
    // Other steps of a king from there are of one file.
    const bool castles = ((before.kings & leaves) != 0) & (from == 4) & ((to == 6) | (to == 2));
    if ((promotion(move) != pawn) | passes | castles) [[unlikely]] {
        if (promotion(move) != pawn) {
            b.pawns ^= enters;
            b.put(promotion(move), enters);
        }
        if (passes) b.remove(enters >> 8);
        if (castles) {
            const Squares rook = to == 6 ? square_set(7) | square_set(5) : square_set(0) | square_set(3);
            b.straight ^= rook;
            b.own ^= rook;
        }
    }
    pass(b);
    if (two_steps) {
        const int passed = (from + 8) ^ 56;
        if (has_pass_capture(rules, b, passed)) b.en_passant = static_cast<std::uint8_t>(passed);
    }
    return b;
}

}  // namespace proofbase::chessboard
