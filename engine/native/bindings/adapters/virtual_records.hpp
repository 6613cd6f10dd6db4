// Record tables and searches behind virtual functions, for all native games: compiled once.
#pragma once

#include <memory>

#include "bindings/interfaces/any_game.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// A table of records of a game that has none of its own type.
std::unique_ptr<VirtualRecords> new_virtual_records(const VirtualGame& game);

std::shared_ptr<AnyRecordTable> record_table_of(std::unique_ptr<VirtualRecords> records);

/// The records of a table; null without a table. Throws nb::value_error if they are of another game.
std::shared_ptr<VirtualRecords> records_of(const VirtualGame& game, const std::shared_ptr<AnyRecordTable>& table);

/// `solution`: a table without records, of the type that solutions have.
std::unique_ptr<AnySearch> new_virtual_search(const VirtualGame& game, const VirtualGame::Position& position,
                                              int at_least, const Algorithm& algorithm,
                                              std::shared_ptr<VirtualRecords> known,
                                              std::unique_ptr<VirtualRecords> solution);

}  // namespace proofbase
