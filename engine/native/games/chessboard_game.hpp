// What chess and giveaway chess share as games (concepts.hpp): everything but their parameters and which `Rules` they
// follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "games/chessboard/board.hpp"
#include "games/chessboard/endgames/class_moves.hpp"
#include "games/chessboard/endgames/classes.hpp"
#include "games/chessboard/endgames/positions.hpp"
#include "games/chessboard/fen.hpp"
#include "games/chessboard/key.hpp"
#include "games/chessboard/notation.hpp"
#include "games/chessboard/rules.hpp"
#include "table_concepts.hpp"

namespace proofbase::chessboard {

class ChessboardGame {
  public:
    using Position = Board;
    using Move = chessboard::Move;
    using Moves = chessboard::Moves;
    using Key = chessboard::Key;
    using TableGame = ChessboardGame;  ///< both games have the same code for tables

    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return false; }
    int highest_value() const noexcept { return 1; }
    std::string name() const { return std::string(name_); }

    Position initial() const noexcept {
        Board b;
        b.pawns = 0x00ff00000000ff00ULL;
        b.knights = 0x4200000000000042ULL;
        b.diagonal = 0x2c0000000000002cULL;
        b.straight = 0x8900000000000089ULL;
        b.kings = 0x1000000000000010ULL;
        b.own = 0xffff;
        if (rules_ == Rules::chess) b.castling = 15;
        return b;
    }

    std::optional<int> terminal(const Position& p) const noexcept { return chessboard::terminal(rules_, p); }

    /// An endless game is a draw.
    int repetition(const Position&) const noexcept { return 0; }

    void moves(const Position& p, Moves& out) const noexcept { legal_moves(rules_, p, out); }
    std::uint32_t count_moves(const Position& p) const noexcept { return chessboard::count_moves(rules_, p); }
    Position play(const Position& p, Move move) const noexcept { return chessboard::play(rules_, p, move); }
    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return p.black ? 1 : 0; }
    /// Moves of pawns, captures, and moves that end a right to castle.
    bool converts(const Position& p, Move move) const noexcept {
        if ((p.pawns >> origin(move) & 1) != 0 || (p.other() >> target(move) & 1) != 0) return true;
        if (p.castling == 0) return false;
        Board before = p;
        pass(before);
        return play(p, move).castling != before.castling;
    }

    Key oriented_key(const Position& p) const noexcept { return chessboard::oriented_key(p); }
    Key key(const Position& p) const noexcept { return key_of(p); }
    std::uint64_t signature(const Position& p) const noexcept { return signature_of(p); }
    std::size_t key_size() const noexcept { return key_bytes; }
    std::optional<Position> position(const Key& key) const noexcept { return decoded(rules_, key); }

    /// position(key(p)), without a key in between.
    Position representative(const Position& p) const noexcept { return chessboard::representative(p); }

    Position parse(std::string_view text) const { return parse_fen(rules_, name_, text); }
    std::string text(const Position& p) const { return fen(p); }
    std::string draw(const Position& p) const { return drawing(p); }
    Move parse_move(const Position& p, std::string_view text) const {
        return chessboard::parse_move(rules_, name_, p, text);
    }
    std::string move_text(const Position& p, Move move) const { return chessboard::move_text(rules_, p, move); }

    // Tables of endgames (docs/endgame-tables.md). What they are is in games/chessboard/endgames/.

    /// Who is mated loses; in giveaway who cannot move wins.
    int end_value() const noexcept { return rules_ == Rules::chess ? -1 : 1; }

    std::vector<std::uint32_t> classes(std::uint32_t men) const { return classes_of_men(rules_, men); }
    std::vector<std::uint32_t> class_needs(std::uint32_t c) const { return classes_needed(rules_, c); }
    std::string class_name(std::uint32_t c) const { return name_of_class(c); }
    std::uint64_t class_size(std::uint32_t c) const noexcept { return chessboard::class_size(rules_, c); }
    std::uint32_t table_class(const Position& p) const noexcept { return chessboard::table_class(rules_, p); }
    std::uint64_t table_rank(const Position& p) const noexcept { return chessboard::table_rank(rules_, p); }
    std::optional<Position> table_position(std::uint32_t c, std::uint64_t number) const noexcept {
        return chessboard::table_position(rules_, c, number);
    }
    EndgameMoves class_moves(std::uint32_t c) const { return {rules_, c}; }
    bool has_long_games(std::uint32_t c) const noexcept { return has_long_mates(rules_, c); }

  protected:
    ChessboardGame(Rules rules, std::string_view name) noexcept : rules_(rules), name_(name) {}

  private:
    Rules rules_;
    std::string_view name_;  ///< of a literal
};

static_assert(Game<ChessboardGame> && IndexedByPlies<ChessboardGame>);

}  // namespace proofbase::chessboard
