// How a position differs from one that may have been proved before, and whose proof is a plan for it.
#pragma once

namespace proofbase {

/// A stone of the defender that is taken away, and one that is added instead: a position that may have been proved.
struct Analogy {
    static constexpr int nothing = -1;
    int removed = nothing;
    int added = nothing;
};

}  // namespace proofbase
