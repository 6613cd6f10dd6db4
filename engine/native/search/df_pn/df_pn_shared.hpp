// What the threads of one df-pn search share: the rules, the question's environment, and the table.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/record_table.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/df_pn/virtual_numbers.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/move_order.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

template <Game G, class Initialisation>
struct DfPnShared {
    using Key = typename G::Key;
    using KeyWords = typename DfPnKeys<Key>::Words;

    DfPnShared(const G& rules, const RecordTable<G>* known, MoveOrder order, bool weak, std::uint32_t threads)
        : game(rules),
          valuation(game, known),
          records(known),
          move_order(order),
          weak_numbers(weak),
          virtual_numbers(threads) {}

    /// What the rules, the tables of values or the initialisation say of a position. Records are not asked here, since
    /// they need the key; recorded() asks them.
    Leaf look(const typename G::Position& position, int bound) const {
        if (const std::optional<int> value = game.terminal(position)) {
            return {*value >= bound ? proved_numbers : disproved_numbers, 0};
        }
        if (const std::optional<Leaf> leaf = in_range(game, position, bound)) return *leaf;
        if (records != nullptr && records->tables() != nullptr) {
            if (const std::optional<Leaf> leaf = valuation.tabled(*records, position, bound)) return *leaf;
        }
        return valuation.initial(position, bound, 0);
    }

    /// What a record says, if it settles the question.
    std::optional<Leaf> recorded(const KeyWords& key, int bound) const {
        if (records == nullptr) return std::nullopt;
        return valuation.recorded(*records, keys.key(key), bound);
    }

    G game;
    LeafValuation<G, Initialisation> valuation;
    const RecordTable<G>* records;  ///< may be null
    MoveOrder move_order;
    bool weak_numbers;  ///< the policy `weak`: disproof numbers by the hardest child, not by the sum
    DfPnTable<Key> table;
    DfPnKeys<Key> keys;
    VirtualNumbers virtual_numbers;
    std::atomic<bool> cancelled = false;
    std::atomic<bool> root_solved = false;
};

}  // namespace proofbase
