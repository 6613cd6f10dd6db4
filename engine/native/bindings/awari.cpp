#include "games/awari.hpp"

#include "bindings/family_of.hpp"

namespace proofbase {

GameFamily awari_family() {
    return family_of<Awari>({"awari"});
}

}  // namespace proofbase
