// The algorithm that `auto` chooses for a game, with the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proofbase {

struct RecommendedAlgorithm {
    std::string algorithm;                 ///< by name (make_search.hpp)
    std::string reason;                    ///< in words for people
    std::optional<std::uint64_t> nodes{};  ///< then algorithm_after_first_nodes(); nothing: until the end
};

}  // namespace proofbase
