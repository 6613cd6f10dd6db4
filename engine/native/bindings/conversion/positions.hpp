// Positions and keys between Python and C++. A position of a native game is bytes: the encoding in its own orientation
// (Symmetric games), or the key; behind that of an exchanged position (set_up.hpp) stands one more byte. A
// position of a Python game is the user's own object.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "concepts.hpp"
#include "errors.hpp"
#include "games/python_game.hpp"
#include "keys.hpp"

namespace proofbase {

inline std::string_view view(const nb::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

inline std::string hex(std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes.substr(0, 64)) {
        out.push_back(digits[static_cast<std::uint8_t>(c) >> 4]);
        out.push_back(digits[static_cast<std::uint8_t>(c) & 15]);
    }
    return bytes.size() > 64 ? out + "..." : out;
}

/// A key from its written form; nothing if the number of bytes is not that of the game's keys.
template <Game G>
std::optional<typename G::Key> key_of_bytes(const G& game, std::string_view bytes) {
    if constexpr (requires { game.read_key(bytes); }) {
        return game.read_key(bytes);
    } else {
        return read_key(bytes, game.key_size(), std::type_identity<typename G::Key>{});
    }
}

template <Game G>
nb::bytes to_bytes(const G& game, const typename G::Key& key) {
    std::string out;
    write_key(key, game.key_size(), out);
    return nb::bytes(out.data(), out.size());
}

/// Throws InvalidKey if the bytes do not have the size of the game's keys. Does not check that they encode a position.
template <Game G>
typename G::Key to_key(const G& game, std::string_view bytes) {
    const auto key = key_of_bytes(game, bytes);
    if (!key) {
        throw InvalidKey("a " + game.name() + " key has " + std::to_string(game.key_size()) + " bytes, not " +
                         std::to_string(bytes.size()));
    }
    return *key;
}

/// The game may have positions that are exchanged.
template <class G>
concept MayExchange = requires(const G& game, typename G::Position& position) {
    { game.exchanged(position) } -> std::same_as<bool>;
    { game.exchange(position) } -> std::same_as<void>;
};

inline constexpr char exchanged_mark = 1;

template <Game G>
nb::object from_position(const G& game, const typename G::Position& position) {
    if constexpr (MayExchange<G>) {
        std::string out;
        write_key(game.oriented_key(position), game.key_size(), out);
        if (game.exchanged(position)) out.push_back(exchanged_mark);
        return nb::bytes(out.data(), out.size());
    } else if constexpr (Symmetric<G>) {
        return to_bytes(game, game.oriented_key(position));
    } else {
        return to_bytes(game, game.key(position));
    }
}

template <Game G>
typename G::Position to_position(const G& game, nb::handle given) {
    if (!nb::isinstance<nb::bytes>(given)) {
        const std::string type = nb::cast<std::string>(nb::str(given.type().attr("__name__")));
        throw nb::type_error(("a position of " + game.name() + " is bytes, not " + type).c_str());
    }
    const auto bytes = nb::borrow<nb::bytes>(given);
    std::string_view encoding = view(bytes);
    const bool marked = MayExchange<G> && encoding.size() == game.key_size() + 1 && encoding.back() == exchanged_mark;
    if (marked) encoding.remove_suffix(1);
    const auto key = key_of_bytes(game, encoding);
    auto position = key ? game.position(*key) : std::nullopt;
    if (!position) throw InvalidPosition(hex(view(bytes)) + " encodes no position of " + game.name());
    if constexpr (MayExchange<G>) {
        if (marked) game.exchange(*position);
        if (marked && !game.exchanged(*position)) throw InvalidPosition(hex(view(bytes)) + " is too long");
    }
    return *position;
}

inline nb::object from_position(const PythonGame& game, const PythonGame::Position& position) {
    return game.object(position);
}

inline PythonGame::Position to_position(const PythonGame& game, nb::handle given) {
    return game.wrap(nb::borrow<nb::object>(given));
}

}  // namespace proofbase
