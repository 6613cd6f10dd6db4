// The game inside `within:N:GAME`, behind virtual functions: so one class, with one set of searches, serves for every
// native game, and the extension does not hold each search twice for each of them.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "concepts.hpp"
#include "inline_list.hpp"
#include "keys.hpp"

namespace proofbase::within {

/// A position of any inner game: the bytes of it.
struct InnerPosition {
    static constexpr std::size_t capacity = 128;
    alignas(16) std::array<std::byte, capacity> bytes{};
};

/// Codes of moves are those of the inner game. The largest list is that of mens-morris.
using Move = std::uint16_t;
using Moves = InlineList<Move, 512>;

/// The largest key of an inner game, in bytes: that of go-moku on 15 x 15. Larger boards are wrapped by the rules in
/// Python (proofbase/engine/games.py).
inline constexpr std::size_t key_capacity = 46;

/// What `Within` asks of the inner game. The functions are those of the concept `Game` and its extras.
class InnerGame {
  public:
    virtual ~InnerGame() = default;

    virtual std::string name() const = 0;
    virtual int rules_version() const = 0;
    virtual int highest_value() const = 0;
    virtual bool has_rewards() const = 0;  ///< false: the reward of every move is 0
    virtual std::size_t key_size() const = 0;

    virtual bool equal(const InnerPosition& a, const InnerPosition& b) const = 0;
    virtual InnerPosition initial() const = 0;
    virtual std::optional<int> terminal(const InnerPosition& p) const = 0;
    virtual void moves(const InnerPosition& p, Moves& out) const = 0;
    virtual InnerPosition play(const InnerPosition& p, Move move) const = 0;
    virtual int reward(const InnerPosition& p, Move move) const = 0;
    virtual int limit(const InnerPosition& p) const = 0;
    virtual int score(const InnerPosition& p) const = 0;
    virtual int side(const InnerPosition& p) const = 0;

    virtual void write_key(const InnerPosition& p, std::uint8_t* out) const = 0;           ///< key_size() bytes
    virtual void write_oriented_key(const InnerPosition& p, std::uint8_t* out) const = 0;  ///< likewise
    virtual std::optional<InnerPosition> position(std::span<const std::uint8_t> key) const = 0;
    virtual InnerPosition representative(const InnerPosition& p) const = 0;

    virtual InnerPosition parse(std::string_view text) const = 0;
    virtual std::string text(const InnerPosition& p) const = 0;
    virtual std::string draw(const InnerPosition& p) const = 0;
    virtual Move parse_move(const InnerPosition& p, std::string_view text) const = 0;
    virtual std::string move_text(const InnerPosition& p, Move move) const = 0;
};

/// Native games with keys of one size whose positions fit. Those of `Within` do not.
template <class G>
concept Wrappable = Described<G> && Notated<G> && std::is_trivially_copyable_v<typename G::Position> &&
                    sizeof(typename G::Position) <= InnerPosition::capacity && alignof(typename G::Position) <= 16 &&
                    sizeof(typename G::Move) <= sizeof(Move) && !std::same_as<typename G::Key, std::string>;

/// The inner game's own form of a position of it.
template <Wrappable G>
typename G::Position unwrapped(const InnerPosition& p) noexcept {
    typename G::Position out;
    std::memcpy(static_cast<void*>(&out), p.bytes.data(), sizeof out);
    return out;
}

template <Wrappable G>
class InnerGameOf final : public InnerGame {
    using Position = typename G::Position;

  public:
    explicit InnerGameOf(G game) : game_(std::move(game)) {}

    std::string name() const override { return game_.name(); }
    int rules_version() const override { return game_.rules_version(); }
    int highest_value() const override { return game_.highest_value(); }
    bool has_rewards() const override {
        if constexpr (Rewarding<G>) return game_.has_rewards();
        return false;
    }
    std::size_t key_size() const override { return game_.key_size(); }

