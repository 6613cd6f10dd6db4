// Renju (Allis 1994, 5.2.1), with the terms of the Renju International Federation. Board, texts, move numbers and keys
// are those of go-moku.
//
// Rules
//   1. Black (x) and White (o) move in turn on an empty board.
//   2. A move puts a stone of the mover on an empty square, of Black's on one that is not forbidden.
//   3. White wins with five or more stones in an unbroken row, column or diagonal, Black with exactly five.
//   4. A full board without such a row is a draw. If Black has no move on a board that is not full, Black has lost.
//   5. A square is forbidden if a stone of Black's there makes no five, but an overline, a double four or a
//      double three (renju/forbidden.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/boards/board_size.hpp"
#include "games/gomoku.hpp"
#include "games/gomoku/fours.hpp"
#include "games/renju/forbidden.hpp"
#include "games/renju/fours.hpp"
#include "threats/sequences/threat_findings.hpp"
#include "threats/sequences/threat_line.hpp"
#include "threats/sequences/threat_search_cost.hpp"

namespace proofbase {

class ForcingRenju;

class Renju : Gomoku {
    using Stones = gomoku::Stones;

  public:
    static constexpr std::string_view family = "renju";
    static constexpr std::string_view description =
        "go-moku in which Black wins by exactly five and may not make longer rows, double fours or double threes; "
        ":WIDTHxHEIGHT for other boards, 15x15 by default";
    static constexpr std::string_view examples[] = {"renju", "renju:9x9", "renju:7x6"};

    using Gomoku::bit;
    using Gomoku::draw;
    using Gomoku::initial;
    using Gomoku::Key;
    using Gomoku::key;
    using Gomoku::key_size;
    using Gomoku::Move;
    using Gomoku::move_text;
    using Gomoku::Moves;
    using Gomoku::oriented_key;
    using Gomoku::play;
    using Gomoku::Position;
    using Gomoku::reward;
    using Gomoku::side;
    using Gomoku::text;

    Renju(int width, int height)
        : Gomoku(gomoku::Parameters{.width = width, .height = height}), forbidden_(width, height, stride()) {}

    static Renju from_parameters(std::string_view parameters) {
        if (parameters.empty()) return {15, 15};
        const auto [width, height] = parse_board_size("renju", parameters);
        if (std::min(width, height) < 5 || std::max(width, height) > 19) {
            throw UnknownGame("renju: " + quoted(parameters, 40) + ": sides are 5 to 19");
        }
        return {width, height};
    }

    std::string name() const {
        if (width() == 15 && height() == 15) return "renju";
        return "renju:" + std::to_string(width()) + "x" + std::to_string(height());
    }
    int rules_version() const noexcept { return 1; }
    bool acyclic() const noexcept { return true; }
    int highest_value() const noexcept { return 1; }

    std::optional<int> terminal(const Position& p) const noexcept {
        if (wins(p.other, 1 - side(p))) return -1;
        const Stones empty = board() - p.current - p.other;
        if (empty.empty()) return 0;
        if (side(p) != 0) return std::nullopt;
        bool stuck = true;
        empty.for_each([&](int bit) { stuck = stuck && forbids(p, bit); });
        return stuck ? std::optional(-1) : std::nullopt;
    }

    /// By their numbers.
    void moves(const Position& p, Moves& out) const noexcept {
        Gomoku::moves(p, out);
        if (side(p) != 0) return;
        Moves all = out;
        out.clear();
        for (const Move move : all) {
            if (!forbids(p, bit(move))) out.push_back(move);
        }
    }

    std::optional<Position> position(const Key& key) const noexcept {
        const auto stones = encoding().decode(key);
        if (!stones) return std::nullopt;
        return legal_stones(stones->first, stones->second).first;
    }

