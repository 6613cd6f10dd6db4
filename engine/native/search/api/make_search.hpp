// From the name of an algorithm to a search: `auto`, or a family (families.hpp) with policies behind `+`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/algorithms/automatic.hpp"
#include "search/api/families.hpp"

namespace proofbase {

/// The algorithm of a name, `auto` included. Throws UnsuitableAlgorithm if there is none, or if it cannot treat the
/// game.
template <Game G>
Algorithm find_algorithm(const G& game, std::string_view name) {
    return read_algorithm(name == "auto" ? automatic_algorithm(game).algorithm : std::string(name), features_of(game));
}

/// "value(position) >= at_least?". `records` may be null and must outlive the search.
template <Game G>
SearchRequest<G> request_for(const G& game, const typename G::Position& position, int at_least,
                             const Algorithm& algorithm, const KnownRecords<G>* records) {
    return {game, position, at_least, records, algorithm, MoveOrder(algorithm.number("order-N"))};
}

/// What makes the searches of an algorithm, for the types that all families are compiled for.
template <Game G>
MakeSearch<G> make_of(const Algorithm& algorithm) {
    for (const AlgorithmFamily<G>& compiled : algorithm_families<G>) {
        if (compiled.name == compiled_family(algorithm)) return compiled.make;
    }
    throw std::logic_error("no search is made for " + algorithm.text());
}

}  // namespace proofbase
