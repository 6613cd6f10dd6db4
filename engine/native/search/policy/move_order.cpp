#include "search/policy/move_order.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace proofbase {

void shuffle_moves(std::uint64_t seed, std::vector<std::uint32_t>& moves) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> drawn;  // a random number for every move
    for (const std::uint32_t move : moves) drawn.emplace_back(mix(mix(seed) ^ move), move);
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = drawn[i].second;
}

}  // namespace proofbase
