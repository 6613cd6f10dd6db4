// The most positions of the small searches that claims rest on, where callers give no number.
#pragma once

#include <cstdint>
#include <type_traits>

#include "concepts.hpp"
#include "games/python_game.hpp"
#include "records/claims/claim.hpp"

namespace proofbase {

/// The most positions of a small search where no number is given. Rules in Python take some 10 microseconds a position.
template <Game G>
inline constexpr std::uint32_t usual_small_search_nodes = std::is_same_v<G, PythonGame> ? 500 : most_search_nodes;

}  // namespace proofbase
