// Chess as the module offers it, with what is compiled for its own type. With the fifty-move rule searches run behind
// virtual functions.
#include "games/chess.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "games/chess_variants/fifty_moves.hpp"
#include "search/families/base_twin.hpp"
#include "search/families/fixpoint.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Chess>> make_base_twin(const SearchRequest<Chess>&);
template std::unique_ptr<GameSearch<Chess>> make_fixpoint(const SearchRequest<Chess>&);

[[maybe_unused]] const bool offers_Chess = offer_with_searches<Chess>({{{"pn-base-twin", &make_base_twin<Chess>},
                                                                        {"df-pn", &make_df_pn<Chess>},
                                                                        {"pn-fixpoint", &make_fixpoint<Chess>}}});
[[maybe_unused]] const bool offers_FiftyMoveChess = offer<FiftyMoveChess>();

}  // namespace proofbase
