// An argument of a function for Python whose type is checked by the function itself: the message then names the
// argument and what it may be, in the words of the interface. (nanobind's own message lists C++ signatures.)
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "bindings/interfaces/any_game.hpp"
#include "bindings/interfaces/any_tables.hpp"
#include "records/claims/claim.hpp"

namespace proofbase {

namespace nb = nanobind;

/// What a type is called in messages.
template <class T>
constexpr const char* word_of() {
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, int>) return "a whole number (int)";
    if constexpr (std::is_same_v<T, double>) return "a number";
    if constexpr (std::is_same_v<T, nb::str>) return "a text (str)";
    if constexpr (std::is_same_v<T, nb::bytes>) return "bytes";
    if constexpr (std::is_same_v<T, std::shared_ptr<AnyGame>>) return "a game of open_game() or python_game()";
    if constexpr (std::is_same_v<T, std::shared_ptr<AnyRecordTable>>) return "a RecordTable";
    if constexpr (std::is_same_v<T, std::shared_ptr<AnyTables>>) return "Tables";
}

/// An argument of type T as it was given. In stubs it is a T.
template <class T>
struct Argument {
    nb::handle given;

    /// Throws TypeError: "METHOD: NAME is WORD, not ...".
    T value(const char* method, const char* name) const {
        if constexpr (requires { typename T::value_type; }) {
            if (given.is_none()) return std::nullopt;
            return Argument<typename T::value_type>{given}.read(method, name, " or None");
        } else {
            return read(method, name, "");
        }
    }

    T read(const char* method, const char* name, const char* or_else) const {
        T value{};
        bool is_bool = PyBool_Check(given.ptr());
        if ((!is_bool || !std::is_arithmetic_v<T>) && nb::try_cast<T>(given, value, true)) {
            if constexpr (requires { value.get(); }) {
                if (value.get() == nullptr) is_bool = true;  // None
            }
            if (!is_bool) return value;
        }
        std::string shown = nb::cast<std::string>(nb::str(given.type().attr("__name__")));
        if (std::is_arithmetic_v<T> && PyLong_Check(given.ptr()) && !PyBool_Check(given.ptr()))
            shown = "a number of that size";
        throw nb::type_error((std::string(method) + ": " + name + " is " + word_of<T>() + or_else + ", not " +
                              (given.is_none() ? std::string("None") : shown))
                                 .c_str());
    }
};

/// The argument `small_search_nodes` of a method; nothing for None. Throws ValueError if it is not from 0 to 10,000.
inline std::optional<std::uint32_t> visits_of_small_searches(Argument<std::optional<std::int64_t>> given,
                                                             const char* method) {
    const std::optional<std::int64_t> nodes = given.value(method, "small_search_nodes");
    if (!nodes) return std::nullopt;
    if (*nodes < 0 || *nodes > most_search_nodes) {
        throw nb::value_error(("small_search_nodes is " + std::to_string(*nodes) + ": 0 to " +
                               std::to_string(most_search_nodes) + " are possible")
                                  .c_str());
    }
    return static_cast<std::uint32_t>(*nodes);
}

}  // namespace proofbase

namespace nanobind::detail {

template <class T>
struct type_caster<proofbase::Argument<T>> {
    NB_TYPE_CASTER(proofbase::Argument<T>, make_caster<T>::Name)

    bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
        value.given = source;
        return true;
    }
};

}  // namespace nanobind::detail
