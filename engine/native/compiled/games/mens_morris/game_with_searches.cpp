// Men's morris as the module offers it, with what is compiled for its own type: the tables read the same headers.
#include "games/mens_morris.hpp"

#include "bindings/adapters/offer_game.hpp"
#include "bindings/adapters/tables_adapter.hpp"
#include "search/families/base_twin.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<MensMorris>> make_base_twin(const SearchRequest<MensMorris>&);
template std::shared_ptr<AnyTables> tables_of(const MensMorris&, const std::filesystem::path&, Damage,
                                              const std::shared_ptr<BlockCache>&);
template std::unique_ptr<AnyTableWork> table_work_of(const MensMorris&, const std::filesystem::path&, std::uint32_t,
                                                     unsigned, bool);

[[maybe_unused]] const bool offers_MensMorris =
    offer_with_searches<MensMorris>({{{"pn-base-twin", &make_base_twin<MensMorris>}}});

}  // namespace proofbase
