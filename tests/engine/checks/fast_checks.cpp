// The checks by squares and by sets of squares against those move by move, which say what they mean: lines in games of
// lines, and small searches of connect-four and Othello, also those that remember parts. Ends with status 1 at the
// first difference, else prints what was compared.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "compiled/games/othello/small_search.hpp"
#include "games/connect_four.hpp"
#include "games/gomoku.hpp"
#include "games/othello.hpp"
#include "games/qubic.hpp"
#include "games/tic_tac_toe.hpp"
#include "records/evidence/line/line_check_by_squares.hpp"
#include "records/evidence/small_search/repeated_small_search.hpp"
#include "records/evidence/small_search/small_search_by_sets.hpp"

using namespace proofbase;

std::mt19937_64 chance;
std::size_t below(std::size_t n) {
    return chance() % n;
}

template <class G>
std::vector<std::uint32_t> moves_of(const G& game, const typename G::Position& p) {
    typename G::Moves moves;
    if (!game.terminal(p)) game.moves(p, moves);
    return std::vector<std::uint32_t>(moves.begin(), moves.end());
}

template <class G>
typename G::Position random_position(const G& game, std::size_t plies) {
    auto p = game.initial();
    for (; plies > 0; --plies) {
        const auto moves = moves_of(game, p);
        const auto next = moves.empty() ? p : game.play(p, static_cast<typename G::Move>(moves[below(moves.size())]));
        if (moves.empty() || game.terminal(next)) break;
        p = next;
    }
    return p;
}

/// The empty squares that complete a line, by definition.
std::vector<std::uint32_t> completing(const std::vector<BoardLine>& lines, const LineSquares& own,
                                      const std::vector<std::uint32_t>& empty) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t square : empty) {
        LineSquares with = own;
        with.set(square);
        for (const BoardLine& line : lines) {
            if (!line.squares[square] || (line.squares & ~with).any() || (line.spoilers & with).any()) continue;
            found.push_back(square);
            break;
        }
    }
    return found;
}

/// A line that makes threats where it can, the replies to them, and at times something else.
template <class G>
std::vector<std::uint32_t> drawn_line(const G& game, typename G::Position p) {
    const auto lines = game.board_lines();
    std::vector<std::uint32_t> line;
    while (true) {
        const auto moves = moves_of(game, p);
        if (moves.empty()) break;
        const auto wins = completing(lines, game.board_stones(p).first, moves);
        if (!wins.empty() && below(4) != 0) {
            line.push_back(wins[below(wins.size())]);
            break;
        }
        std::uint32_t move = moves[below(moves.size())];
        for (const std::uint32_t other : moves) {
            LineSquares own = game.board_stones(p).first;
            own.set(other);
            if (below(3) == 0 && !completing(lines, own, moves).empty()) move = other;
        }
        line.push_back(move);
        p = game.play(p, static_cast<typename G::Move>(move));
        const auto replies = moves_of(game, p);
        if (replies.empty() || line.size() > 12) break;
        const auto threats = completing(lines, game.board_stones(p).second, replies);
        if (threats.empty() && below(4) != 0) break;
        const auto& expected = threats.empty() || below(4) == 0 ? replies : threats;
        const auto& some =
            !wins.empty() && below(2) == 0 ? wins : expected;  // of which the last move may have spoilt one
        line.push_back(some[below(some.size())]);
        if (line.back() == move) line.back() = replies[0];
        p = game.play(p, static_cast<typename G::Move>(line.back()));
    }
    if (below(3) != 0 || line.empty()) return line;
    switch (below(4)) {
        case 0:
            line[below(line.size())] = static_cast<std::uint32_t>(below(400));
            break;
        case 1:
            line.resize(below(line.size() + 1));
            break;
        case 2:
            line.push_back(static_cast<std::uint32_t>(below(70)));
            break;
        default:
            line.erase(line.begin(), line.begin() + static_cast<long>(std::min<std::size_t>(2, line.size())));
    }
    return line;
}

void differ(const std::string& what) {
    std::printf("they differ: %s\n", what.c_str());
    std::exit(1);
}

/// After some ten of the moves of a position. True if one of the lines reaches the bound after one of them.
template <class G>
bool compare_answers(const G& game, LineCheck<G>& by_moves, LinesFromPosition<G>& by_squares,
                     const typename G::Position& p, std::int64_t lower,
                     const std::vector<std::vector<std::uint32_t>>& lines) {
    typename G::Moves moves;
    game.moves(p, moves);
    const std::size_t rank = 1 + below(14);
    std::vector<bool> answered;
    bool reached = false;
    by_squares.mark_answered(moves, -lower, lines, rank, answered);
    for (std::size_t m = 0; m < moves.size(); ++m) {
        if (below(moves.size()) >= 10) continue;
        const auto next = game.play(p, moves[m]);
        const bool expected = !game.terminal(next) && std::ranges::any_of(lines, [&](const auto& line) {
            return line.size() < rank && by_moves.reaches(next, lower, line);
        });
        if (answered[m] != expected) differ(game.text(next));
        reached |= expected;
    }
    return reached;
}

