// Family `pss`: proof-set search with (P,D)-truncated sets, in a graph whose nodes are positions (Müller 2001).
#pragma once

#include <memory>

#include "search/api/families.hpp"
#include "search/graph/dag/dag.hpp"
#include "search/graph/dag/set_backup.hpp"
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
    if (algorithm.initialisation() == Initialisation::unit) {
        using Graph = Dag<G, SetBackup<UnitMembers>>;
        return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, orientation, options);
    }
    using Graph = Dag<G, SetBackup<WeightedMembers>>;
    return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, orientation, options);
}

}  // namespace proofbase
