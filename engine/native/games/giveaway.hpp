// Giveaway chess (Allis 1994, 2.3), also called losing chess or antichess.
//
// Rules: those of chess, but for these.
//   1. Who can capture must capture; among several captures the side to move chooses.
//   2. The king is a man like all others: there is no check, no mate, no castling; a pawn may become a king.
//   3. A side that cannot move, because it has no men or because they are blocked, wins.
//   4. An endless game is a draw.
//   5. There is no capture in passing, as in the thesis. With `giveaway:antichess` there is, and it is as compulsory as
//      other captures: the game that is played on servers and that M. Watkins solved (2016).
#pragma once

#include <string_view>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/chessboard_game.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class Giveaway : public chessboard::ChessboardGame {
  public:
    static constexpr std::string_view family = "giveaway";
    static constexpr std::string_view description =
        "chess in which captures are compulsory, the king is a man like others, and who cannot move wins; "
        "giveaway:antichess has captures in passing";
    static constexpr std::string_view examples[] = {"giveaway", "giveaway:antichess"};

    static Giveaway from_parameters(std::string_view parameters) {
        if (parameters.empty()) return {chessboard::Rules::giveaway, examples[0]};
        if (parameters == "antichess") return {chessboard::Rules::antichess, examples[1]};
        throw UnknownGame("giveaway: " + quoted(parameters) + " is not antichess");
    }

  private:
    Giveaway(chessboard::Rules rules, std::string_view name) noexcept : ChessboardGame(rules, name) {}
};

static_assert(Game<Giveaway> && Described<Giveaway> && Notated<Giveaway> && Symmetric<Giveaway> && Cyclic<Giveaway> &&
              IndexedByPlies<Giveaway> && CountsMoves<Giveaway> && HasSignatures<Giveaway>);

}  // namespace proofbase
