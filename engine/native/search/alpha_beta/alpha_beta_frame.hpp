// A node on the stack of a depth-limited alpha-beta search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "search/alpha_beta/bounds.hpp"
#include "search/alpha_beta/dual_window.hpp"

namespace proofbase {

template <Game G>
struct AlphaBetaFrame {
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Line = std::vector<Move>;
    struct MoveWithReward {
        Move move;
        int reward;
    };

    Position position{};
    Key key{};
    int incoming_reward = 0;  ///< of the move that led to the node
    DualWindow window{};
    std::uint32_t depth = 0;        ///< plies that are still to be searched
    bool on_previous_line = false;  ///< the node is on the best line of the last iteration
    Bounds known{};                 ///< from the rules, the records and the table: holds on every path
    Bounds found{};                 ///< from the moves tried; `upper` is the largest of theirs
    std::vector<MoveWithReward> moves;
    std::size_t next_move = 0;
    Move witness{};  ///< the move that found.lower rests on
    int best_lower = 0;
    int best_upper = 0;
    Line best_line;  ///< by the best move tried: that with the largest bounds, the lower one first

    /// Prepares the frame of a new node; `highest` is the highest value of the game.
    void reset(int highest) noexcept {
        found = {-highest, std::numeric_limits<int>::min()};
        next_move = 0;
        best_line.clear();
    }

    bool all_moves_tried() const noexcept { return next_move == moves.size(); }

    /// What is left of the window after the moves tried.
    DualWindow open_window() const noexcept {
        DualWindow open = window;
        open.for_lower.alpha = std::max(open.for_lower.alpha, found.lower);
        open.for_upper.alpha = std::max(open.for_upper.alpha, found.upper);
        return open;
    }

    /// Takes the bounds of the child by the move tried last; `line` is the child's best line.
    void back_up(const Bounds& child, const Line& line) {
        const auto [move, reward] = moves[next_move - 1];
        const int lower = reward - child.upper;
        const int upper = reward - child.lower;
        if (best_line.empty() || lower > best_lower || (lower == best_lower && upper > best_upper)) {
            best_lower = lower;
            best_upper = upper;
            best_line.assign(1, move);
            best_line.insert(best_line.end(), line.begin(), line.end());
        }
        if (lower > found.lower) {
            found.lower = lower;
            found.lower_proof_depth = child.upper_proof_depth + 1;
            found.lower_depends_on = child.upper_depends_on;
            witness = move;
        }
        found.upper = std::max(found.upper, upper);
        found.upper_proof_depth = std::max(found.upper_proof_depth, child.lower_proof_depth + 1);
        found.upper_depends_on = std::min(found.upper_depends_on, child.lower_depends_on);
    }

    /// The bounds that a search to this depth can find at most, as far as the window tells: the largest lower bound,
    /// and the smallest upper bound.
    std::pair<int, int> bounds_in_depth(int highest) const noexcept {
        const Window& of_lower = window.for_lower;
        const Window& of_upper = window.for_upper;
        const bool lower_unlimited = of_lower.closed() || found.lower >= of_lower.beta;
        const bool upper_unlimited = of_upper.closed() || found.upper <= of_upper.alpha;
        return {lower_unlimited ? highest : std::max(of_lower.alpha, found.lower),
                upper_unlimited ? -highest : std::min(of_upper.beta, found.upper)};
    }
};

}  // namespace proofbase
