// Positions of a table of plies that composers of problems look for: won in so many plies, by one move only
// (docs/problems.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "table_concepts.hpp"
#include "tables/files/plies_code.hpp"
#include "tables/files/table_set.hpp"

namespace proofbase {

/// What is asked of a win beside its length. A dual is a position after a longest defence in which several moves win as
/// soon as can be.
enum class Ways : std::uint8_t {
    any,      ///< nothing
    one_key,  ///< one move wins in so many plies
    no_duals  ///< one move does, here and after every longest defence
};

/// `tables` hold plies.
template <HasPlies G>
class UniqueWins {
  public:
    using Position = typename G::Position;

    explicit UniqueWins(const TableSet<G>& tables) : tables_(tables) {}

    /// Numbers of a table from `first` on, below `last`, of positions that the side to move wins in so many plies.
    /// Throws std::invalid_argument where a table that a move leads to is missing.
    std::vector<std::uint64_t> won_in(const TableFile& table, std::uint32_t plies, Ways ways, std::uint64_t first,
                                      std::uint64_t last) const {
        std::vector<std::uint64_t> out;
        const unsigned entry = finished_entry + plies;
        if (value_of_entry(entry, game().end_value()) < 0) return out;
        last = std::min(last, table.header().entries);
        for (std::uint64_t i = first; i < last; ++i) {
            if (static_cast<unsigned>(table.value(i)) != entry) continue;
            const std::optional<Position> p = game().table_position(table.header().table_class, i);
            if (p && has_no_more(*p, plies, ways)) out.push_back(i);
        }
        return out;
    }

  private:
    using Moves = typename G::Moves;

    const G& game() const { return tables_.game(); }

    bool has_no_more(const Position& p, std::uint32_t plies, Ways ways) const {
        if (ways == Ways::any) return true;
        const std::optional<Position> after = after_only_win(p, plies);
        return after && (ways == Ways::one_key || !has_duals(*after, plies - 1));
    }

    /// The position after the only move that wins in so many plies; nothing if several do.
    std::optional<Position> after_only_win(const Position& p, std::uint32_t plies) const {
        std::optional<Position> out;
        Moves moves;
        game().moves(p, moves);
        for (const typename G::Move m : moves) {
            const Position child = game().play(p, m);
            const TableValue end = end_of(child);
            if (end.value >= 0 || end.plies + 1 != plies) continue;
            if (out) return std::nullopt;
            out = child;
        }
        return out;
    }

    /// Whether the winner has several ways somewhere after the longest defences of a position that is lost in so many
    /// plies.
    bool has_duals(const Position& p, std::uint32_t plies) const {
        if (plies < 2) return false;
        Moves moves;
        game().moves(p, moves);
        for (const typename G::Move m : moves) {
            const Position child = game().play(p, m);
            if (end_of(child).plies + 1 != plies) continue;
            const std::optional<Position> after = after_only_win(child, plies - 1);
            if (!after || has_duals(*after, plies - 2)) return true;
        }
        return false;
    }

    TableValue end_of(const Position& p) const {
        if (const std::optional<int> value = game().terminal(p)) return {*value, 0};
        const std::optional<TableValue> found = tables_.entry(p);
        if (!found) throw std::invalid_argument("there is no table " + tables_.name(p) + ", to which a move leads");
        return *found;
    }

    const TableSet<G>& tables_;
};

}  // namespace proofbase
