// Records and searches behind virtual functions, for games without records of their own type: compiled once.
#pragma once

#include <memory>

#include "bindings/interfaces/any_game.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "search/names/algorithm_name.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

std::shared_ptr<AnyRecordTable> new_virtual_table(const VirtualGame& game);

/// Throws nb::value_error if the known records are of another game.
std::unique_ptr<AnyGameSearch> new_virtual_search(const VirtualGame& game, const VirtualGame::Position& position,
                                                  int at_least, const Algorithm& algorithm,
                                                  const std::shared_ptr<AnyRecordTable>& known);

}  // namespace proofbase
