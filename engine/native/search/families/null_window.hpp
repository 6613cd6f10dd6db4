// Family `null-window`: depth-first null-window search with a table of fixed size, of one position or of many.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/null_window/null_window_search.hpp"
#include "search/null_window/positions/solve_positions.hpp"
#include "search/null_window/positions/value_questions.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_null_window(const SearchRequest<G>& request) {
    const Algorithm& algorithm = request.algorithm;
    const std::uint64_t table_bytes = algorithm.number("table-N") << 20 | algorithm.number("table-kib-N") << 10;
    const auto threads = static_cast<std::uint32_t>(algorithm.number("threads-N"));
    return std::make_unique<NullWindowSearch<G>>(request, NullWindowOptions{table_bytes, threads});
}

}  // namespace proofbase
