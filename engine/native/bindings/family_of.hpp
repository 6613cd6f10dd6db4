// A game header as a family of the module; included by the small file that the build makes for each game.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/game_adapter.hpp"
#include "bindings/register.hpp"

namespace proofbase {

template <Game G>
GameFamily family_of() {
    std::vector<std::string> examples;
    for (const std::string_view example : G::examples) examples.emplace_back(example);
    return {std::string(G::family), std::move(examples), std::string(G::description), [](std::string_view parameters) {
                return std::make_shared<GameAdapter<G>>(G::from_parameters(parameters));
            }};
}

}  // namespace proofbase
