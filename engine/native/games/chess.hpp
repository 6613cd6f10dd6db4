// Chess.
//
// Rules: those of chess (FIDE Laws of Chess, articles 1 to 5) as far as they are about a position.
//   1. Castling, en passant and all promotions, as everybody plays them.
//   2. Who is mated loses. A side that is not in check and cannot move has a draw.
//   3. An endless game is a draw: a position that comes back is worth nothing new. There is no rule of fifty moves
//      (chess:fifty has it, games/chess_variants/fifty_moves.hpp), and no draw by dead positions: what cannot be won is
//      endless.
//
// Keys are those of games/chessboard/key.hpp: the colours are turned so that the side to move is always the same, and a
// position without rights to castle has the key of its mirror image.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/chessboard/mate_effort.hpp"
#include "games/chessboard/mates.hpp"
#include "games/chessboard/plies_to_win.hpp"
#include "games/chessboard_game.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class Chess : public chessboard::ChessboardGame {
  public:
    static constexpr std::string_view family = "chess";
    static constexpr std::string_view description =
        "mate wins, stalemate and endless play are draws; no rule of fifty moves, chess:fifty has it";
    static constexpr std::string_view examples[] = {"chess", "chess:fifty"};

    Chess() noexcept : ChessboardGame(chessboard::Rules::chess, family) {}

    void describe_children(const Position& p, std::span<const Move> moves, std::span<Key> keys,
                           std::span<std::uint32_t> counts) const noexcept {
        chessboard::describe_chess_children(p, moves, keys, counts);
    }

    /// By mobility and by the flights of the king that is to be mated (games/chessboard/mate_effort.hpp). Without it
    /// searches initialise by mobility, as the papers did.
    static constexpr bool effort_is_optional = true;
    Estimate effort(const Position& p, int bound) const noexcept { return chessboard::mate_effort(p, bound); }

    std::uint32_t plies_to_win(const Position& p, bool mover) const noexcept {
        return chessboard::plies_to_win(p, mover);
    }

    bool wins_at_once(const Position& p) const noexcept { return chessboard::mates_at_once(p); }
    MovesToWin moves_to_win(const Position& p) const noexcept { return chessboard::moves_to_mate(p); }
    bool few_men(const Position& p) const noexcept { return std::popcount(p.occupied()) <= 4; }

    /// Moves of pawns, captures and castlings cannot be taken back.
    std::uint64_t region_size(const Position& p) const noexcept { return chessboard::positions_without_pawn_moves(p); }

    static Chess from_parameters(std::string_view parameters) {
        if (!parameters.empty()) throw UnknownGame("chess takes no parameters");
        return {};
    }
};

static_assert(Game<Chess> && Described<Chess> && Notated<Chess> && Symmetric<Chess> && Cyclic<Chess> &&
              IndexedByPlies<Chess> && DescribesChildren<Chess> && HasSignatures<Chess> && Effort<Chess> &&
              EstimatesPlies<Chess> && Converting<Chess> && TellsWinningMoves<Chess>);

}  // namespace proofbase
