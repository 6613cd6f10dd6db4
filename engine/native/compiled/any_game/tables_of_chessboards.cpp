// Tables of chess and giveaway chess, of plies.
#include "games/chessboard_game.hpp"

#include "bindings/adapters/tables_adapter.hpp"

namespace proofbase {

template std::shared_ptr<AnyTables> tables_of(const chessboard::ChessboardGame&, const std::filesystem::path&, Damage,
                                              const std::shared_ptr<BlockCache>&);
template std::unique_ptr<AnyTableWork> table_work_of(const chessboard::ChessboardGame&, const std::filesystem::path&,
                                                     std::uint32_t, unsigned, bool);
template std::shared_ptr<const InnerTables> inner_tables_of(const chessboard::ChessboardGame&,
                                                            const std::filesystem::path&, Damage,
                                                            const std::shared_ptr<BlockCache>&);

}  // namespace proofbase
