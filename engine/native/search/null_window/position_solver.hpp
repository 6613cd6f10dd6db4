// The value of one position after the other by null windows, over a table that all of them share, with a best move.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/api/solve_positions.hpp"
#include "search/null_window/null_window_entry.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/null_window_worker.hpp"
#include "search/null_window/window_sequence.hpp"

namespace proofbase {

/// Solves positions for one thread.
template <Game G>
class PositionSolver {
  public:
    using Position = typename G::Position;
    using Shared = NullWindowShared<G>;

    explicit PositionSolver(Shared& shared) : shared_(shared), game_(shared.game), worker_(shared) {}

    /// Answers "value >= at_least?", or finds the exact value. `stop(nodes, most)` is called before every slice of a
    /// search, with the nodes that the position has taken so far: it says whether the position has to be left, and
    /// lowers `most`, the length of the slice, to what is left of a limit.
    template <class Stop>
    SolvedPosition solve(const Position& position, std::optional<int> at_least, Stop&& stop) {
        out_ = {};
        lower_of_best_move_ = no_bound;
        if (const std::optional<int> value = game_.terminal(position)) {
            out_.lower = out_.upper = *value;
        } else if (at_least) {
            answer(position, *at_least, stop);
        } else {
            find_value(position, stop);
        }
        worker_.clear_stack();
        if (at_least && out_.lower >= *at_least) out_.status = PositionStatus::proved;
        if (at_least && out_.upper < *at_least) out_.status = PositionStatus::disproved;
        return out_;
    }

  private:
    static constexpr std::uint64_t nodes_per_slice = Unproven<G> ? 64 : 4096;  // short also where the rules are slow
    static constexpr int no_bound = -0x7fffffff;

    template <class Stop>
    void answer(const Position& position, int at_least, Stop&& stop) {
        const int limit = value_limit(game_, position);
        WindowSequence windows({-limit, limit});
        // Bounds beyond the limits of a position need no search: there are such questions in games with scores.
        if (at_least > -limit && at_least <= limit) ask(position, {at_least, 0}, windows, stop);
        out_.lower = windows.known().lower;
        out_.upper = windows.known().upper;
    }

    template <class Stop>
    void find_value(const Position& position, Stop&& stop) {
        const int limit = value_limit(game_, position);
        WindowSequence windows(known_without_search(position, limit));
        bool stopped = false;
        while (!windows.finished() && !stopped) stopped = !ask(position, windows.next(), windows, stop);
        const int lower = out_.lower = windows.known().lower;
        out_.upper = windows.known().upper;
        if (!windows.finished() || lower_of_best_move_ == lower) return;
        // No question for the lower bound was answered: it is from the table or from the game, or it is the least value
        // that the position can have, and then every move reaches it.
        if (lower > -limit) {
            ask(position, {lower, 0}, windows, stop);
        } else {
            typename G::Moves moves{};
            game_.moves(position, moves);
            out_.best_move = static_cast<std::int32_t>(moves[0]);
        }
        out_.status = PositionStatus::exact;
    }

    ValueBounds known_without_search(const Position& position, int limit) {
        ValueBounds known{-limit, limit};
        const auto narrow = [&](int lower, int upper) {
            known.lower = std::max(known.lower, lower);
            known.upper = std::min(known.upper, upper);
        };
        if constexpr (StaticBounds<G>) {
            const ValueBounds bounds = game_.static_bounds(position);
            narrow(bounds.lower, bounds.upper);
        }
        NullWindowEntry entry;
        if (shared_.table.find(shared_.identity(position), entry)) narrow(entry.lower, entry.upper);
        return known;
    }

    /// Searches for the answer to a question. False if a limit of the position, or of all of them, was reached.
    template <class Stop>
    bool ask(const Position& position, const NullWindow& window, WindowSequence& windows, Stop&& stop) {
        const std::uint64_t nodes_of_others = worker_.nodes() - out_.nodes;
        const std::uint64_t nodes_before = out_.nodes;
        worker_.start(position, window.bound);
        while (true) {
            const std::uint64_t spent = out_.nodes - nodes_before;
            std::uint64_t most = nodes_per_slice;
            if (const StopReason reason = stop(out_.nodes, most); reason != StopReason::none) {
                out_.status = reason == StopReason::seconds ? PositionStatus::seconds : PositionStatus::nodes;
                return false;
            }
            if (window.most_nodes != 0) {
                if (spent >= window.most_nodes) {
                    windows.given_up(spent);
                    return true;
                }
                most = std::min(most, window.most_nodes - spent);
            }
            worker_.search(most);
            out_.nodes = worker_.nodes() - nodes_of_others;
            if (!worker_.done()) continue;
            windows.answered(window, worker_.value(), out_.nodes - nodes_before);
            if (worker_.value() >= window.bound) {
                lower_of_best_move_ = windows.known().lower;
                out_.best_move = static_cast<std::int32_t>(worker_.best_move());
            }
            return true;
        }
    }

    Shared& shared_;
    const G& game_;
    NullWindowWorker<G> worker_;
    SolvedPosition out_;
    int lower_of_best_move_ = no_bound;  ///< the lower bound that the best move so far reaches
};

}  // namespace proofbase
