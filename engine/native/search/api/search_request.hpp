// What a search is asked for: made by make_search.hpp, read by the families of algorithms.
#pragma once

#include "concepts.hpp"
#include "records/known_records.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/policy/move_order.hpp"

namespace proofbase {

/// "value(position) >= at_least?" for an algorithm.
template <Game G>
struct SearchRequest {
    const G& game;
    const typename G::Position& position;
    int at_least;
    const KnownRecords<G>* records;  ///< stored records, which settle leaves; may be null; outlives the search
    const Algorithm& algorithm;
    MoveOrder order;
};

}  // namespace proofbase
