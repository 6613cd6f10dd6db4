// A user's game behind the interface for Python.
#include "games/python_game.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/adapters/game_adapter.hpp"
#include "bindings/adapters/many_positions.hpp"
#include "bindings/adapters/record_table_adapter.hpp"
#include "bindings/module/register.hpp"
#include "errors.hpp"
#include "search/api/make_search.hpp"

namespace proofbase {

namespace {

using UsersRecords = RecordTable<PythonGame>;
using UsersTable = RecordTableAdapter<PythonGame>;

class UsersSearch final : public AnySearch {
  public:
    UsersSearch(const PythonGame& game, const PythonGame::Position& position, int at_least, const Algorithm& algorithm,
                std::shared_ptr<UsersRecords> known)
        : game_(game),
          known_(std::move(known)),
          search_(make_of<PythonGame>(algorithm)(request_for(game_, position, at_least, algorithm, known_.get()))) {}

    Search& search() override { return *search_; }
    const Search& search() const override { return *search_; }
    bool in_python() const override { return true; }

    std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) override {
        auto solution = std::make_unique<UsersRecords>(game_);
        search_->solution([&](const std::string& key, const Claim& claim) { solution->add(key, claim); },
                          small_search_nodes.value_or(usual_small_search_nodes<PythonGame>));
        return std::make_shared<UsersTable>(std::move(solution));
    }

  private:
    PythonGame game_;
    std::shared_ptr<UsersRecords> known_;
    std::unique_ptr<GameSearch<PythonGame>> search_;
};

class UsersGame final : public GameAdapter<PythonGame> {
  public:
    explicit UsersGame(PythonGame game) : GameAdapter(std::move(game)) {}

    std::shared_ptr<AnyGame> behind_virtual_functions() const override { return std::make_shared<UsersGame>(game()); }

    nb::tuple open_moves(nb::handle, std::int64_t) const override { lacks("does not tell which moves are open"); }
    nb::tuple static_bounds(nb::handle) const override { lacks("has no static bounds"); }
    nb::tuple winning_lines(nb::handle, std::string_view, std::size_t, bool) const override {
        lacks("has no threats to search for");
    }
    nb::tuple winning_threats(nb::handle, std::string_view, std::uint64_t, bool) const override {
        lacks("has no trees of threats to search for");
    }
    std::shared_ptr<AnyTables> open_tables(const std::string&, bool, std::shared_ptr<BlockCache>) const override {
        throw NoTables(name() + " has no tables");
    }
    std::unique_ptr<AnyTableWork> new_table_work(const std::string&, std::uint32_t, unsigned, bool) const override {
        throw NoTables(name() + " has no tables");
    }

    std::shared_ptr<AnyRecordTable> new_records() const override {
        return std::make_shared<UsersTable>(std::make_unique<UsersRecords>(game()));
    }
    RecommendedAlgorithm choose_algorithm(nb::handle, bool nodes_used_up, bool memory_used_up) const override {
        if (memory_used_up) return algorithm_when_memory_is_full(game());
        return nodes_used_up ? algorithm_after_first_nodes(game()) : automatic_algorithm(game());
    }
    std::unique_ptr<AnySearch> new_search(nb::handle position, int at_least, std::string_view name,
                                          std::shared_ptr<AnyRecordTable> known) const override {
        const Algorithm algorithm = find_algorithm(game(), name);
        return std::make_unique<UsersSearch>(game(), load(position), at_least, algorithm, known_records(game(), known));
    }
    nb::tuple solve_positions(nb::handle positions, nb::handle read, nb::handle by_questions,
                              const PositionsRequest& request) const override {
        const auto solve = [&](const Algorithm& algorithm, const std::vector<PythonGame::Position>& read_positions) {
            return proofbase::solve_positions(game(), algorithm, read_positions, request, &check_interrupt);
        };
        return solved_columns(game(), features_of(game()), positions, read, by_questions, request, solve);
    }
    std::vector<AlgorithmChoices> algorithms() const override { return list_algorithms(features_of(game())); }
    std::string full_algorithm_name(std::string_view name) const override {
        return find_algorithm(game(), name).text();
    }

  private:
    [[noreturn]] void lacks(const std::string& what) const { throw nb::value_error((name() + " " + what).c_str()); }
};

}  // namespace

std::shared_ptr<AnyGame> wrap_python_game(nb::object game) {
    return std::make_shared<UsersGame>(PythonGame(std::move(game)));
}

}  // namespace proofbase
