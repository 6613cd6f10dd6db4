#include "games/python_game.hpp"

#include "bindings/adapters/family_of.hpp"

namespace proofbase {

std::shared_ptr<AnyGame> wrap_python_game(nb::object game) {
    return std::make_shared<GameAdapter<PythonGame>>(PythonGame(std::move(game)));
}

}  // namespace proofbase
