// Offers the games of one C++ class by name: for the files of native/compiled/games/.
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

/// Offers the games of a class by name, and makes them, and their tables, known as those inside `within:N:GAME`. A
/// game's file calls one of the two functions below while the module is loaded.
template <class G, bool own_records>
bool offer_family(CompiledFor<G> compiled) {
    static_assert(Game<G>, "a native game needs all members of the concept Game (concepts.hpp)");
    static_assert(Described<G>,
                  "to be offered by name, a game needs family, description, examples and from_parameters: see the "
                  "concept Described (concepts.hpp)");
    static_assert(Notated<G>, "to be offered by name, a game needs text forms: see the concept Notated (concepts.hpp)");
    std::vector<std::string> examples;
    for (const std::string_view example : G::examples) examples.emplace_back(example);
    offer_inside_within<G>();
    offer_inner_tables<G>();
    const auto open = [compiled = std::move(compiled)](std::string_view parameters) {
        return native_game(std::make_shared<const OwnTypeOf<G, own_records>>(G::from_parameters(parameters), compiled));
    };
    add_family({std::string(G::family), std::move(examples), std::string(G::description), {open}});
    return true;
}

/// For a game all of whose searches run behind virtual functions.
template <class G>
bool offer() {
    return offer_family<G, false>({});
}

/// For a game with searches of its own type: its record table in memory is compiled for the type as well.
template <class G>
bool offer_with_searches(CompiledFor<G> compiled) {
    return offer_family<G, true>(std::move(compiled));
}

}  // namespace proofbase
