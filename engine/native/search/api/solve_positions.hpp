// Many positions in one call: their values in columns, no search object and no solution for each. The families of
// algorithms that can do it define solve_positions() (families/null_window.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "concepts.hpp"
#include "search/algorithms/algorithm_name.hpp"

namespace proofbase {

/// What a call found out about a position.
enum class PositionStatus : std::uint8_t {
    exact,      ///< the value is known
    proved,     ///< it is at least what was asked for
    disproved,  ///< it is not
    nodes,      ///< a limit of nodes has left it open
    seconds,    ///< a limit of time has left it open
};

/// The answer about one position.
struct SolvedPosition {
    std::int32_t lower = 0;  ///< limits of the value, both included
    std::int32_t upper = 0;
    std::int32_t best_move = -1;  ///< a move that reaches `lower`; -1: none is known, or the game is over
    PositionStatus status = PositionStatus::exact;
    std::uint64_t nodes = 0;  ///< as the search counts them
};

/// What is asked of all positions of a call, and its limits; what is absent is unlimited.
struct PositionsRequest {
    std::optional<int> at_least;  ///< "value >= at_least?"; absent: the exact value
    std::optional<std::uint64_t> nodes;
    std::optional<double> seconds;  ///< of one position, as the ones above
    std::optional<std::uint64_t> total_nodes;
    std::optional<double> total_seconds;  ///< of the call
    std::uint64_t table_bytes = 0;        ///< of the table that all positions share
    std::uint32_t threads = 1;            ///< each takes the next position
};

/// Called in the calling thread about every 50 ms. What it throws ends the call.
using CheckInterrupt = std::function<void()>;

/// Solves positions by null-window search, in their order. Throws std::bad_alloc, and what `check` and the rules throw.
template <Game G>
std::vector<SolvedPosition> solve_positions(const G& game, const Algorithm& algorithm,
                                            const std::vector<typename G::Position>& positions,
                                            const PositionsRequest& request, const CheckInterrupt& check);

}  // namespace proofbase
