// A leaf of a search, and what settles it without a search: the rules, the limits of its position's value, a table of
// values, a stored record. `settled_leaf` is the one place that says in which order these four are asked.
#pragma once

#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/local_check.hpp"
#include "records/record_table.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The numbers and the rank of a node when it is created. `rank` of a solved leaf: the plies within which the answer is
/// realised; of any other leaf: the least rank that a disproof of the node can have.
struct Leaf {
    Numbers numbers;
    std::uint32_t rank = 0;
};

/// The answer to "value(p) >= bound?" where `value` is the value of p.
inline Leaf leaf_of_value(int value, int bound) noexcept {
    return {value >= bound ? proved_numbers : disproved_numbers, 0};
}

/// The answer to "value(p) >= bound?" where the limits of the position's value give it. With rewards, the bound of a
/// question may lie outside of these limits.
template <Game G>
std::optional<Leaf> leaf_by_limits(const G& game, const typename G::Position& p, int bound) {
    const int limit = value_limit(game, p);
    if (bound <= -limit) return Leaf{proved_numbers, 0};
    if (bound > limit) return Leaf{disproved_numbers, 0};
    return std::nullopt;
}

/// The answer that the rules alone give: by the value of a finished game, else by the limits of the position's value.
template <Game G>
std::optional<Leaf> leaf_by_rules(const G& game, const typename G::Position& p, int bound) {
    if (const std::optional<int> value = game.terminal(p)) return leaf_of_value(*value, bound);
    return leaf_by_limits(game, p, bound);
}

/// The answer by a table of values (docs/glossary.md, "table"); nothing if no table has the position.
template <Game G>
[[gnu::noinline]] std::optional<Leaf> leaf_by_table(const RecordTable<G>& records, const typename G::Position& p,
                                                    int bound) {
    if (records.tables() == nullptr) return std::nullopt;
    const std::optional<int> value = records.tables()->value(p);
    if (!value) return std::nullopt;
    return leaf_of_value(*value, bound);
}

/// The answer that a stored record gives, if it settles the question.
template <Game G>
[[gnu::noinline]] std::optional<Leaf> leaf_by_record(const RecordTable<G>& records, const typename G::Key& key,
                                                     int bound) {
    const std::uint64_t hash = records.hash(key);
    constexpr std::uint32_t rank_limit =
        1u << 30;  // a claim that rests on the record has a larger rank, which must stay below 2^31
    const auto usable = [](const std::optional<std::uint32_t>& rank) { return rank && *rank < rank_limit; };
    if (const auto rank = records.smallest_rank(key, hash, Side::lower, bound); usable(rank))
        return Leaf{proved_numbers, *rank};
    if (const auto rank = records.smallest_rank(key, hash, Side::upper, bound - 1); usable(rank)) {
        return Leaf{disproved_numbers, *rank};
    }
    return std::nullopt;
}

/// The answer to "value(p) >= bound?" that needs neither a search nor the key of p: by the rules, then by a table.
/// `records` may be null.
template <Game G>
std::optional<Leaf> leaf_by_rules_or_table(const G& game, const RecordTable<G>* records, const typename G::Position& p,
                                           int bound) {
    if (const std::optional<Leaf> leaf = leaf_by_rules(game, p, bound)) return leaf;
    if (records == nullptr) return std::nullopt;
    return leaf_by_table(*records, p, bound);
}

/// The answer to "value(p) >= bound?" that needs no search: by the rules, by a table, by a record, in this order.
/// `records` may be null; `key()` gives the key of p, and is called only where records are asked.
template <Game G, class KeyOf>
std::optional<Leaf> settled_leaf(const G& game, const RecordTable<G>* records, const typename G::Position& p, int bound,
                                 KeyOf&& key) {
    if (const std::optional<Leaf> leaf = leaf_by_rules_or_table(game, records, p, bound)) return leaf;
    if (records == nullptr) return std::nullopt;
    return leaf_by_record(*records, key(), bound);
}

}  // namespace proofbase
