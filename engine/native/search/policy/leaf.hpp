// A leaf of a search, and what settles it without a search: the rules, the limits of its position's value, a table of
// values, a stored record. `settled_leaf_or` is the one place that says in which order these four are asked.
#pragma once

#include <cstdint>
#include <optional>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "records/known_records.hpp"
#include "records/value_tables.hpp"
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

/// Whether a game is over in a position, as far as that is known beforehand.
enum class GameState : std::uint8_t { unknown, goes_on, over };

/// Writes the answer that the rules alone give to "value(p) >= bound?": by the value of a finished game, else by the
/// limits of the position's value (with rewards, the bound of a question may lie outside of these limits). False if the
/// rules do not settle the question. `state`: terminal(p) is not asked where it is known to say nothing.
///
/// Nearly all leaves of a search are made here, in answer_by_rules_or_table() and in settled_leaf_or(). So these
/// functions write into a leaf and are compiled into their callers: handing an optional leaf from function to function
/// made whole searches up to 1.8 times slower.
template <Game G>
[[gnu::always_inline]] inline bool answer_by_rules(const G& game, const typename G::Position& p, int bound,
                                                   Leaf& answer, GameState state = GameState::unknown) {
    if (state != GameState::goes_on) {
        if (const std::optional<int> value = game.terminal(p)) {
            answer = leaf_of_value(*value, bound);
            return true;
        }
    }
    const int limit = value_limit(game, p);
    if (bound > -limit && bound <= limit) return false;
    answer = leaf_of_value(limit, bound);
    return true;
}

/// The leaf by answer_by_rules(); nothing if the rules do not settle the question.
template <Game G>
std::optional<Leaf> leaf_by_rules(const G& game, const typename G::Position& p, int bound) {
    Leaf answer;
    return answer_by_rules(game, p, bound, answer) ? std::optional(answer) : std::nullopt;
}

/// The answer by a table of values (docs/glossary.md, "table"); nothing if no table has the position.
template <class Records, class Position>
[[gnu::noinline]] std::optional<Leaf> leaf_by_table(const Records& records, const Position& p, int bound) {
    if (records.tables() == nullptr) return std::nullopt;
    const std::optional<TableValue> entry = records.tables()->entry(p);
    if (!entry) return std::nullopt;
    Leaf leaf = leaf_of_value(entry->value, bound);
    leaf.rank = leaf.numbers.proved() ? rank_by_table(*entry, Side::lower, bound)
                                      : rank_by_table(*entry, Side::upper, bound - 1);
    return leaf;
}

/// The answer that a stored record gives, if it settles the question.
template <class Records, class Key>
[[gnu::noinline]] std::optional<Leaf> leaf_by_record(const Records& records, const Key& key, int bound) {
    const std::uint64_t hash = records.hash(key);
    if (!records.contains(key, hash)) return std::nullopt;  // nearly always
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

/// Writes the answer to "value(p) >= bound?" that needs neither a search nor the key of p: by the rules, then by a
/// table. False if there is none. `records` may be null.
template <Game G>
[[gnu::always_inline]] inline bool answer_by_rules_or_table(const G& game, const KnownRecords<G>* records,
                                                            const typename G::Position& p, int bound, Leaf& answer,
                                                            GameState state = GameState::unknown) {
    if (answer_by_rules(game, p, bound, answer, state)) return true;
    if (records == nullptr) return false;
    const std::optional<Leaf> leaf = leaf_by_table(*records, p, bound);
    if (leaf) answer = *leaf;
    return leaf.has_value();
}

/// The leaf for "value(p) >= bound?": by the rules, by a table, by a record, in this order. If none of them settles the
/// question, the leaf is what make_open_leaf() returns. `records` may be null; `key()` gives the key of p, and is
/// called only where records are asked.
template <Game G, class KeyOf, class MakeOpenLeaf>
[[gnu::always_inline]] inline Leaf settled_leaf_or(const G& game, const KnownRecords<G>* records,
                                                   const typename G::Position& p, int bound, KeyOf&& key,
                                                   MakeOpenLeaf&& make_open_leaf,
                                                   GameState state = GameState::unknown) {
    Leaf answer;
    if (answer_by_rules_or_table(game, records, p, bound, answer, state)) return answer;
    if (records != nullptr) {
        if (const std::optional<Leaf> leaf = leaf_by_record(*records, key(), bound)) return *leaf;
    }
    return make_open_leaf();
}

/// The leaf by settled_leaf_or(); nothing if a search is needed.
template <Game G, class KeyOf>
std::optional<Leaf> settled_leaf(const G& game, const KnownRecords<G>* records, const typename G::Position& p,
                                 int bound, KeyOf&& key, GameState state = GameState::unknown) {
    bool settled = true;
    const auto open = [&] {
        settled = false;
        return Leaf{};
    };
    const Leaf leaf = settled_leaf_or(game, records, p, bound, key, open, state);
    return settled ? std::optional<Leaf>(leaf) : std::nullopt;
}

}  // namespace proofbase
