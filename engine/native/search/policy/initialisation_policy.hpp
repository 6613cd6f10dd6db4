// The names of the initialisation policies; what they do is in initialisation.hpp.
#pragma once

#include <cstdint>

namespace proofbase {

/// How a leaf that nothing settles gets its proof and disproof number. The policy is chosen at run time: the choice
/// costs a small part of what generating a node costs, and a type for every policy would compile each search several
/// times.
enum class Initialisation : std::uint8_t {
    unit,      ///< every leaf counts one (Allis et al. 1994, 3.1 and Fig. 4)
    mobility,  ///< a refutation must answer every move (Schijf 1993, 3.4 and 5.5)
    effort,    ///< the game's own estimate, which may look ahead (concepts.hpp, Effort)
    plies,     ///< how far a win is for the side that has to make progress (concepts.hpp, EstimatesPlies)
    depth,     ///< 1 + depth / 2 for both numbers, so that deep lines wait (Allis 1994, 2.3.3 and 5.4)
    threats,   ///< a search for winning threats settles what it can (Allis 1994, 4.4.1); `pn-dag` only
};

}  // namespace proofbase
