// The interface through which searches, answers and the local check ask tables: exact values of whole classes of
// positions.
#pragma once

#include <optional>
#include <string>

#include "concepts.hpp"
#include "records/claim.hpp"

namespace proofbase {

/// Values of some positions. Safe for any number of threads. A value is exact; where a table is damaged there is none,
/// or DamagedTable is thrown.
template <Game G>
class ValueTables {
  public:
    virtual ~ValueTables() = default;

    /// The value of a position; nothing if no table has it.
    virtual std::optional<int> value(const typename G::Position& p) const = 0;

    /// The name of the table that a position belongs in, whether that table exists or not.
    virtual std::string name(const typename G::Position& p) const = 0;

    /// What is wrong with the table that a position belongs in; an empty string if nothing was found to be.
    virtual std::string damage(const typename G::Position& p) const = 0;
};

/// The strongest claim of `side` about a position (not terminal) that a table supports; nothing if no table has the
/// position. A lower claim's witness is the first move that is worth the value by the tables and the rules.
template <Game G>
std::optional<Claim> table_claim(const G& game, const ValueTables<G>& tables, const typename G::Position& p,
                                 Side side) {
    const std::optional<int> value = tables.value(p);
    if (!value) return std::nullopt;
    Claim claim{side, Evidence::table, *value, 0, 0, {}};
    const std::string name = tables.name(p);
    write_varint(static_cast<std::uint32_t>(name.size()), claim.payload);
    claim.payload += name;
    if (side == Side::upper) return claim;
    typename G::Moves moves;
    game.moves(p, moves);
    for (const auto move : moves) {
        const typename G::Position child = game.play(p, move);
        std::optional<int> after = game.terminal(child);
        if (!after) after = tables.value(child);
        if (after && game.reward(p, move) - *after == *value) {
            claim.witness = move;
            return claim;
        }
    }
    return std::nullopt;  // no table has the children
}

/// The name of the table that a claim with the evidence `table` rests on.
inline std::string table_name(const Claim& claim) {
    std::size_t offset = 0;
    read_varint(claim.payload, offset);
    return claim.payload.substr(offset);
}

}  // namespace proofbase
