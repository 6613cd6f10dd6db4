// Questions about the values of positions by null-window search.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "concepts.hpp"
#include "search/api/search.hpp"
#include "search/api/search_request.hpp"
#include "search/api/value_questions.hpp"
#include "search/null_window/null_window_shared.hpp"
#include "search/null_window/position_solver.hpp"

namespace proofbase {

template <Game G>
class NullWindowQuestions final : public ValueQuestions {
  public:
    NullWindowQuestions(const G& game, std::uint64_t table_bytes)
        : game_(game),
          shared_(SearchRequest<G>{game_, game_.initial(), 0, nullptr, Algorithm(), MoveOrder()}, 1, stopped_) {
        shared_.table = {table_bytes, game_.key_size(), game_.highest_value(), false};
        solver_.emplace(shared_);
    }

    std::optional<bool> at_least(const void* position, int bound, std::uint64_t nodes) override {
        const auto stop = [nodes](std::uint64_t spent, std::uint64_t& most) {
            if (spent >= nodes) return StopReason::nodes;
            most = std::min(most, nodes - spent);
            return StopReason::none;
        };
        const SolvedPosition solved = solver_->solve(*static_cast<const typename G::Position*>(position), bound, stop);
        if (solved.lower >= bound) return true;
        return solved.upper < bound ? std::optional(false) : std::nullopt;
    }

  private:
    G game_;
    std::atomic<bool> stopped_ = false;
    NullWindowShared<G> shared_;
    std::optional<PositionSolver<G>> solver_;
};

template <Game G>
std::unique_ptr<ValueQuestions> ask_values(const G& game, std::uint64_t table_bytes) {
    return std::make_unique<NullWindowQuestions<G>>(game, table_bytes);
}

}  // namespace proofbase
