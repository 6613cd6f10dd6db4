// What is bound for a native game by its own type; everything else is bound once, behind virtual functions.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/interfaces/any_game.hpp"
#include "bindings/interfaces/any_records.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/algorithms/algorithm_table.hpp"
#include "search/algorithms/recommended_algorithm.hpp"
#include "search/api/solve_positions.hpp"
#include "virtual_game/records.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

/// The functions are those of AnyGame. Positions are of the game of `game()`.
class OwnType {
  public:
    using Position = VirtualGame::Position;

    virtual ~OwnType() = default;

    virtual const VirtualGame& game() const = 0;
    virtual GameFeatures features() const = 0;
    /// `position` may be null.
    virtual RecommendedAlgorithm choose_algorithm(const Position* position, bool nodes_used_up,
                                                  bool memory_used_up) const = 0;

    virtual std::unique_ptr<VirtualRecords> new_records() const = 0;
    /// `by_own_type`: false: behind virtual functions in any case.
    virtual std::unique_ptr<AnySearch> new_search(const Position& position, int at_least, const Algorithm& algorithm,
                                                  const std::shared_ptr<AnyRecordTable>& known,
                                                  bool by_own_type) const = 0;
    /// Nothing if null-window search is not compiled for the game's own type.
    virtual std::optional<std::vector<SolvedPosition>> solve_positions(const Algorithm& algorithm,
                                                                       const std::vector<Position>& positions,
                                                                       const PositionsRequest& request,
                                                                       const CheckInterrupt& check) const = 0;
    virtual std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                                   std::shared_ptr<BlockCache> cache) const = 0;
    virtual std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size,
                                                         unsigned threads, bool plies) const = 0;

    virtual nb::tuple open_moves(const Position& position, std::int64_t bound) const = 0;
    virtual nb::tuple static_bounds(const Position& position) const = 0;
    /// The positions are not finished.
    virtual nb::tuple winning_lines(const std::vector<Position>& positions, std::string_view finder,
                                    std::size_t most_nodes, bool opponent) const = 0;
    virtual nb::tuple winning_threats(const std::vector<Position>& positions, std::string_view finder,
                                      std::uint64_t most_nodes, bool opponent) const = 0;
};

}  // namespace proofbase
