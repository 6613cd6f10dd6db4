// The parts of the bindings that are compiled for a native game's own type G: with `own_records` its record table in
// memory, too, which otherwise is that of VirtualGame, compiled once for all games.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/adapters/game_tables.hpp"
#include "bindings/adapters/open_moves.hpp"
#include "bindings/adapters/search_adapter.hpp"
#include "bindings/adapters/virtual_records.hpp"
#include "bindings/adapters/winning_lines.hpp"
#include "bindings/adapters/winning_threats.hpp"
#include "bindings/adapters/within_tables.hpp"
#include "bindings/interfaces/own_type.hpp"
#include "table_concepts.hpp"
#include "virtual_game/rules_of.hpp"

namespace proofbase {

template <Game G>
using SolvePositions = std::vector<SolvedPosition> (*)(const G&, const Algorithm&,
                                                       const std::vector<typename G::Position>&,
                                                       const PositionsRequest&, const CheckInterrupt&);

/// What is compiled for the type G (native/compiled/games/): at least the families that use what a game tells by
/// its own type only.
template <Game G>
struct CompiledFor {
    std::vector<AlgorithmFamily<G>> families;
    SolvePositions<G> solve_positions = nullptr;
    FindThreats<G> find_threats = nullptr;
};

template <VirtualizableGame G, bool own_records>
class OwnTypeOf final : public OwnType {
  public:
    OwnTypeOf(G game, const CompiledFor<G>& compiled)
        : game_(std::move(game)), virtual_game_(std::make_shared<const RulesOf<G>>(game_)), compiled_(compiled) {}

    const VirtualGame& game() const override { return virtual_game_; }
    GameFeatures features() const override { return features_of(game_); }
    RecommendedAlgorithm choose_algorithm(const Position* position, bool nodes_used_up,
                                          bool memory_used_up) const override {
        if (memory_used_up) return algorithm_when_memory_is_full(game_);
        if (nodes_used_up) return algorithm_after_first_nodes(game_);
        return automatic_algorithm(game_, position == nullptr ? nullptr : &own(*position));
    }

    std::unique_ptr<VirtualRecords> new_records() const override {
        if constexpr (own_records) {
            return records_with_filter(virtual_game_, game_);
        } else {
            return new_virtual_records(virtual_game_);
        }
    }

    std::unique_ptr<AnySearch> new_search(const Position& position, int at_least, const Algorithm& algorithm,
                                          const std::shared_ptr<AnyRecordTable>& known,
                                          bool by_own_type) const override {
        auto records = records_of(virtual_game_, known);
        if constexpr (own_records) {
            for (const AlgorithmFamily<G>& family : compiled_.families) {
                if (family.name != compiled_family(algorithm) || !(by_own_type || needs_own_type(family.name)))
                    continue;
                return std::make_unique<SearchAdapter<G>>(virtual_game_, game_, own(position), at_least, algorithm,
                                                          family.make, std::move(records));
            }
        }
        return new_virtual_search(virtual_game_, position, at_least, algorithm, std::move(records), new_records());
    }

    std::optional<std::vector<SolvedPosition>> solve_positions(const Algorithm& algorithm,
                                                               const std::vector<Position>& positions,
                                                               const PositionsRequest& request,
                                                               const CheckInterrupt& check) const override {
        if (compiled_.solve_positions == nullptr) return std::nullopt;
        return compiled_.solve_positions(game_, algorithm, own(positions), request, check);
    }

    std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                           std::shared_ptr<BlockCache> cache) const override {
        [[maybe_unused]] const Damage damage = tolerant ? Damage::leave_out : Damage::refuse;
        if constexpr (HasTables<G>) {
            check_tables();
            return tables_of<TableGame<G>>(game_, directory, damage, cache);
        } else if constexpr (std::is_same_v<G, Within>) {
            return std::make_shared<WithinTablesAdapter>(game_, directory, damage, cache);
        } else {
            throw NoTables(game_.name() + " has no tables");
        }
    }

    std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size, unsigned threads,
                                                 bool plies) const override {
        if constexpr (HasTables<G>) {
            check_tables();
            return table_work_of<TableGame<G>>(game_, directory, size, threads, plies);
        } else {
            throw NoTables(game_.name() + " has no tables");
        }
    }

    nb::tuple open_moves(const Position& position, std::int64_t bound) const override {
        return proofbase::open_moves(game_, own(position), bound);
    }
    nb::tuple static_bounds(const Position& position) const override {
        return proofbase::static_bounds(game_, own(position));
    }
    nb::tuple winning_lines(const std::vector<Position>& positions, std::string_view finder, std::size_t most_nodes,
                            bool opponent) const override {
        return proofbase::winning_lines(game_, own(positions), finder, most_nodes, opponent);
    }
    nb::tuple winning_threats(const std::vector<Position>& positions, std::string_view finder, std::uint64_t most_nodes,
                              bool opponent) const override {
        return proofbase::winning_threats(game_, compiled_.find_threats, own(positions), finder, most_nodes, opponent);
    }

  private:
    /// Throws NoTables: a game whose class has tables may have none with its parameters.
    void check_tables() const
        requires HasTables<G>
    {
        if (game_.classes(0xffff).empty()) throw NoTables(game_.name() + " has no tables");
    }

    /// Families that use what a game tells by its own type only.
    static bool needs_own_type(std::string_view family) noexcept {
        return family == "threats" || (Threats<G> && family == "pn-dag") || (OpenMoves<G> && family == "null-window") ||
               (EstimatesPlies<G> && family == "pn-fixpoint");
    }

    static const typename G::Position& own(const Position& p) noexcept { return RulesOf<G>::own(p.memory()); }
    static std::vector<typename G::Position> own(const std::vector<Position>& positions) {
        std::vector<typename G::Position> out;
        out.reserve(positions.size());
        for (const Position& p : positions) out.push_back(own(p));
        return out;
    }

    G game_;
    VirtualGame virtual_game_;
    CompiledFor<G> compiled_;
};

}  // namespace proofbase
