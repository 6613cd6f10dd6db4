// Othello as the module offers it, with what is compiled for its own type: the tables read the same headers.
#include "games/othello.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "bindings/adapters/tables_adapter.hpp"
#include "compiled/games/othello/small_search.hpp"
#include "search/families/null_window.hpp"

namespace proofbase {

template <>
std::unique_ptr<AnySmallSearch<VirtualGame::Position>> VirtualRecordsOf<Othello>::small_search() const {
    return own_search<SmallSearchOfOthello>();
}

template std::unique_ptr<GameSearch<Othello>> make_null_window(const SearchRequest<Othello>&);
template std::vector<SolvedPosition> solve_positions(const Othello&, const Algorithm&,
                                                     const std::vector<Othello::Position>&, const PositionsRequest&,
                                                     const CheckInterrupt&);
template std::shared_ptr<AnyTables> tables_of(const Othello&, const std::filesystem::path&, Damage,
                                              const std::shared_ptr<BlockCache>&);
template std::unique_ptr<AnyTableWork> table_work_of(const Othello&, const std::filesystem::path&, std::uint32_t,
                                                     unsigned, bool);

[[maybe_unused]] const bool offers_Othello =
    offer_with_searches<Othello>({{{"null-window", &make_null_window<Othello>}}, &solve_positions<Othello>});

}  // namespace proofbase
