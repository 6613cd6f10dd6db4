// Tables of chess with the fifty-move rule, of plies to a reset. Those of chess are those of giveaway chess, too
// (any_game/tables_of_chessboards.cpp).
#include "bindings/adapters/tables_adapter.hpp"
#include "games/chess_variants/fifty_moves.hpp"

namespace proofbase {

template std::shared_ptr<AnyTables> tables_of(const FiftyMoveChess&, const std::filesystem::path&, Damage,
                                              const std::shared_ptr<BlockCache>&);
template std::unique_ptr<AnyTableWork> table_work_of(const FiftyMoveChess&, const std::filesystem::path&, std::uint32_t,
                                                     unsigned, bool);

}  // namespace proofbase
