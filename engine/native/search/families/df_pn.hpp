// Family `df-pn`: depth-first proof-number search with a table of fixed size.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/df_pn/df_pn_search.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_df_pn(const SearchRequest<G>& request) {
    const Algorithm& algorithm = request.algorithm;
    const std::uint64_t table_bytes = algorithm.number("table-N") << 20 | algorithm.number("table-kib-N") << 10;
    const auto threads = static_cast<std::uint32_t>(algorithm.number("threads-N"));
    return std::make_unique<DfPnSearch<G>>(request, DfPnOptions{table_bytes, threads, algorithm.has("weak")});
}

}  // namespace proofbase