    /// A look-ahead of one or two plies, as in go-moku. A win of White's that Black could stop on a forbidden square
    /// only is not stopped.
    Estimate effort(const Position& p, int) const noexcept {
        constexpr std::uint32_t never = 0xffffffff;
        const Stones empty = board() - p.current - p.other;
        const bool black_moves = side(p) == 0;
        const auto wins_of = [&](const Stones& own, bool black) {
            return gomoku::completing(own, empty, stride(), 5, black);
        };
        if (!wins_of(p.current, black_moves).empty()) return {0, never, 1};
        const Stones threats = wins_of(p.other, !black_moves);
        const int moves = empty.count();
        if (threats.empty()) return {1, static_cast<std::uint32_t>(moves), 0};
        int answers = 0;
        if (threats.count() == 1) threats.for_each([&](int bit) { answers = black_moves && forbids(p, bit) ? 0 : 1; });
        if (answers == 1) return {1, 1, 0};
        // Lost. A small search enters each move and some of the replies, all of them in the worst case.
        if (moves * moves < 10'000) return {never, 0, 2};
        return {static_cast<std::uint32_t>(moves), 1, 0};
    }

    /// Wins by fours are searched for.
    bool finds_threats() const noexcept { return true; }

    /// What ThreatAnalysis (threats/sequences/threat_analysis.hpp) tells in games with other threats.
    void find_threats(const Position& p, std::uint32_t most_plies, ThreatFindings<Move>& out) const {
        Moves all;
        moves(p, all);
        find_threats(p, all, most_plies, out);
    }

    /// Searches for a shortest win by fours: of the side to move, or of the other side as if the side to move passed.
    bool find_line(const Position& p, bool opponent, std::size_t most_nodes, ThreatFindings<Move>::Line& line,
                   ThreatSearchCost& cost) const {
        gomoku::FoursSearch::Line squares;
        const auto& [attacker, defender] = opponent ? std::tie(p.other, p.current) : std::tie(p.current, p.other);
        const bool won = fours().find(attack_of(side(p) ^ static_cast<int>(opponent)), attacker, defender, most_nodes,
                                      gomoku::FoursSearch::longest_line, squares);
        cost.count(fours().searched());
        cost.cut += static_cast<std::uint64_t>(fours().was_cut());
        line = moves_of(squares);
        return won;
    }

    /// The game in which one side has moves that threaten to win by fours only.
    ForcingRenju forcing(int attacker) const;

    Position parse(std::string_view text) const {
        return Gomoku::parse(text, name(), false,
                             [this](const Stones& black, const Stones& white) { return legal_stones(black, white); });
    }

    Move parse_move(const Position& p, std::string_view text) const {
        const Move move = Gomoku::parse_move(p, text, name(), terminal(p).has_value());
        if (side(p) == 0) {
            const auto fault = forbidden_.fault(p.current, p.other, bit(move));
            if (fault != renju::Fault::none) {
                throw InvalidMove(name() + ": move " + quoted(text, 40) + ": the square is forbidden to x: it makes " +
                                  renju::text_of(fault));
            }
        }
        return move;
    }

  protected:
    /// Black is player 0.
    renju::Attack attack_of(int player) const noexcept { return {forbidden_, board(), stride(), player == 0}; }

    /// Whether the side to move would win by fours after a move of its own if the other side passed.
    bool threatens(const Position& p, Move move) const {
        auto stones = p.current;
        stones.add(bit(move));
        gomoku::FoursSearch::Line line;
        return fours().find(attack_of(side(p)), stones, p.other, gomoku::most_fours_nodes,
                            gomoku::FoursSearch::longest_line, line);
    }

    /// `candidates`: the moves of the position that count.
    void find_threats(const Position& p, const Moves& candidates, std::uint32_t most_plies,
                      ThreatFindings<Move>& out) const {
        gomoku::find_threats_by_fours(static_cast<const Gomoku&>(*this), attack_of(side(p)), attack_of(1 - side(p)),
                                      p.current, p.other, candidates, most_plies, out);
    }

  private:
    static gomoku::FoursSearch& fours() {
        thread_local gomoku::FoursSearch search;
        return search;
    }

    ThreatFindings<Move>::Line moves_of(const gomoku::FoursSearch::Line& line) const {
        ThreatFindings<Move>::Line out;
        for (const int square : line) out.push_back(move(square));
        return out;
    }

    /// Black is player 0.
    bool wins(const Stones& stones, int player) const noexcept {
        return gomoku::has_line(stones, stride(), 5, player == 0);
    }

    /// Black is to move.
    bool forbids(const Position& p, int bit) const noexcept {
        return forbidden_.fault(p.current, p.other, bit) != renju::Fault::none;
    }

    /// Longer rows of Black's come about with a five, or not at all. Whether other forbidden moves have led to the
    /// stones cannot be seen of them.
    std::pair<std::optional<Position>, const char*> legal_stones(const Stones& black,
                                                                 const Stones& white) const noexcept {
        return legal(
            black, white, false, [this](const Stones& stones, int player) { return wins(stones, player); },
            [this](const Stones& x, const Stones&) {
                return wins(x, 1) && !wins(x, 0) ? "x has more than five in a row" : nullptr;
            });
    }

    renju::Forbidden forbidden_;
};

/// Renju in which the attacker, player 0 or 1, has only moves after which he would win by fours if the other side
/// passed (implicit threats); with few stones on the board (Victoria's limit, Allis 1994, 5.4.2) all that extend a row.
/// Where he has no move at all he counts as having lost. A win of his here is one in renju, since the other side has
/// all its moves.
class ForcingRenju : public Renju {
  public:
    ForcingRenju(Renju game, int attacker) : Renju(std::move(game)), attacker_(attacker) {}

    static ForcingRenju from_parameters(std::string_view parameters) { return {Renju::from_parameters(parameters), 0}; }
    /// A name of its own: checkpoints are not exchanged.
    std::string name() const { return Renju::name() + (attacker_ == 0 ? ", forcing x" : ", forcing o"); }

    /// Whether a threat is left where rows can be extended, find_threats() tells.
    std::optional<int> terminal(const Position& p) const noexcept {
        const std::optional<int> value = Renju::terminal(p);
        if (value || side(p) != attacker_ || !extending(p).empty()) return value;
        return -1;
    }

    void moves(const Position& p, Moves& out) const noexcept {
        Renju::moves(p, out);
        if (side(p) != attacker_) return;
        const bool any = has_few_stones(p);
        const auto rows = extending(p);
        const Moves all = out;
        out.clear();
        for (const Move move : all) {
            if (rows.has(bit(move)) && (any || threatens(p, move))) out.push_back(move);
        }
    }

    void find_threats(const Position& p, std::uint32_t most_plies, ThreatFindings<Move>& out) const {
        Moves some;
        moves(p, some);
        Renju::find_threats(p, some, most_plies, out);
    }

  private:
    static bool has_few_stones(const Position& p) noexcept { return (p.current | p.other).count() < 8; }

    /// The attacker is to move.
    gomoku::Stones extending(const Position& p) const noexcept {
        return attack_of(attacker_).extending(p.current, p.other, has_few_stones(p) ? 1 : 2);
    }

    int attacker_;
};

inline ForcingRenju Renju::forcing(int attacker) const {
    return {*this, attacker};
}

static_assert(Game<Renju> && Described<Renju> && Notated<Renju> && Symmetric<Renju> && Effort<Renju> &&
              HasForcingMoves<Renju>);
static_assert(Game<ForcingRenju> && Described<ForcingRenju> && Notated<ForcingRenju>);

}  // namespace proofbase
