// Work on the tables of a user's own game, by the numbers and the moves that engine/tables/numbered.py gives.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/adapters/tables_adapter.hpp"
#include "tables/listed/listed_game.hpp"

namespace proofbase {

namespace {

/// Adds what `NumberedGame.successors` gives to the class.
void list_position(nb::handle successors, ListedClass& out) {
    if (successors.is_none()) {
        out.ends.push_back(ListedClass::no_position);
    } else if (PyLong_Check(successors.ptr())) {
        out.ends.push_back(nb::cast<std::int16_t>(successors));
    } else {
        out.ends.push_back(ListedClass::goes_on);
        for (const nb::handle move : successors) {
            const auto [reward, table_class, number] = nb::cast<std::tuple<int, std::uint32_t, std::int64_t>>(move);
            out.moves.push_back({number, table_class, reward});
        }
    }
}

// A header has so many bytes of a name, which may be longer (docs/tables.md).
constexpr std::size_t bytes_of_a_game = 64;
constexpr std::size_t bytes_of_a_class = 32;

ListedRules rules_of(const nb::object& game) {
    ListedRules out;
    out.name = nb::cast<std::string>(game.attr("name")).substr(0, bytes_of_a_game);
    out.rules_version = nb::cast<int>(game.attr("rules_version"));
    out.highest_value = nb::cast<int>(game.attr("highest_value"));
    out.acyclic = nb::cast<bool>(game.attr("acyclic"));
    using Table = std::tuple<std::string, std::uint32_t, std::string, std::uint64_t>;
    for (auto& [name, number, class_name, entries] : nb::cast<std::vector<Table>>(game.attr("tables"))) {
        out.tables.push_back({std::move(name), number, class_name.substr(0, bytes_of_a_class), entries});
    }
    // The last copy may go in a thread that does not hold the lock.
    const std::shared_ptr<nb::object> held(new nb::object(game), [](nb::object* object) {
        const nb::gil_scoped_acquire lock;
        delete object;
    });
    out.fingerprint = [held](const std::string& table) {
        const nb::gil_scoped_acquire lock;
        return nb::cast<std::uint64_t>(held->attr("fingerprint")(table));
    };
    out.list = [held](const std::string& table, std::uint64_t number, ListedClass& listed) {
        const nb::gil_scoped_acquire lock;
        list_position(held->attr("successors")(table, number), listed);
    };
    return out;
}

/// What no table can hold is a fault of the game.
template <class Work>
auto blaming_the_game(const std::string& game, Work&& work) {
    try {
        return work();
    } catch (const std::length_error& error) {
        const nb::object kind = nb::module_::import_("proofbase.engine.errors").attr("BrokenGameError");
        PyErr_SetString(kind.ptr(), (game + ": its tables cannot hold " + error.what()).c_str());
        throw nb::python_error();
    }
}

template <bool plies>
class UsersTableWork final : public TableWorkAdapter<ListedGame<plies>> {
  public:
    using Base = TableWorkAdapter<ListedGame<plies>>;

    UsersTableWork(const ListedGame<plies>& game, std::string name, const std::string& directory, unsigned threads)
        : Base(game, directory, 0, threads, false), name_(std::move(name)) {}

    bool build(double checkpoint_seconds, const BuildLimits& limits,
               const std::optional<Compression>& compression) override {
        return blaming_the_game(name_, [&] { return Base::build(checkpoint_seconds, limits, compression); });
    }
    std::optional<TableReport> verify(std::uint32_t c, double checkpoint_seconds, const BuildLimits& limits) override {
        return blaming_the_game(name_, [&] { return Base::verify(c, checkpoint_seconds, limits); });
    }

  private:
    std::string name_;
};

}  // namespace

std::unique_ptr<AnyTableWork> users_table_work(const nb::object& game, const std::string& directory, unsigned threads) {
    ListedRules rules = rules_of(game);
    const auto name = nb::cast<std::string>(game.attr("name"));
    const nb::object end_value = game.attr("table_end_value");
    if (end_value.is_none()) {
        const ListedGame<false> listed(std::make_shared<const ListedRules>(std::move(rules)));
        return std::make_unique<UsersTableWork<false>>(listed, name, directory, threads);
    }
    rules.end_value = nb::cast<int>(end_value);
    const ListedGame<true> listed(std::make_shared<const ListedRules>(std::move(rules)));
    return std::make_unique<UsersTableWork<true>>(listed, name, directory, threads);
}

}  // namespace proofbase
