// Iterative deepening (depth_first.hpp) of one position, one ply deeper each time, with what the last depth left of the
// window and its line tried first: Allis, van der Meulen, van den Herik, Proof-number search, Artificial Intelligence
// 66 (1994), 6.3. As in 6.4 of the paper, of a search to depth i only the nodes at depth i are counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "concepts.hpp"
#include "search/alpha_beta/bounds_table.hpp"
#include "search/alpha_beta/depth_first.hpp"

namespace proofbase {

template <Game G>
class Deepening {
  public:
    using Line = typename DepthFirst<G>::Line;

    /// Narrows the limits of the value until they meet, or lie on one side of the window (alpha, beta). `known` and
    /// `table` may be null.
    Deepening(const G& game, const RecordTable<G>* known, BoundsTable<typename G::Key>* table, MoveOrder order,
              const typename G::Position& root, int alpha, int beta)
        : search_(game, known, table, order),
          root_(root),
          alpha_(alpha),
          beta_(beta),
          lower_(-game.highest_value()),
          upper_(game.highest_value()) {
        begin(0);
    }

    bool done() const noexcept { return window_low() >= window_high(); }

    /// Goes on for so many visits of nodes at the most.
    void run(std::uint32_t visits) {
        if (done() || !search_.run(visits)) return;
        lower_ = std::max(lower_, search_.result().lower);
        upper_ = std::min(upper_, search_.result().upper);
        line_ = search_.best();
        if (done()) return;
        if (!search_.cut_off()) throw std::logic_error("alpha-beta saw all there is and has no value");
        begin(depth_ + 1);
    }

    int lower() const noexcept { return lower_; }
    int upper() const noexcept { return upper_; }
    /// The depth of the search that is under way, or was the last one.
    std::uint32_t depth() const noexcept { return depth_; }
    /// The best line of the last depth that was searched through.
    const Line& line() const noexcept { return line_; }
    std::uint64_t nodes() const noexcept { return search_.at_depth(); }
    std::uint64_t expansions() const noexcept { return search_.expansions(); }
    std::uint64_t bytes() const noexcept { return search_.bytes(); }

    /// Takes up a search that had these totals when it began its depth.
    void resume(std::uint32_t depth, std::uint64_t nodes, std::uint64_t expansions, Line line) {
        search_.set_totals(nodes, expansions);
        line_ = std::move(line);
        begin(depth);
    }
    /// The line and the totals when the depth began.
    const Line& line_before() const noexcept { return line_before_; }
    std::uint64_t nodes_before() const noexcept { return nodes_before_; }
    std::uint64_t expansions_before() const noexcept { return expansions_before_; }

  private:
    int window_low() const noexcept { return std::max(alpha_, lower_); }
    int window_high() const noexcept { return std::min(beta_, upper_); }

    void begin(std::uint32_t depth) {
        depth_ = depth;
        nodes_before_ = search_.at_depth();
        expansions_before_ = search_.expansions();
        line_before_ = line_;
        search_.start(root_, window_low(), window_high(), depth, line_);
    }

    DepthFirst<G> search_;
    typename G::Position root_;
    int alpha_, beta_;
    int lower_, upper_;
    std::uint32_t depth_ = 0;
    std::uint64_t nodes_before_ = 0, expansions_before_ = 0;
    Line line_, line_before_;
};

}  // namespace proofbase
