// From the name of an algorithm to a search. A name is a family with a graph kind, and policies behind `+`:
//
//   pn-tree, pn-dag             proof-number search
//     +unit +mobility +effort   initialisation (default: effort where the game has an estimate, else mobility)
//     +keep +delete-solved      memory (default: keep; delete-solved for pn-tree only)
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
#include "search/memory.hpp"
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
        return UnsuitableAlgorithm("algorithm " + quoted(algorithm, 80) + ": " + why);
    };
    if (!game.acyclic()) throw refuse(game.name() + " has cycles, which no algorithm of this release can treat");

    if (algorithm.ends_with('+')) throw refuse("a policy is missing behind the last '+'");
    std::string_view rest = algorithm == "auto" ? "pn-dag" : algorithm;
    const auto next = [&rest] {
        const std::size_t end = std::min(rest.find('+'), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return word;
    };
    const std::string family(next());
    std::string initialisation;
    std::string memory;
    while (!rest.empty()) {
        const std::string policy(next());
        const bool initialises = policy == "unit" || policy == "mobility" || policy == "effort";
        if (!initialises && policy != "keep" && policy != "delete-solved") {
            throw refuse("the policies are unit, mobility, effort (initialisation), keep, delete-solved (memory)");
        }
        std::string& choice = initialises ? initialisation : memory;
        if (!choice.empty()) throw refuse("'" + choice + "' and '" + policy + "' exclude each other");
        choice = policy;
    }
    if (initialisation == "effort" && !Effort<G>) throw refuse(game.name() + " has no estimate of the effort");
    if (initialisation.empty()) initialisation = Effort<G> ? "effort" : "mobility";

    const std::string name = family + "+" + initialisation + (memory == "delete-solved" ? "+delete-solved" : "");
    const auto make = [&]<class Graph, class Memory>(std::type_identity<Graph>,
                                                     Memory) -> std::unique_ptr<SearchOf<G>> {
        return std::make_unique<ProofNumberSearch<G, Graph, Memory>>(game, position, at_least, known, name);
    };
    const auto with_initialisation = [&]<template <class, class, class> class Graph, class Memory>(
                                         std::type_identity<Graph<G, NumberBackup, UnitInitialisation>>,
                                         Memory policy) {
        if (initialisation == "unit") {
            return make(std::type_identity<Graph<G, NumberBackup, UnitInitialisation>>{}, policy);
        }
        if constexpr (Effort<G>) {
            if (initialisation == "effort") {
                return make(std::type_identity<Graph<G, NumberBackup, EffortInitialisation>>{}, policy);
            }
        }
        return make(std::type_identity<Graph<G, NumberBackup, MobilityInitialisation>>{}, policy);
    };
    if (family == "pn-tree") {
        const std::type_identity<Tree<G, NumberBackup, UnitInitialisation>> graph;
        if (memory == "delete-solved") return with_initialisation(graph, DeleteSolved{});
        return with_initialisation(graph, Keep{});
    }
    if (family == "pn-dag") {
        if (memory == "delete-solved") throw refuse("delete-solved is a policy of pn-tree");
        return with_initialisation(std::type_identity<Dag<G, NumberBackup, UnitInitialisation>>{}, Keep{});
    }
    throw refuse("the algorithms are auto, pn-tree and pn-dag, with policies behind '+'");
}

}  // namespace proofbase
