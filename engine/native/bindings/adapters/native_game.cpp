#include "bindings/adapters/native_game.hpp"

#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/game_adapter.hpp"
#include "bindings/adapters/many_positions.hpp"
#include "bindings/adapters/virtual_records.hpp"
#include "errors.hpp"
#include "virtual_game/virtual_game.hpp"

namespace proofbase {

namespace {

class NativeGame final : public GameAdapter<VirtualGame> {
  public:
    /// `by_own_type`: false: all searches run behind virtual functions, for comparisons.
    explicit NativeGame(std::shared_ptr<const OwnType> own_type, bool by_own_type = true);

    std::shared_ptr<AnyGame> behind_virtual_functions() const override;

    nb::tuple open_moves(nb::handle position, std::int64_t bound) const override;
    nb::tuple static_bounds(nb::handle position) const override;
    nb::tuple winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes,
                            bool opponent) const override;
    nb::tuple winning_threats(nb::handle positions, std::string_view finder, std::uint64_t most_nodes,
                              bool opponent) const override;
    std::shared_ptr<AnyRecordTable> new_records() const override;
    RecommendedAlgorithm choose_algorithm(nb::handle position, bool nodes_used_up, bool memory_used_up) const override;
    std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                           std::shared_ptr<BlockCache> cache) const override;
    std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size, unsigned threads,
                                                 bool plies) const override;
    std::unique_ptr<AnySearch> new_search(nb::handle position, int at_least, std::string_view algorithm,
                                          std::shared_ptr<AnyRecordTable> known) const override;
    nb::tuple solve_positions(nb::handle positions, nb::handle read, nb::handle by_questions,
                              const PositionsRequest& request) const override;
    std::vector<AlgorithmChoices> algorithms() const override;
    std::string full_algorithm_name(std::string_view name) const override;

  private:
    Algorithm algorithm_of(std::string_view name) const;
    std::vector<VirtualGame::Position> unfinished(nb::handle list) const;

    std::shared_ptr<const OwnType> own_type_;
    bool by_own_type_;
};

NativeGame::NativeGame(std::shared_ptr<const OwnType> own_type, bool by_own_type)
    : GameAdapter(own_type->game()), own_type_(std::move(own_type)), by_own_type_(by_own_type) {}

std::shared_ptr<AnyGame> NativeGame::behind_virtual_functions() const {
    return std::make_shared<NativeGame>(own_type_, false);
}

nb::tuple NativeGame::open_moves(nb::handle position, std::int64_t bound) const {
    return own_type_->open_moves(load(position), bound);
}

nb::tuple NativeGame::static_bounds(nb::handle position) const {
    return own_type_->static_bounds(load(position));
}

nb::tuple NativeGame::winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes,
                                    bool opponent) const {
    return own_type_->winning_lines(unfinished(positions), finder, most_nodes, opponent);
}

nb::tuple NativeGame::winning_threats(nb::handle positions, std::string_view finder, std::uint64_t most_nodes,
                                      bool opponent) const {
    return own_type_->winning_threats(unfinished(positions), finder, most_nodes, opponent);
}

std::shared_ptr<AnyRecordTable> NativeGame::new_records() const {
    return record_table_of(own_type_->new_records());
}

RecommendedAlgorithm NativeGame::choose_algorithm(nb::handle position, bool nodes_used_up, bool memory_used_up) const {
    if (position.is_none()) return own_type_->choose_algorithm(nullptr, nodes_used_up, memory_used_up);
    const VirtualGame::Position loaded = load(position);
    return own_type_->choose_algorithm(&loaded, nodes_used_up, memory_used_up);
}

std::shared_ptr<AnyTables> NativeGame::open_tables(const std::string& directory, bool tolerant,
                                                   std::shared_ptr<BlockCache> cache) const {
    return own_type_->open_tables(directory, tolerant, std::move(cache));
}

std::unique_ptr<AnyTableWork> NativeGame::new_table_work(const std::string& directory, std::uint32_t size,
                                                         unsigned threads, bool plies) const {
    return own_type_->new_table_work(directory, size, threads, plies);
}

std::unique_ptr<AnySearch> NativeGame::new_search(nb::handle position, int at_least, std::string_view algorithm,
                                                  std::shared_ptr<AnyRecordTable> known) const {
    return own_type_->new_search(load(position), at_least, algorithm_of(algorithm), known, by_own_type_);
}

nb::tuple NativeGame::solve_positions(nb::handle positions, nb::handle read, nb::handle by_questions,
                                      const PositionsRequest& request) const {
    const auto solve = [&](const Algorithm& algorithm, const std::vector<VirtualGame::Position>& read_positions) {
        if (by_own_type_) {
            auto solved = own_type_->solve_positions(algorithm, read_positions, request, &check_interrupt);
            if (solved) return *std::move(solved);
        }
        return proofbase::solve_positions(game(), algorithm, read_positions, request, &check_interrupt);
    };
    return solved_columns(game(), own_type_->features(), positions, read, by_questions, request, solve);
}

std::vector<AlgorithmChoices> NativeGame::algorithms() const {
    return list_algorithms(own_type_->features());
}

std::string NativeGame::full_algorithm_name(std::string_view name) const {
    return algorithm_of(name).text();
}

Algorithm NativeGame::algorithm_of(std::string_view name) const {
    const bool is_auto = name == "auto";
    return read_algorithm(is_auto ? own_type_->choose_algorithm(nullptr, false, false).algorithm : std::string(name),
                          own_type_->features());
}

std::vector<VirtualGame::Position> NativeGame::unfinished(nb::handle list) const {
    std::vector<VirtualGame::Position> out;
    for (nb::handle position : list) {
        out.push_back(load(position));
        if (game().terminal(out.back())) throw nb::value_error("the game is over in one of the positions");
    }
    return out;
}

}  // namespace

std::shared_ptr<AnyGame> native_game(std::shared_ptr<const OwnType> own_type) {
    return std::make_shared<NativeGame>(std::move(own_type));
}

}  // namespace proofbase
