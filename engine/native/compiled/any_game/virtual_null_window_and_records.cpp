// The search null-window of games behind virtual functions, and their records, which share most with it.
#include "search/families/null_window.hpp"
#include "virtual_game/records.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<VirtualGame>> make_null_window(const SearchRequest<VirtualGame>&);
template std::vector<SolvedPosition> solve_positions(const VirtualGame&, const Algorithm&,
                                                     const std::vector<VirtualGame::Position>&, const PositionsRequest&,
                                                     const CheckInterrupt&);

}  // namespace proofbase

#include "bindings/adapters/virtual_records.cpp"
