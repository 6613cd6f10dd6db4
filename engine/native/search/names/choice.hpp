// An algorithm that was chosen for somebody, with the reason.
#pragma once

#include <string>

namespace proofbase {

struct Choice {
    std::string algorithm;  ///< by name (make_search.hpp)
    std::string reason;     ///< in words for people
};

}  // namespace proofbase
