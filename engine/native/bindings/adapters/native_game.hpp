// Any native game behind the interface for Python.
#pragma once

#include <memory>

#include "bindings/interfaces/any_game.hpp"
#include "bindings/interfaces/own_type.hpp"

namespace proofbase {

std::shared_ptr<AnyGame> native_game(std::shared_ptr<const OwnType> own_type);

}  // namespace proofbase
