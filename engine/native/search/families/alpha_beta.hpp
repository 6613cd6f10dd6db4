// Family `alpha-beta`: alpha-beta search with iterative deepening. Treats games with cycles.
//   +table-N   with a transposition table of N MiB (default: without)
//   +exact     goes on until it has the value, whatever is asked
#pragma once

#include <memory>
#include <string>

#include "search/alpha_beta/alpha_beta.hpp"
#include "search/names/families.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_alpha_beta(const SearchRequest<G>& request) {
    constexpr std::uint64_t most_mib = 1 << 20;
    const std::uint64_t table = request.name.take_number("MiB of the transposition table", "table", 0);
    const bool exact = request.name.take("aim", {"exact"}) == "exact";
    request.name.finish();
    if (table > most_mib) throw request.name.refusal("a table of more than " + std::to_string(most_mib) + " MiB");
    const std::string name = std::string("alpha-beta") + (table > 0 ? "+table-" + std::to_string(table) : "") +
                             (exact ? "+exact" : "") + request.order_suffix;
    return std::make_unique<AlphaBeta<G>>(request, name, table << 20, exact);
}

}  // namespace proofbase