template <class G>
void compare_lines(const char* parameters, std::size_t plies, std::size_t count) {
    const G game = G::from_parameters(parameters);
    LineCheck<G> by_moves(game);
    LinesFromPosition<G> by_squares(game);
    std::size_t compared = 0, reached = 0, long_ones = 0;
    while (compared < count) {
        const auto p = random_position(game, below(plies));
        const auto moves = moves_of(game, p);
        by_squares.set(p);
        for (int turn = 0; turn < 4; ++turn) {
            const auto lower = below(8) == 0 ? static_cast<std::int64_t>(below(4)) - 1 : 1;
            const auto line = drawn_line(game, p);
            const bool expected = by_moves.reaches(p, lower, line);
            if (by_squares.reaches(lower, line) != expected) differ(game.text(p));
            reached += expected;
            long_ones += expected && line.size() > 3;
            const auto next = game.play(p, static_cast<typename G::Move>(moves[below(moves.size())]));
            if (!game.terminal(next)) {
                const std::vector lines{drawn_line(game, next), drawn_line(game, next)};
                reached += compare_answers(game, by_moves, by_squares, p, lower, lines);
                ++compared;
            }
            ++compared;
        }
    }
    std::printf("%s %zu %zu %zu\n", game.name().c_str(), compared, reached, long_ones);
}

/// `Fast` says sooner what SmallSearch says, the deepest ply where it `tells_deepest`. The positions lack up to so many
/// plies of the last one.
template <class Fast, class G>
void compare_searches(const G& game, std::size_t plies, std::size_t lacking, std::size_t count,
                      bool tells_deepest = true) {
    SmallSearch<G> by_moves(game);
    Fast fast(game);
    std::size_t settled = 0, used_up = 0;
    for (std::size_t compared = 0; compared < count; ++compared) {
        const auto p = random_position(game, plies - below(lacking));
        const bool to_limits = below(50) < 25 + 24 * (compared / 64 % 2);
        for (int turn = 0; turn < 3; ++turn) {
            const auto upper =
                static_cast<std::int64_t>(below(2 * game.highest_value() + 3)) - game.highest_value() - 1;
            const auto depth = static_cast<std::uint32_t>(below(13));
            const auto limit = static_cast<std::uint32_t>(below(below(2) ? 30 : 4'000));
            const auto expected = by_moves.hold(p, upper, depth, limit, to_limits);
            const auto found = fast.hold(p, upper, depth, limit, to_limits);
            if (found.status != expected.status) differ(game.text(p));
            const bool is_used_up = expected.status == SmallSearchStatus::out_of_visits;
            if (!is_used_up && found.visits != expected.visits) differ(game.text(p) + ", visits");
            if (tells_deepest && !is_used_up && found.deepest != expected.deepest) {
                differ(game.text(p) + ", deepest");
            }
            settled += expected.status == SmallSearchStatus::settled;
            used_up += is_used_up;
        }
    }
    std::printf("%s %zu %zu %zu\n", game.name().c_str(), 3 * count, settled, used_up);
}

template <class G>
void compare_searches(const char* parameters, std::size_t plies, std::size_t count) {
    const G game = G::from_parameters(parameters);
    compare_searches<SmallSearchBySets<G>>(game, plies, 8, count, false);
    compare_searches<RepeatedSmallSearch<G>>(game, plies, 8, count);
}

void compare_othello(const char* parameters, std::size_t plies, std::size_t count) {
    const Othello game = Othello::from_parameters(parameters);
    compare_searches<SmallSearchOfOthello>(game, plies, 11, count);
    compare_searches<RepeatedSmallSearch<Othello>>(game, plies, 11, count);
}

int main(int, char** arguments) {
    const std::size_t count = std::strtoull(arguments[1], nullptr, 10);
    chance.seed(std::strtoull(arguments[2], nullptr, 10));
    compare_lines<TicTacToe>("", 9, count);
    compare_lines<Qubic>("", 40, count);
    compare_lines<Gomoku>("6x6", 36, count);
    compare_lines<Gomoku>("5x4-3,standard", 20, count);
    compare_lines<Gomoku>("8x8-4,standard", 64, count);
    compare_lines<Gomoku>("9x8-4,standard", 40, count);
    compare_lines<Gomoku>("19x19", 160, count / 4);
    compare_searches<ConnectFour>("5x4", 20, count);
    compare_searches<ConnectFour>("6x5,score", 30, count);
    compare_searches<ConnectFour>("3x3,score", 9, count);
    compare_searches<ConnectFour>("", 40, count);
    compare_searches<LargeConnectFour>("4x4,score", 16, count);
    compare_othello("", 60, count);
    compare_othello("8x8,discs", 60, count);
    compare_othello("6x6", 32, count);
    compare_othello("4x6", 20, count);
}
