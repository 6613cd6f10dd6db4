// Offers the games of one C++ class by name; included by the file that the build generates for each native game.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/inner_tables.hpp"
#include "bindings/adapters/native_game.hpp"
#include "bindings/adapters/own_type_of.hpp"
#include "bindings/module/register.hpp"
#include "games/within.hpp"

namespace proofbase {

/// Also makes the game, and its tables, known as those inside `within:N:GAME`.
/// `has_tables`: the build compiles its tables.
template <class G, bool own_records, bool has_tables>
GameFamily family_of(CompiledFor<G> compiled) {
    static_assert(Game<G>, "a native game needs all members of the concept Game (concepts.hpp)");
    static_assert(Described<G>,
                  "to be offered by name, a game needs family, description, examples and from_parameters: see the "
                  "concept Described (concepts.hpp)");
    static_assert(Notated<G>, "to be offered by name, a game needs text forms: see the concept Notated (concepts.hpp)");
    static_assert(HasTables<G> == has_tables, "table_games in engine/CMakeLists.txt lists the games with tables");
    std::vector<std::string> examples;
    for (const std::string_view example : G::examples) examples.emplace_back(example);
    offer_inside_within<G>();
    offer_inner_tables<G>();
    const auto open = [compiled = std::move(compiled)](std::string_view parameters) {
        return native_game(std::make_shared<const OwnTypeOf<G, own_records>>(G::from_parameters(parameters), compiled));
    };
    return {std::string(G::family), std::move(examples), std::string(G::description), {open}};
}

}  // namespace proofbase
