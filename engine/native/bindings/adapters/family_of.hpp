// Offers the games of one C++ class by name; included by the file that the build generates for each native game.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/game_adapter.hpp"
#include "bindings/adapters/inner_tables.hpp"
#include "bindings/module/register.hpp"
#include "games/within/inner_game.hpp"

namespace proofbase {

/// Also makes the game, and its tables, known as those inside `within:N:GAME`.
template <class G>
GameFamily family_of() {
    static_assert(Game<G>, "a native game needs all members of the concept Game (concepts.hpp)");
    static_assert(Described<G>,
                  "to be offered by name, a game needs family, description, examples and from_parameters: see the "
                  "concept Described (concepts.hpp)");
    static_assert(Notated<G>, "to be offered by name, a game needs text forms: see the concept Notated (concepts.hpp)");
    std::vector<std::string> examples;
    for (const std::string_view example : G::examples) examples.emplace_back(example);
    within::offer_as_inner_game<G>();
    offer_inner_tables<G>();
    const auto open = [](std::string_view parameters) {
        return std::make_shared<GameAdapter<G>>(G::from_parameters(parameters));
    };
    return {std::string(G::family), std::move(examples), std::string(G::description), {open}};
}

}  // namespace proofbase
