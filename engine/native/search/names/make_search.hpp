// From the name of an algorithm to a search: `auto`, or a family (families.hpp) with policies behind `+`. Every family
// understands `order-N`: a random order of moves, with the seed N.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "search/names/automatic.hpp"
#include "search/names/families.hpp"

namespace proofbase {

/// The families that treat the game. Each is asked for with a policy that none has, so that it says what it would take.
template <Game G>
std::vector<AlgorithmListing> list_algorithms(const G& game) {
    std::vector<AlgorithmListing> out;
    for (const AlgorithmFamily<G>& family : algorithm_families<G>) {
        AlgorithmName name(std::string(family.name) + "+?");
        const std::uint64_t order = name.take_number("order of moves", "order", 0);
        try {
            family.make({game, game.initial(), game.highest_value(), nullptr, name, MoveOrder(order), ""});
        } catch (const UnsuitableAlgorithm&) {
            if (name.finished()) out.push_back({std::string(family.name), name.kinds()});
        }
    }
    return out;
}

/// A search for "value(position) >= at_least?". `known` may be null and must outlive the search.
/// Throws UnsuitableAlgorithm if there is no such algorithm or it cannot treat the game.
template <Game G>
std::unique_ptr<SearchOf<G>> make_search(const G& game, const typename G::Position& position, int at_least,
                                         std::string_view algorithm, const RecordTable<G>* known) {
    AlgorithmName name(algorithm == "auto" ? automatic(game).algorithm : std::string(algorithm));
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
