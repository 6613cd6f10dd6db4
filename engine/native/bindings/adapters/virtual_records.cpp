#include "bindings/adapters/virtual_records.hpp"

#include "bindings/adapters/record_table_adapter.hpp"
#include "bindings/adapters/search_adapter.hpp"

namespace proofbase {

std::shared_ptr<AnyRecordTable> new_virtual_table(const VirtualGame& game) {
    return std::make_shared<RecordTableAdapter<VirtualGame>>(game);
}

std::unique_ptr<AnyGameSearch> new_virtual_search(const VirtualGame& game, const VirtualGame::Position& position,
                                                  int at_least, const Algorithm& algorithm,
                                                  const std::shared_ptr<AnyRecordTable>& known) {
    return std::make_unique<VirtualSearchAdapter<VirtualGame>>(game, game, position, at_least, algorithm,
                                                               known_records(game, known));
}

}  // namespace proofbase
