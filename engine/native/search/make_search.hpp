// From the name of an algorithm to a search: `auto`, or a family (families.hpp) with policies behind `+`. Every family
// understands `order-N`: a random order of moves, with the seed N.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/families.hpp"

namespace proofbase {

/// The algorithm that `auto` stands for.
template <Game G>
std::string_view automatic(const G&) {
    return "pn-dag";
}

/// A search for "value(position) >= at_least?". `known` may be null and must outlive the search.
/// Throws UnsuitableAlgorithm if there is no such algorithm or it cannot treat the game.
template <Game G>
std::unique_ptr<SearchOf<G>> make_search(const G& game, const typename G::Position& position, int at_least,
                                         std::string_view algorithm, const RecordTable<G>* known) {
    AlgorithmName name(algorithm == "auto" ? automatic(game) : algorithm);
    const std::uint64_t order = name.take_number("order of moves", "order", 0);
    const SearchRequest<G> request{
        game, position, at_least, known, name, MoveOrder(order), order != 0 ? "+order-" + std::to_string(order) : ""};
    std::string names = "auto";
    for (const AlgorithmFamily<G>& family : algorithm_families<G>) {
        if (family.name == name.family()) return family.make(request);
        names += ", " + std::string(family.name);
    }
    throw name.refusal("the algorithms are " + names + ", with policies behind '+'");
}

}  // namespace proofbase
