// The own type of large boards of connect-four in the family null_window.
#include "games/connect_four.hpp"
#include "search/families/null_window.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<LargeConnectFour>> make_null_window(const SearchRequest<LargeConnectFour>&);
template std::vector<SolvedPosition> solve_positions(const LargeConnectFour&, const Algorithm&,
                                                     const std::vector<LargeConnectFour::Position>&,
                                                     const PositionsRequest&, const CheckInterrupt&);

}  // namespace proofbase
