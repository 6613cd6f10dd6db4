// Evidence `table` (docs/fact-model.md): the table that the claim names has the position, with a value that satisfies
// the bound within the plies that the rank says; the rank is 0 where the table holds no plies for it. The witness of a
// lower claim leads to a position whose own value satisfies the bound too, within a ply less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "concepts.hpp"
#include "errors.hpp"
#include "records/claims/claim.hpp"
#include "records/value_tables.hpp"

namespace proofbase {

/// A rule of the local check that a claim breaks, and the particulars.
struct BrokenRule {
    const char* rule;
    std::string detail;
};

/// What is wrong with a claim by table about `p`, which is not terminal; nothing if it passes. `tables` may be null.
/// The witness of a lower claim is legal; `name_of_witness()` gives its text.
template <Game G, class NameOfWitness>
std::optional<BrokenRule> broken_by_table(const G& game, const ValueTables<G>* tables, const typename G::Position& p,
                                          const Claim& claim, NameOfWitness&& name_of_witness) {
    const std::string named = table_name(claim);
    const std::optional<TableValue> own = tables == nullptr ? std::nullopt : tables->entry(p);
    if (!own) {
        const std::string damage = tables == nullptr ? std::string() : tables->damage(p);
        return BrokenRule{"evidence", damage.empty() ? "table " + quoted(named) + " is not at hand" : damage};
    }
    if (named != tables->name(p)) {
        return BrokenRule{"table", "the position is in table " + tables->name(p) + ", not in " + quoted(named)};
    }
    const bool lower = claim.side == Side::lower;
    if (lower ? own->value < claim.bound : own->value > claim.bound) {
        return BrokenRule{"table", "its value there is " + std::to_string(own->value)};
    }
    const std::uint32_t plies = rank_by_table(*own, claim.side, claim.bound);
    if (plies == 0 && claim.rank > 0) {
        return BrokenRule{"table",
                          "the rank is " + std::to_string(claim.rank) + ", and the table holds no plies for it"};
    }
    if (plies > claim.rank) {
        return BrokenRule{"table", "by the table the game ends in " + std::to_string(own->plies) + " plies"};
    }
    if (!lower) return std::nullopt;
    const auto witness = static_cast<typename G::Move>(claim.witness);
    const typename G::Position next = game.play(p, witness);
    const std::optional<int> end = game.terminal(next);
    const std::optional<TableValue> after = end ? TableValue{*end, 0} : tables->entry(next);
    const std::int64_t limit = std::int64_t{game.reward(p, witness)} - claim.bound;
    const bool guaranteed = after && after->value <= limit;
    const std::uint32_t left = guaranteed ? rank_by_table(*after, Side::upper, limit) : 0;
    if (guaranteed && (left == 0 || left < claim.rank)) return std::nullopt;
    return BrokenRule{"table", "by the tables, move " + name_of_witness() + " does not guarantee the bound"};
}

}  // namespace proofbase
