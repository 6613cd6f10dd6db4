// What a search is asked for: made by make_search.hpp from a name, read by the families of algorithms.
#pragma once

#include <cstdint>

#include "concepts.hpp"
#include "records/record_table.hpp"
#include "search/names/algorithm_name.hpp"
#include "search/policy/move_order.hpp"

namespace proofbase {

/// "value(position) >= at_least?" for the algorithm of `name`.
template <Game G>
struct SearchRequest {
    const G& game;
    const typename G::Position& position;
    int at_least;
    const RecordTable<G>* known;  ///< may be null; outlives the search
    AlgorithmName& name;          ///< the family takes its policies and calls finish()
    MoveOrder order;              ///< policy `order-N`, already taken
    std::string order_suffix;     ///< for the resolved name: "" or "+order-N"
};

}  // namespace proofbase
