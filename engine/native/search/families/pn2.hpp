// Family `pn2`: pn^2-search, proof-number search whose leaves are developed by a second proof-number search; both in
// trees, also in games with cycles.
//   +unit +mobility +effort +depth      initialisation, as in pn-tree
//   +immediate +delayed                 evaluation, as in pn-tree (of both levels)
//   +current-node +from-root            selection, as in pn-tree
//   +most-proving +no-stop              as in pn-tree
//   +cache-N                            the last N second trees are kept (default: 0)
#pragma once

#include <memory>
#include <string>

#include "search/names/families.hpp"
#include "search/families/tree.hpp"
#include "search/graph/tree/pn2_tree.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_pn2(const SearchRequest<G>& request) {
    const TreeOptions options = take_tree_options(request);
    const std::uint64_t cached = request.name.take_number("second trees kept", "cache", 0);
    if (cached > most_second_trees) {
        throw request.name.refusal("a cache holds at most " + std::to_string(most_second_trees) + " trees");
    }
    const std::string initialisation = take_tree_initialisation(request, options);
    request.name.finish();
    const std::string name = "pn2+" + initialisation + to_text(options) +
                             (cached > 0 ? "+cache-" + std::to_string(cached) : "") +
                             (options.early_stop ? "" : "+no-stop") + request.order_suffix;
    return with_tree_initialisation<G>(initialisation,
                                       [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
                                           using Graph = TwoLevels<G, Tree<G, NumberBackup, Policy>>;
                                           return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(
                                               request, name, options, static_cast<std::uint32_t>(cached));
                                       });
}

}  // namespace proofbase
