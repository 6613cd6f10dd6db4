// Games whose rules take less time than a cache miss (some hundred nanoseconds): work that may be for nothing is worth
// its time where memory is waited for.
#pragma once

#include <type_traits>

#include "concepts.hpp"

namespace proofbase {

/// The positions of such games are a few words. Games behind virtual functions have larger ones.
template <Game G>
inline constexpr bool has_quick_rules =
    std::is_trivially_copyable_v<typename G::Position> && sizeof(typename G::Position) <= 32 && !Unproven<G>;

}  // namespace proofbase
