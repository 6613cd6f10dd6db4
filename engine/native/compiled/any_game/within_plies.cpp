// What `within:N:GAME` has of GAME's own type: the search df-pn-plies, and small searches.
#include "games/chess.hpp"
#include "games/python_game.hpp"
#include "search/api/families.hpp"
#include "search/plies/plies_search.hpp"
#include "search/plies/small_search_of_wins.hpp"
#include "virtual_game/small_search_within_plies.hpp"

namespace proofbase {

template <>
std::unique_ptr<GameSearch<VirtualGame>> make_df_pn_plies(const SearchRequest<VirtualGame>& request) {
    const Algorithm& algorithm = request.algorithm;
    const std::uint64_t table_bytes = algorithm.number("table-N") << 20 | algorithm.number("table-kib-N") << 10;
    if (InnerGame<Chess>::is_inside(request.game)) return std::make_unique<PliesSearch<Chess>>(request, table_bytes);
    throw std::logic_error("the table of algorithms offers df-pn-plies to games within plies only");
}

template <>
std::unique_ptr<GameSearch<PythonGame>> make_df_pn_plies(const SearchRequest<PythonGame>&) {
    throw std::logic_error("the table of algorithms offers df-pn-plies to games within plies only");
}

std::unique_ptr<AnySmallSearch<VirtualGame::Position>> small_search_within_plies(const VirtualGame& game) {
    if (InnerGame<Chess>::is_inside(game)) return std::make_unique<SmallSearchOfWins<Chess>>(game);
    return nullptr;
}

}  // namespace proofbase
