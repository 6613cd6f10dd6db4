// Any native game behind the interface for Python.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/adapters/game_adapter.hpp"
#include "bindings/interfaces/own_type.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

class NativeGame final : public GameAdapter<VirtualGame> {
  public:
    /// `by_own_type`: false: all searches run behind virtual functions, for comparisons.
    explicit NativeGame(std::shared_ptr<const OwnType> own_type, bool by_own_type = true);

    std::shared_ptr<AnyGame> behind_virtual_functions() const override;

    nb::tuple open_moves(nb::handle position, std::int64_t bound) const override;
    nb::tuple static_bounds(nb::handle position) const override;
    nb::tuple winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes) const override;
    nb::tuple winning_threats(nb::handle positions, std::string_view finder, std::uint64_t most_nodes,
                              bool opponent) const override;
    std::shared_ptr<AnyRecordTable> new_table() const override;
    RecommendedAlgorithm choose_algorithm(nb::handle position, bool nodes_used_up, bool memory_used_up) const override;
    std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                           std::shared_ptr<BlockCache> cache) const override;
    std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size, unsigned threads,
                                                 bool plies) const override;
    std::unique_ptr<AnyGameSearch> new_search(nb::handle position, int at_least, std::string_view algorithm,
                                              std::shared_ptr<AnyRecordTable> known) const override;
    nb::tuple solve_positions(nb::handle positions, nb::handle read, const PositionsRequest& request) const override;
    std::vector<AlgorithmChoices> algorithms() const override;
    std::string full_algorithm_name(std::string_view name) const override;

  private:
    Algorithm algorithm_of(std::string_view name) const;
    std::vector<VirtualGame::Position> unfinished(nb::handle list) const;

    std::shared_ptr<const OwnType> own_type_;
    bool by_own_type_;
};

}  // namespace proofbase
