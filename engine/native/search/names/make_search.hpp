// From the name of an algorithm to a search: `auto`, or a family (families.hpp) with policies behind `+`.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "search/names/algorithm_name.hpp"
#include "search/names/automatic.hpp"
#include "search/names/families.hpp"

namespace proofbase {

/// The algorithm of a name, `auto` included. Throws UnsuitableAlgorithm if there is none, or if it cannot treat the
/// game.
template <Game G>
Algorithm find_algorithm(const G& game, std::string_view name) {
    return read_algorithm(name == "auto" ? automatic_algorithm(game).algorithm : std::string(name), features_of(game));
}

/// A search for "value(position) >= at_least?". `records` may be null and must outlive the search.
/// Throws UnsuitableAlgorithm as find_algorithm() does.
template <Game G>
std::unique_ptr<SearchOf<G>> make_search(const G& game, const typename G::Position& position, int at_least,
                                         std::string_view name, const KnownRecords<G>* records) {
    const Algorithm algorithm = find_algorithm(game, name);
    const MoveOrder order(algorithm.number("order-N"));
    for (const AlgorithmFamily<G>& family : algorithm_families<G>) {
        if (family.name == algorithm.family())
            return family.make({game, position, at_least, records, algorithm, order});
    }
    throw std::logic_error("no search is made for the family " + std::string(algorithm.family()));
}

}  // namespace proofbase
