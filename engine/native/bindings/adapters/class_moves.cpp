// The positions of a class by their numbers, and where their moves lead to, by the moves and play that searches use:
// for the check of tables that other programs have made (engine/formats/foreign/tables).
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "games/awari.hpp"
#include "games/checkers.hpp"
#include "games/chess.hpp"
#include "games/giveaway.hpp"
#include "games/mens_morris.hpp"
#include "keys.hpp"
#include "table_concepts.hpp"

namespace proofbase {

namespace nb = nanobind;

namespace {

/// The columns of a list of numbers.
struct Listing {
    static constexpr std::int16_t goes_on = std::numeric_limits<std::int16_t>::max();
    static constexpr std::int16_t no_position = goes_on - 1;
    static constexpr std::int64_t rank_bits = 48;  ///< of a child; above them is its class

    std::vector<std::int16_t> end_values;    ///< of each number: the value of a finished game, or one of these two
    std::string positions;                   ///< that go on
    std::vector<std::uint32_t> first_moves;  ///< of each number: where its moves begin
    std::vector<std::int64_t> children;  ///< class and number; no_table_class and value of a finished one in no table
    std::vector<std::int16_t> rewards;

    template <class Item>
    static nb::bytes bytes(const std::vector<Item>& items) {
        return nb::bytes(items.data(), items.size() * sizeof(Item));
    }
    nb::tuple columns() const {
        return nb::make_tuple(bytes(end_values), nb::bytes(positions.data(), positions.size()), bytes(first_moves),
                              bytes(children), bytes(rewards));
    }
};

using ClassDescription = std::tuple<std::uint32_t, std::string, std::uint64_t, std::vector<std::uint32_t>>;

class AnyClassMoves {
  public:
    virtual ~AnyClassMoves() = default;
    virtual std::vector<ClassDescription> classes(std::uint32_t size) const = 0;
    virtual nb::tuple list(std::uint32_t c, nb::bytes numbers, bool with_moves) const = 0;
};

template <HasTables G>
class ClassMovesOf final : public AnyClassMoves {
  public:
    explicit ClassMovesOf(G game) : game_(std::move(game)) {}

    std::vector<ClassDescription> classes(std::uint32_t size) const override {
        std::vector<ClassDescription> out;
        for (const std::uint32_t c : game_.classes(size)) {
            out.emplace_back(c, game_.class_name(c), game_.class_size(c), game_.class_needs(c));
        }
        return out;
    }

    nb::tuple list(std::uint32_t c, nb::bytes given, bool with_moves) const override {
        std::vector<std::uint64_t> numbers(given.size() / sizeof(std::uint64_t));
        std::memcpy(numbers.data(), given.c_str(), numbers.size() * sizeof(std::uint64_t));
        for (const std::uint64_t number : numbers) {
            if (number >= game_.class_size(c)) throw nb::index_error("the class has no such number");
        }
        Listing out;
        {
            const nb::gil_scoped_release without_gil;
            typename G::Moves legal;
            for (const std::uint64_t number : numbers) {
                const std::optional<typename G::Position> p = game_.table_position(c, number);
                const std::optional<int> end = p ? game_.terminal(*p) : Listing::no_position;
                out.end_values.push_back(static_cast<std::int16_t>(end.value_or(Listing::goes_on)));
                if (!end && !with_moves) write_key(oriented(*p), game_.key_size(), out.positions);
                if (!with_moves) continue;
                out.first_moves.push_back(static_cast<std::uint32_t>(out.children.size()));
                if (end) continue;
                legal.clear();
                game_.moves(*p, legal);
                for (std::size_t i = 0; i < legal.size(); ++i) {
                    out.children.push_back(place(game_.play(*p, legal[i])));
                    out.rewards.push_back(static_cast<std::int16_t>(game_.reward(*p, legal[i])));
                }
            }
        }
        return out.columns();
    }

  private:
    /// The position as Python knows it (bindings/conversion/positions.hpp).
    typename G::Key oriented(const typename G::Position& p) const {
        if constexpr (Symmetric<G>) {
            return game_.oriented_key(p);
        } else {
            return game_.key(p);
        }
    }

    /// Of a position after a move.
    std::int64_t place(const typename G::Position& child) const {
        const std::uint32_t c = game_.table_class(child);
        const std::int64_t high = std::int64_t{c} << Listing::rank_bits;
        if (c != no_table_class) return high + static_cast<std::int64_t>(game_.table_rank(child));
        const std::optional<int> end = game_.terminal(child);
        if (!end) throw std::logic_error("a move leads out of all classes");
        return high + *end + Listing::goes_on;  // a number from 0 on
    }

    G game_;
};

/// Throws NoTables.
std::unique_ptr<AnyClassMoves> class_moves(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view family = name.substr(0, colon);
    const std::string_view parameters = colon == std::string_view::npos ? "" : name.substr(colon + 1);
    std::unique_ptr<AnyClassMoves> found;
    const auto offer = [&]<class G>(std::type_identity<G>) {
        if (G::family == family) found = std::make_unique<ClassMovesOf<G>>(G::from_parameters(parameters));
    };
    offer(std::type_identity<Awari>());
    offer(std::type_identity<Checkers>());
    offer(std::type_identity<Chess>());
    offer(std::type_identity<Giveaway>());
    offer(std::type_identity<MensMorris>());
    if (!found) throw NoTables(std::string(name) + " has no classes of positions that all have numbers");
    return found;
}

}  // namespace

void register_class_moves(nb::module_& module) {
    using nb::arg;

    nb::class_<AnyClassMoves>(module, "ClassMoves", "The numbered classes of a native game, and their moves.")
        .def(nb::new_(&class_moves), arg("name"), "Raises NoTablesError: not every position of a class has a number.")
        .def("classes", &AnyClassMoves::classes, arg("size"),
             "Number, name, entries and the other classes that moves lead to, in an order in which tables are built.")
        .def("list", &AnyClassMoves::list, arg("table_class"), arg("numbers"), arg("moves"),
             nb::sig("def list(self, table_class: int, numbers: bytes, moves: bool) "
                     "-> tuple[bytes, bytes, bytes, bytes, bytes]"),
             "Positions by their numbers (64 bits each). The columns are in the byte order of the machine.\n\n"
             "Returns:\n"
             "    Of each number the value of a finished game, 32767 where it goes on, 32766 without a position (16 "
             "bits). Without `moves`: the positions that go on, packed. With `moves`: of each number where "
             "its moves begin (32 bits); of each move class << 48 | number of the position after it (64 bits; 65535 << "
             "48 | 32767 + value for a finished one in no table) and the reward (16 bits).");
}

}  // namespace proofbase
