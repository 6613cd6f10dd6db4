// What the threads of one df-pn search share: the game, the policies, the table, and flags.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/known_records.hpp"
#include "search/api/search_request.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/virtual_numbers.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G>
struct DfPnShared {
    using Key = typename G::Key;
    using KeyWords = typename DfPnKeys<Key>::Words;

    /// `cancelled` is the flag that cancel() sets.
    DfPnShared(const SearchRequest<G>& request, bool weak, std::uint32_t threads, const std::atomic<bool>& cancelled)
        : game(request.game),
          evaluator(game, request.records, request.algorithm.initialisation()),
          records(request.records),
          move_order(request.order),
          weak_numbers(weak),
          virtual_numbers(threads),
          cancelled(cancelled) {}

    /// Evaluates a new position by the rules, by a table of values, else by the initialisation. Records are not asked
    /// here, since they need the key: look_up_record() asks them, after the table of the search.
    ///
    /// `counted` is what the evaluator has counted.
    [[gnu::always_inline]] Leaf evaluate_without_key(const typename G::Position& position, int bound,
                                                     const CountedMoves& counted) const {
        Leaf leaf;
        if (answer_by_rules_or_table(game, records, position, bound, leaf, counted.state)) return leaf;
        return evaluator.initialise(position, bound, 0, counted);
    }

    /// The same for a position that is made only if it has to be looked at.
    template <class PositionOf>
    [[gnu::always_inline]] Leaf evaluate_counted(PositionOf&& position_of, int bound,
                                                 const CountedMoves& counted) const {
        if constexpr (!Limited<G>) {
            const bool within_limits = bound > -game.highest_value() && bound <= game.highest_value();
            if (counted.state == GameState::goes_on && records == nullptr && within_limits) return {{1, counted.moves}};
        }
        return evaluate_without_key(position_of(), bound, counted);
    }

    /// The answer of a stored record, if it settles the question. There are `records`.
    std::optional<Leaf> look_up_record(const KeyWords& key, int bound) const {
        return leaf_by_record(*records, keys.key(key), bound);
    }

    G game;
    LeafEvaluator<G> evaluator;
    const KnownRecords<G>* records;  ///< may be null
    MoveOrder move_order;
    bool weak_numbers;  ///< the policy `weak`: disproof numbers by the hardest child, not by the sum
    DfPnTable<Key> table;
    DfPnKeys<Key> keys;
    VirtualNumbers virtual_numbers;
    const std::atomic<bool>& cancelled;
    std::atomic<bool> root_solved = false;
};

}  // namespace proofbase