    bool equal(const InnerPosition& a, const InnerPosition& b) const override { return inner(a) == inner(b); }
    InnerPosition initial() const override { return outer(game_.initial()); }
    std::optional<int> terminal(const InnerPosition& p) const override { return game_.terminal(inner(p)); }
    void moves(const InnerPosition& p, Moves& out) const override {
        typename G::Moves legal;
        game_.moves(inner(p), legal);
        out.clear();
        for (std::size_t i = 0; i < legal.size(); ++i) out.push_back(static_cast<Move>(legal[i]));
    }
    InnerPosition play(const InnerPosition& p, Move move) const override {
        return outer(game_.play(inner(p), static_cast<typename G::Move>(move)));
    }
    int reward(const InnerPosition& p, Move move) const override {
        return game_.reward(inner(p), static_cast<typename G::Move>(move));
    }
    int limit(const InnerPosition& p) const override { return value_limit(game_, inner(p)); }
    int score(const InnerPosition& p) const override {
        if constexpr (Scored<G>) return game_.score(inner(p));
        return 0;
    }
    int side(const InnerPosition& p) const override { return game_.side(inner(p)); }

    void write_key(const InnerPosition& p, std::uint8_t* out) const override { write(game_.key(inner(p)), out); }
    void write_oriented_key(const InnerPosition& p, std::uint8_t* out) const override {
        if constexpr (Symmetric<G>) {
            write(game_.oriented_key(inner(p)), out);
        } else {
            write_key(p, out);
        }
    }
    std::optional<InnerPosition> position(std::span<const std::uint8_t> key) const override {
        const std::string_view bytes(reinterpret_cast<const char*>(key.data()), key.size());
        const auto read = read_key(bytes, game_.key_size(), std::type_identity<typename G::Key>{});
        if (!read) return std::nullopt;
        const std::optional<Position> p = game_.position(*read);
        return p ? std::optional(outer(*p)) : std::nullopt;
    }
    InnerPosition representative(const InnerPosition& p) const override {
        if constexpr (requires(const Position& q) { game_.representative(q); }) {
            return outer(game_.representative(inner(p)));
        } else if constexpr (Symmetric<G>) {
            return outer(*game_.position(game_.key(inner(p))));
        } else {
            return p;
        }
    }

    InnerPosition parse(std::string_view text) const override { return outer(game_.parse(text)); }
    std::string text(const InnerPosition& p) const override { return game_.text(inner(p)); }
    std::string draw(const InnerPosition& p) const override { return game_.draw(inner(p)); }
    Move parse_move(const InnerPosition& p, std::string_view text) const override {
        return static_cast<Move>(game_.parse_move(inner(p), text));
    }
    std::string move_text(const InnerPosition& p, Move move) const override {
        return game_.move_text(inner(p), static_cast<typename G::Move>(move));
    }

  private:
    static Position inner(const InnerPosition& p) noexcept { return unwrapped<G>(p); }
    static InnerPosition outer(const Position& p) noexcept {
        InnerPosition out;
        std::memcpy(out.bytes.data(), &p, sizeof(Position));
        return out;
    }

    template <NumberKey K>
    void write(K key, std::uint8_t* out) const noexcept {
        const std::size_t size = game_.key_size();
        for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(key >> (8 * (size - 1 - i)));
    }
    template <std::size_t N>
    void write(const std::array<std::uint8_t, N>& key, std::uint8_t* out) const noexcept {
        std::memcpy(out, key.data(), game_.key_size());
    }

    G game_;
};

using OpenInnerGame = std::function<std::shared_ptr<const InnerGame>(std::string_view parameters)>;

/// Makes a class of games known, while the module is loaded: a family may have several, as in the list of games.
void add_inner_game(std::string_view family, OpenInnerGame open);

/// The inner game of a name such as `connect-four:5x4`. Throws UnknownGame.
std::shared_ptr<const InnerGame> open_inner_game(std::string_view name);

/// What a game's file does while the module is loaded, for games that can be wrapped.
template <class G>
void offer_as_inner_game() {
    if constexpr (Wrappable<G>) {
        add_inner_game(G::family, [](std::string_view parameters) {
            return std::make_shared<const InnerGameOf<G>>(G::from_parameters(parameters));
        });
    }
}

}  // namespace proofbase::within
