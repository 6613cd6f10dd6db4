// Family `df-pn`: depth-first proof-number search with a table of fixed size.
//   +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   +sum +weak                disproof numbers: sum of the children's proof numbers, or the largest plus one for each
//                             other child (default: sum)
//   +table-N +table-kib-N     size of the table in MiB, in KiB (default: a quarter of the memory budget, or 256 MiB)
//   +threads-N                threads (default: 1); not for games with keys of varying length
#pragma once

#include <memory>
#include <string>

#include "search/df_pn/df_pn_search.hpp"
#include "search/names/families.hpp"
#include "search/policy/initialisations.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_df_pn(const SearchRequest<G>& request) {
    AlgorithmName& name = request.name;
    const std::string initialisation = take_initialisation(request);
    const bool weak = name.take("disproof numbers", {"sum", "weak"}) == "weak";
    const std::uint64_t kib = name.take_number("size of the table", "table-kib", 0);
    const std::uint64_t mib = name.take_number("size of the table", "table", 0);
    const std::uint64_t threads = name.take_number("threads", "threads", 1);
    name.finish();
    if (kib != 0 && mib != 0) throw name.refusal("the size of the table is there twice");
    if (mib > (std::uint64_t{1} << 30) || kib > (std::uint64_t{1} << 40)) {
        throw name.refusal("a table has at most 2^30 MiB");
    }
    if (threads < 1 || threads > 255) throw name.refusal("threads are 1 to 255");
    if (threads > 1 && request.game.key_size() == 0) {
        throw name.refusal(request.game.name() + " has keys of varying length: one thread only");
    }
    if (request.game.highest_value() > DfPnTable<typename G::Key>::largest_bound / 2) {
        throw name.refusal(request.game.name() + " has values that are too large for df-pn");
    }
    std::string full = "df-pn+" + initialisation + (weak ? "+weak" : "");
    if (kib != 0) full += "+table-kib-" + std::to_string(kib);
    if (mib != 0) full += "+table-" + std::to_string(mib);
    if (threads > 1) full += "+threads-" + std::to_string(threads);
    full += request.order_suffix;
    const DfPnOptions options{mib != 0 ? mib << 20 : kib << 10, static_cast<std::uint32_t>(threads), weak};
    return with_initialisation<G>(initialisation,
                                  [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
                                      return std::make_unique<DfPnSearch<G, Policy>>(request, options, full);
                                  });
}

}  // namespace proofbase
