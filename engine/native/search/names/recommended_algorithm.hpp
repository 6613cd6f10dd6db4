// The algorithm that `auto` chooses for a game, with the reason.
#pragma once

#include <string>

namespace proofbase {

struct RecommendedAlgorithm {
    std::string algorithm;  ///< by name (make_search.hpp)
    std::string reason;     ///< in words for people
};

}  // namespace proofbase
