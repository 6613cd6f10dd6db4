// The interface through which searches, answers and the local check ask tables: exact values of whole classes of
// positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "concepts.hpp"
#include "records/claims/claim.hpp"

namespace proofbase {

/// What a table says of a position.
struct TableValue {
    int value;
    std::uint32_t plies;  ///< to the end of the game; 0 for draws, and in tables that hold values only
};

/// The rank of the bound that a table's entry gives (docs/fact-model.md): the plies to the end, if the bound says who
/// wins. Precondition: the value satisfies the bound.
constexpr std::uint32_t rank_by_table(const TableValue& entry, Side side, std::int64_t bound) noexcept {
    return (side == Side::lower ? bound > 0 : bound < 0) ? entry.plies : 0;
}

/// Values of some positions. Safe for any number of threads. A value is exact; where a table is damaged there is none,
/// or DamagedTable is thrown.
template <class Position>
class PositionTables {
  public:
    virtual ~PositionTables() = default;

    /// What a table says of a position; nothing if no table has it.
    virtual std::optional<TableValue> entry(const Position& p) const = 0;

    /// The value of a position; nothing if no table has it.
    std::optional<int> value(const Position& p) const {
        const std::optional<TableValue> found = entry(p);
        return found ? std::optional(found->value) : std::nullopt;
    }

    /// Whether there may be plies to the end of the game, in the tables of the positions or beside those.
    virtual bool knows_plies() const noexcept = 0;

    /// Plies to the end of the game, if the winner plays for the soonest and the loser for the latest; 0 for draws, and
    /// where no table holds plies.
    virtual std::uint32_t plies_to_end(const Position& p) const = 0;

    /// The name of the table that a position belongs in, whether that table exists or not.
    virtual std::string name(const Position& p) const = 0;

    /// What is wrong with the table that a position belongs in; an empty string if nothing was found to be.
    virtual std::string damage(const Position& p) const = 0;
};

/// Those of a game. Games with the same type of positions may share them.
template <Game G>
using ValueTables = PositionTables<typename G::Position>;

/// The strongest claim of `side` about a position (not terminal) that a table supports; nothing if no table has the
/// position. A lower claim's witness is the first move that is worth the value by the tables and the rules, and that
/// keeps to the plies of a win.
template <Game G>
std::optional<Claim> table_claim(const G& game, const ValueTables<G>& tables, const typename G::Position& p,
                                 Side side) {
    const std::optional<TableValue> own = tables.entry(p);
    if (!own) return std::nullopt;
    const std::uint32_t rank = rank_by_table(*own, side, own->value);
    Claim claim{side, Evidence::table, own->value, rank, 0, {}};
    const std::string name = tables.name(p);
    write_varint(static_cast<std::uint32_t>(name.size()), claim.payload);
    claim.payload += name;
    if (side == Side::upper) return claim;
    typename G::Moves moves;
    game.moves(p, moves);
    for (const auto move : moves) {
        const typename G::Position child = game.play(p, move);
        const std::optional<int> end = game.terminal(child);
        const std::optional<TableValue> after = end ? TableValue{*end, 0} : tables.entry(child);
        if (after && game.reward(p, move) - after->value == own->value && (rank == 0 || after->plies < rank)) {
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
