// Family `pss`: proof-set search with (P,D)-truncated sets, in a graph whose nodes are positions (Müller 2001); for
// games with cycles in a graph with base nodes and twin nodes.
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/graph/dag/set_backup.hpp"
#include "search/graph/twin/base_twin.hpp"
#include "search/graph/twin/twin_sets.hpp"
#include "search/pn/memory.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/orientation.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<GameSearch<G>> make_pss(const SearchRequest<G>& request) {
    constexpr std::uint32_t whole_sets = 0xffffffff;
    const Algorithm& algorithm = request.algorithm;
    SetOptions options;
    options.proof_size = static_cast<std::uint32_t>(algorithm.number("p-N", whole_sets));
    options.disproof_size = static_cast<std::uint32_t>(algorithm.number("d-N", whole_sets));
    options.favour = static_cast<std::uint32_t>(algorithm.number("favour-N"));
    options.newest_first = algorithm.has("newest");
    const Orientation<G> orientation(algorithm.has("no-symmetry"));
    if (request.game.acyclic()) {
        return std::make_unique<ProofNumberSearch<G, Dag<G, SetBackup>, Keep>>(request, orientation, options);
    }
    return std::make_unique<ProofNumberSearch<G, BaseTwin<G, TwinSets>, Keep>>(request, orientation, options);
}

}  // namespace proofbase
