// What Python sees of a game, a record table and a search, whatever the game: one virtual call, then native code.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/api/any_search.hpp"
#include "search/names/algorithm_name.hpp"
#include "search/names/choice.hpp"

namespace proofbase {

namespace nb = nanobind;

/// The result of a check, as Python has it.
struct Report {
    std::size_t checked = 0;
    std::size_t failed = 0;  ///< records with at least one finding
    nb::list findings;       ///< of proofbase.engine.local_check.Finding
};

/// An iterator over lists of (key, record).
class AnyChunks {
  public:
    virtual ~AnyChunks() = default;
    virtual nb::list next() = 0;  ///< empty at the end
};

class AnyTables;
class AnyTableWork;

class AnyRecordTable {
  public:
    virtual ~AnyRecordTable() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual std::size_t load(nb::iterable items, nb::object faults) = 0;
    virtual bool put(nb::bytes key, nb::bytes record) = 0;
    virtual nb::object get(nb::bytes key) const = 0;
    virtual std::size_t remove(nb::iterable keys) = 0;
    virtual std::unique_ptr<AnyChunks> chunks(std::size_t size, bool well_founded) const = 0;
    virtual Report check(nb::object keys) const = 0;
    virtual nb::list missing(nb::object keys) const = 0;
    virtual nb::list below(nb::bytes root) const = 0;
    virtual nb::list dependents(nb::iterable keys) const = 0;
    virtual nb::tuple answers(nb::object keys, bool any_orientation) const = 0;
    virtual void attach(std::shared_ptr<AnyTables> tables) = 0;
};

class AnyGame;

/// A search with the game and the records that it refers to.
class AnyGameSearch {
  public:
    virtual ~AnyGameSearch() = default;
    virtual AnySearch& search() = 0;
    virtual const AnySearch& search() const = 0;
    virtual bool in_python() const = 0;  ///< the rules are Python code: the GIL stays with the search
    virtual std::shared_ptr<AnyRecordTable> solution() = 0;
};

class AnyGame : public std::enable_shared_from_this<AnyGame> {
  public:
    virtual ~AnyGame() = default;

    virtual std::string name() const = 0;
    virtual int rules_version() const = 0;
    virtual int highest_value() const = 0;
    virtual bool acyclic() const = 0;
    virtual std::size_t key_size() const = 0;

    // Positions are what the game's Python interface says: bytes for native games, the user's objects for others.

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

    virtual nb::tuple winning_lines(nb::handle positions, std::string_view finder, std::size_t most_nodes) const = 0;

    virtual std::shared_ptr<AnyRecordTable> new_table() const = 0;
    virtual Choice choose_algorithm(bool memory_used_up) const = 0;
    virtual std::shared_ptr<AnyTables> open_tables(const std::string& directory) const = 0;  ///< throws NoTables
    virtual std::unique_ptr<AnyTableWork> new_table_work(const std::string& directory, std::uint32_t size,
                                                         unsigned threads) const = 0;  ///< likewise
    virtual std::unique_ptr<AnyGameSearch> new_search(nb::handle position, int at_least, std::string_view algorithm,
                                                      std::shared_ptr<AnyRecordTable> known) const = 0;
    virtual std::vector<AlgorithmChoices> algorithms() const = 0;
    virtual std::string full_algorithm_name(std::string_view name) const = 0;  ///< throws UnsuitableAlgorithm
};

}  // namespace proofbase
