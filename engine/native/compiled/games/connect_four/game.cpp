// Connect-four as the module offers it. A board is of the first class that it fits. The searches are compiled beside.
#include "games/connect_four.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "search/api/families.hpp"

namespace proofbase {

[[maybe_unused]] const bool offers_ConnectFour =
    offer_with_searches<ConnectFour>({{{"pn-dag", &make_dag<ConnectFour>},
                                       {"df-pn", &make_df_pn<ConnectFour>},
                                       {"null-window", &make_null_window<ConnectFour>}},
                                      &solve_positions<ConnectFour>});
[[maybe_unused]] const bool offers_LargeConnectFour = offer_with_searches<LargeConnectFour>(
    {{{"null-window", &make_null_window<LargeConnectFour>}}, &solve_positions<LargeConnectFour>});

}  // namespace proofbase
