#include "games/qubic.hpp"

#include "bindings/family_of.hpp"

namespace proofbase {

GameFamily qubic_family() {
    return family_of<Qubic>({"qubic"});
}

}  // namespace proofbase
