// Chess with the fifty-move rule, `chess:fifty`: chess (games/chess.hpp) but for these rules.
//   1. A position has a counter: the plies since the last capture or move of a pawn, 0 to 100. Play begins with 0.
//   2. A capture and a move of a pawn put the counter back to 0, every other move adds 1.
//   3. Who is mated loses, whatever the counter is. Otherwise a position with the counter 100 is a draw.
//
// No position comes again. Encoding: that of chess, then the counter in a byte.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/chess.hpp"
#include "games/chessboard/endgames/class_moves.hpp"
#include "games/chessboard/fen.hpp"
#include "table_concepts.hpp"

namespace proofbase {

class FiftyMoveChess {
  public:
    static constexpr std::string_view family = "chess";
    static constexpr std::string_view description = "chess with the rule of fifty moves";
    static constexpr std::string_view examples[] = {"chess:fifty"};
    static constexpr unsigned most_plies = 100;  ///< of the counter

    struct Position {
        chessboard::Board board;
        std::uint8_t counter = 0;
        bool operator==(const Position&) const = default;
    };
    using Move = Chess::Move;
    using Moves = Chess::Moves;
    using Key = std::array<std::uint8_t, chessboard::key_bytes + 1>;

    static FiftyMoveChess from_parameters(std::string_view parameters) {
        if (parameters != "fifty") throw UnknownGame("chess: " + quoted(parameters) + " is not fifty");
        return {};
    }

    std::string name() const { return std::string(examples[0]); }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }

    Position initial() const noexcept { return {chess_.initial(), 0}; }

    std::optional<int> terminal(const Position& p) const noexcept {
        const std::optional<int> value = chess_.terminal(p.board);
        return !value && p.counter == most_plies ? std::optional(0) : value;  // rule 3
    }
    void moves(const Position& p, Moves& out) const noexcept { chess_.moves(p.board, out); }
    std::uint32_t count_moves(const Position& p) const noexcept {
        return p.counter == most_plies ? 0 : chess_.count_moves(p.board);
    }
    Position play(const Position& p, Move move) const noexcept {
        const bool restarts = (p.board.other() >> chessboard::target(move) & 1) != 0 ||
                              (p.board.pawns >> chessboard::origin(move) & 1) != 0;
        return {chess_.play(p.board, move), static_cast<std::uint8_t>(restarts ? 0 : p.counter + 1)};  // rule 2
    }
    int reward(const Position&, Move) const noexcept { return 0; }
    int side(const Position& p) const noexcept { return chess_.side(p.board); }

    Key oriented_key(const Position& p) const noexcept { return with_counter(chess_.oriented_key(p.board), p); }
    Key key(const Position& p) const noexcept { return with_counter(chess_.key(p.board), p); }
    std::size_t key_size() const noexcept { return std::tuple_size_v<Key>; }
    std::optional<Position> position(const Key& key) const noexcept {
        chessboard::Key of_board;
        std::copy_n(key.begin(), of_board.size(), of_board.begin());
        const std::optional<chessboard::Board> board = chess_.position(of_board);
        if (!board || !defect(*board, key.back()).empty()) return std::nullopt;
        return Position{*board, key.back()};
    }
    Position representative(const Position& p) const noexcept { return {chess_.representative(p.board), p.counter}; }

    Position parse(std::string_view text) const {
        const chessboard::Board board = chessboard::parse_fen(chessboard::Rules::chess, name(), text);
        const unsigned counter = chessboard::counter_in_fen(text);
        const std::string what = defect(board, counter);
        if (!what.empty()) throw InvalidPosition(name() + ": position " + quoted(text, 100) + ": " + what);
        return {board, static_cast<std::uint8_t>(counter)};
    }
    // Tables of endgames (docs/endgame-tables.md): those of chess, with entries that take in every counter.

    unsigned counter(const Position& p) const noexcept { return p.counter; }
    std::vector<std::uint32_t> classes(std::uint32_t men) const { return chess_.classes(men); }
    std::vector<std::uint32_t> class_needs(std::uint32_t c) const { return chess_.class_needs(c); }
    std::string class_name(std::uint32_t c) const { return chess_.class_name(c); }
    std::uint64_t class_size(std::uint32_t c) const noexcept { return chess_.class_size(c); }
    std::uint32_t table_class(const Position& p) const noexcept { return chess_.table_class(p.board); }
    std::uint64_t table_rank(const Position& p) const noexcept { return chess_.table_rank(p.board); }
    std::optional<Position> table_position(std::uint32_t c, std::uint64_t number) const noexcept {
        const std::optional<chessboard::Board> board = chess_.table_position(c, number);
        return board ? std::optional(Position{*board, 0}) : std::nullopt;
    }
    chessboard::EndgameMoves class_moves(std::uint32_t c) const { return {chessboard::Rules::chess, c, true}; }

    std::string text(const Position& p) const { return chessboard::fen(p.board, p.counter); }
    std::string draw(const Position& p) const {
        return chess_.draw(p.board) + (p.counter == 0 ? "" : "\ncounter " + std::to_string(p.counter));
    }
    Move parse_move(const Position& p, std::string_view text) const {
        if (terminal(p)) throw InvalidMove(name() + ": move " + quoted(text, 40) + ": the game is over");
        return chess_.parse_move(p.board, text);
    }
    std::string move_text(const Position& p, Move move) const { return chess_.move_text(p.board, move); }

  private:
    static Key with_counter(const chessboard::Key& board, const Position& p) noexcept {
        Key key;
        std::copy_n(board.begin(), board.size(), key.begin());
        key.back() = p.counter;
        return key;
    }

    static std::string defect(const chessboard::Board& board, unsigned counter) {
        if (counter > most_plies) return "the counter of the fifty-move rule is 0 to " + std::to_string(most_plies);
        if (board.en_passant != 0 && counter != 0) {
            return "a pawn has just moved: the counter of the fifty-move rule is 0";
        }
        return "";
    }

    Chess chess_;
};

static_assert(Game<FiftyMoveChess> && Described<FiftyMoveChess> && Notated<FiftyMoveChess> &&
              Symmetric<FiftyMoveChess> && CountsMoves<FiftyMoveChess> && IndexedByResets<FiftyMoveChess> &&
              !IndexedByPlies<FiftyMoveChess>);

}  // namespace proofbase
