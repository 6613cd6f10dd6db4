// The parts of the Python module, and the games that it offers.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/any_game.hpp"

namespace proofbase {

void register_errors(nb::module_& module);
void register_games(nb::module_& module);
void register_records(nb::module_& module);
void register_search(nb::module_& module);
void register_tables(nb::module_& module);

/// Games that differ in their parameters only.
struct GameFamily {
    std::string name;
    std::vector<std::string> examples;
    std::string description;
    std::function<std::shared_ptr<AnyGame>(std::string_view parameters)> open;  ///< throws UnknownGame
};

void add_family(GameFamily family);

/// Adds the families of all games: the build makes it from its list of games (engine/CMakeLists.txt).
void add_families();
std::shared_ptr<AnyGame> wrap_python_game(nb::object game);

}  // namespace proofbase
