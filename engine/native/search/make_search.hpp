// From the name of an algorithm to a search. A name is a family with a graph kind, and policies behind `+`:
//
//   pn-tree, pn-dag             proof-number search
//     +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//   auto                        pn-dag with the default initialisation
//
// Adding an algorithm = one header + one line in `make_search`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/dag.hpp"
#include "search/leaf.hpp"
#include "search/numbers.hpp"
#include "search/proof_number_search.hpp"
#include "search/search_of.hpp"
#include "search/tree.hpp"

namespace proofbase {

/// A search for "value(position) >= at_least?". `known` may be null and must outlive the search.
/// Throws UnsuitableAlgorithm if there is no such algorithm or it cannot treat the game.
template <Game G>
std::unique_ptr<SearchOf<G>> make_search(const G& game, const typename G::Position& position, int at_least,
                                         std::string_view algorithm, const RecordTable<G>* known) {
    const auto refuse = [&](const std::string& why) {
        return UnsuitableAlgorithm("algorithm '" + std::string(algorithm.substr(0, 80)) + "': " + why);
    };
    if (!game.acyclic()) throw refuse(game.name() + " has cycles, which no algorithm of this release can treat");

    std::string_view rest = algorithm == "auto" ? "pn-dag" : algorithm;
    const auto next = [&rest] {
        const std::size_t end = std::min(rest.find('+'), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return word;
    };
    const std::string family(next());
    std::string initialisation = Effort<G> ? "effort" : "mobility";
    bool chosen = false;
    while (!rest.empty()) {
        const std::string_view policy = next();
        if (policy != "unit" && policy != "mobility" && policy != "effort") {
            throw refuse("the policies are unit, mobility and effort");
        }
        if (chosen) throw refuse("two initialisation policies");
        if (policy == "effort" && !Effort<G>) throw refuse(game.name() + " has no estimate of the effort");
        initialisation = policy;
        chosen = true;
    }

    const std::string name = family + "+" + initialisation;
    const auto make = [&]<class Graph>(std::type_identity<Graph>) -> std::unique_ptr<SearchOf<G>> {
        return std::make_unique<ProofNumberSearch<G, Graph>>(game, position, at_least, known, name);
    };
    const auto with_initialisation = [&]<template <class, class, class> class Graph>(
                                         std::type_identity<Graph<G, NumberBackup, UnitInitialisation>>) {
        if (initialisation == "unit") return make(std::type_identity<Graph<G, NumberBackup, UnitInitialisation>>{});
        if constexpr (Effort<G>) {
            if (initialisation == "effort") {
                return make(std::type_identity<Graph<G, NumberBackup, EffortInitialisation>>{});
            }
        }
        return make(std::type_identity<Graph<G, NumberBackup, MobilityInitialisation>>{});
    };
    if (family == "pn-tree")
        return with_initialisation(std::type_identity<Tree<G, NumberBackup, UnitInitialisation>>{});
    if (family == "pn-dag") return with_initialisation(std::type_identity<Dag<G, NumberBackup, UnitInitialisation>>{});
    throw refuse("the algorithms are auto, pn-tree and pn-dag");
}

}  // namespace proofbase
