// Connect-four's own type in the family null_window.
#include "games/connect_four.hpp"
#include "search/families/null_window.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<ConnectFour>> make_null_window(const SearchRequest<ConnectFour>&);
template std::vector<SolvedPosition> solve_positions(const ConnectFour&, const Algorithm&,
                                                     const std::vector<ConnectFour::Position>&, const PositionsRequest&,
                                                     const CheckInterrupt&);
template std::unique_ptr<ValueQuestions> ask_values(const ConnectFour&,
                                                    std::uint64_t);  // for the search for strategies

}  // namespace proofbase
