// The interface of a game and of a search for Python, the same for all games: one virtual call, then native code.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/interfaces/any_records.hpp"
#include "search/algorithms/algorithm_name.hpp"
#include "search/algorithms/recommended_algorithm.hpp"
#include "search/api/search.hpp"
#include "search/api/solve_positions.hpp"

namespace proofbase {

namespace nb = nanobind;

class AnyTables;
class AnyTableWork;
class BlockCache;

/// A search, with the game and the records that it refers to.
class AnySearch {
  public:
    virtual ~AnySearch() = default;
    virtual Search& search() = 0;
    virtual const Search& search() const = 0;
    virtual bool in_python() const = 0;  ///< the rules are Python code: the search keeps the GIL
    virtual std::shared_ptr<AnyRecordTable> solution(std::optional<std::uint32_t> small_search_nodes) = 0;
};

/// A game; the methods are documented in register_games.cpp and in proofbase.engine.rules.Game.
class AnyGame : public std::enable_shared_from_this<AnyGame> {
  public:
    virtual ~AnyGame() = default;

    /// The same game, all of whose searches run behind virtual functions; for a user's game the game itself.
    virtual std::shared_ptr<AnyGame> behind_virtual_functions() const = 0;

    virtual std::string name() const = 0;
    virtual int rules_version() const = 0;
    virtual int highest_value() const = 0;
    virtual bool acyclic() const = 0;
    virtual std::size_t key_size() const = 0;

    // Positions are the Python objects of the game: bytes for native games, the user's own objects for a user's game.

    virtual nb::object initial() const = 0;
    virtual std::optional<int> terminal(nb::handle position) const = 0;
    virtual nb::list moves(nb::handle position) const = 0;
    virtual nb::object play(nb::handle position, std::int64_t move) const = 0;
    virtual int reward(nb::handle position, std::int64_t move) const = 0;
    virtual std::optional<int> repetition(nb::handle position) const = 0;
    virtual int score(nb::handle position) const = 0;
    virtual int limit(nb::handle position) const = 0;
    virtual int side(nb::handle position) const = 0;
    virtual nb::bytes key(nb::handle position) const = 0;
    virtual nb::object position(nb::bytes key) const = 0;
    virtual nb::object parse(std::string_view text) const = 0;
    virtual std::string text(nb::handle position) const = 0;
    virtual std::string draw(nb::handle position) const = 0;
    virtual std::int64_t parse_move(nb::handle position, std::string_view text) const = 0;
    virtual std::string move_text(nb::handle position, std::int64_t move) const = 0;

    virtual std::optional<std::uint32_t> small_search_visits(nb::handle position, std::int64_t bound,
                                                             std::uint32_t depth, std::uint32_t nodes) const = 0;
    virtual bool line_reaches(nb::handle position, std::int64_t lower,
                              const std::vector<std::uint32_t>& line) const = 0;
    virtual nb::tuple open_moves(nb::handle position, std::int64_t bound) const = 0;
    virtual nb::tuple static_bounds(nb::handle position) const = 0;
    virtual nb::tuple winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes,
                                    bool opponent) const = 0;
    virtual nb::tuple winning_threats(nb::handle positions, std::string_view finder, std::uint64_t most_nodes,
                                      bool opponent) const = 0;

    virtual std::shared_ptr<AnyRecordTable> new_records() const = 0;
    /// `position`: None if it is not known.
    virtual RecommendedAlgorithm choose_algorithm(nb::handle position, bool nodes_used_up,
                                                  bool memory_used_up) const = 0;
    virtual std::shared_ptr<AnyTables> open_tables(const std::string& directory, bool tolerant,
                                                   std::shared_ptr<BlockCache> cache) const = 0;  ///< throws NoTables
    virtual std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size,
                                                         unsigned threads,
                                                         bool plies) const = 0;  ///< throws NoTables
    virtual std::unique_ptr<AnySearch> new_search(nb::handle position, int at_least, std::string_view algorithm,
                                                  std::shared_ptr<AnyRecordTable> known) const = 0;
    virtual nb::tuple solve_positions(nb::handle positions, nb::handle read, nb::handle by_questions,
                                      const PositionsRequest& request) const = 0;  ///< throws UnsuitableAlgorithm
    virtual std::vector<AlgorithmChoices> algorithms() const = 0;
    virtual std::string full_algorithm_name(std::string_view name) const = 0;  ///< throws UnsuitableAlgorithm
};

}  // namespace proofbase
