// The parts of the Python module, and the games that it offers.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/interfaces/any_game.hpp"

namespace proofbase {

void register_errors(nb::module_& module);
void register_games(nb::module_& module);
void register_records(nb::module_& module);
void register_search(nb::module_& module);
void register_tables(nb::module_& module);

/// Games that differ only in their parameters.
struct GameFamily {
    using Open = std::function<std::shared_ptr<AnyGame>(std::string_view parameters)>;  ///< throws UnknownGame

    std::string name;
    std::vector<std::string> examples;
    std::string description;
    std::vector<Open> classes;  ///< a game is of the first class that takes its parameters
};

/// Adds a family, or its classes to the family of the same name.
void add_family(GameFamily family);

/// Names of the families that this build leaves out (PROOFBASE_GAMES). Empty for a full build.
std::vector<std::string> games_left_out();

std::shared_ptr<AnyGame> wrap_python_game(nb::object game);

}  // namespace proofbase
