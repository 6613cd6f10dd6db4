// Go-moku's own type in the family threats.
#include "games/gomoku.hpp"
#include "search/families/threats.hpp"
#include "search/threats/find_threats.hpp"

namespace proofbase {

template std::unique_ptr<GameSearch<Gomoku>> make_threats(const SearchRequest<Gomoku>&);
template std::vector<FoundThreats> find_threats(const Gomoku&, const std::vector<Gomoku::Position>&, std::string_view,
                                                std::uint64_t, bool);

}  // namespace proofbase
