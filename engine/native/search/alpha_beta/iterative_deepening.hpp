// Iterative deepening: searches one position to depth 0, 1, 2, ... (fixed_depth_search.hpp). Each iteration begins
// with the window that the last one has left, and tries the last iteration's best line first: Allis, van der Meulen,
// van den Herik, Proof-number search, Artificial Intelligence 66 (1994), 6.3. As in 6.4 of the paper, of a search to
// depth i only the nodes at depth i are counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "concepts.hpp"
#include "search/alpha_beta/bounds.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/fixed_depth_search.hpp"

namespace proofbase {

template <Game G>
class IterativeDeepening {
  public:
    using Line = typename FixedDepthSearch<G>::Line;

    /// What an iteration begins with: for checkpoints.
    struct IterationStart {
        std::uint64_t nodes = 0;
        std::uint64_t expansions = 0;
        Line best_line;  ///< of the last iteration
    };

    /// Improves the bounds of the value until they meet, or until the value is known to be at most alpha or at least
    /// beta. `records` and `table` may be null.
    IterativeDeepening(const G& game, const KnownRecords<G>* records, BoundsTable<typename G::Key>* table,
                       MoveOrder order, const typename G::Position& root, int alpha, int beta)
        : search_(game, records, table, order),
          root_(root),
          window_{alpha, beta},
          lower_(-game.highest_value()),
          upper_(game.highest_value()) {
        start_iteration(0);
    }

    bool done() const noexcept { return open_window().closed(); }

    /// Visits at most so many nodes.
    void run(std::uint32_t max_visits) {
        if (done() || !search_.run(max_visits)) return;
        lower_ = std::max(lower_, search_.bounds().lower);
        upper_ = std::min(upper_, search_.bounds().upper);
        best_line_ = search_.best_line();
        if (done()) return;
        if (!search_.depth_limit_reached()) throw std::logic_error("alpha-beta searched everything and found no value");
        start_iteration(depth_ + 1);
    }

    int lower() const noexcept { return lower_; }
    int upper() const noexcept { return upper_; }
    /// The depth of the current iteration, or of the last one when the search is done.
    std::uint32_t depth() const noexcept { return depth_; }
    /// The best line of the last iteration that was finished.
    const Line& best_line() const noexcept { return best_line_; }
    std::uint64_t nodes() const noexcept { return search_.nodes_at_depth(); }
    std::uint64_t expansions() const noexcept { return search_.expansions(); }
    std::uint64_t bytes() const noexcept { return search_.bytes(); }

    /// What the current iteration began with.
    const IterationStart& iteration_start() const noexcept { return iteration_start_; }

    /// Goes on with the iteration to this depth of an earlier search, from its start.
    void resume(std::uint32_t depth, IterationStart start) {
        search_.set_totals(start.nodes, start.expansions);
        best_line_ = std::move(start.best_line);
        start_iteration(depth);
    }

  private:
    /// What the bounds have left of the window.
    Window open_window() const noexcept {
        Window open = window_;
        open.narrow({lower_, upper_});
        return open;
    }

    void start_iteration(std::uint32_t depth) {
        depth_ = depth;
        iteration_start_ = {search_.nodes_at_depth(), search_.expansions(), best_line_};
        const Window open = open_window();
        search_.start(root_, open.alpha, open.beta, depth, best_line_);
    }

    FixedDepthSearch<G> search_;
    typename G::Position root_;
    Window window_;
    int lower_, upper_;
    std::uint32_t depth_ = 0;
    IterationStart iteration_start_;
    Line best_line_;
};

}  // namespace proofbase
