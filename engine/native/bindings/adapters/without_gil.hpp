// Running native code while other Python threads run.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>
#include <variant>

#include "games/python_game.hpp"

namespace proofbase {

/// Releases the GIL during its lifetime, unless the game itself is Python code.
template <class G>
using WithoutGil = std::conditional_t<std::is_same_v<G, PythonGame>, std::monostate, nb::gil_scoped_release>;

}  // namespace proofbase
