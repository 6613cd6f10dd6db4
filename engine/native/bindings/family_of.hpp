// A game header as a family of the module; included by the one small file of each game.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/game_adapter.hpp"
#include "bindings/register.hpp"

namespace proofbase {

template <Game G>
GameFamily family_of(std::vector<std::string> examples) {
    return {std::string(G::family), std::move(examples), std::string(G::description), [](std::string_view parameters) {
                return std::make_shared<GameAdapter<G>>(G::from_parameters(parameters));
            }};
}

}  // namespace proofbase
