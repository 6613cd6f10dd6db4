// What the verification knows of an entry while layers are found, in one number (table_layers.hpp), and how the entries
// of a layer update their predecessors.
#pragma once

#include <sys/random.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>
#include <type_traits>

#include "concepts.hpp"
#include "keys.hpp"
#include "table_concepts.hpp"
#include "tables/listed/lists_moves.hpp"

namespace proofbase {

/// An entry without a layer: the highest bit, the number of moves that it waits for, its value (8 bits). An entry with
/// a layer: the layer; the second highest bit says that it needs no confirmation.
template <HasTables G>
using LayerStateOf = std::conditional_t<ListsMoves<G>, std::uint32_t, std::uint16_t>;

template <class State>
inline constexpr unsigned without_layer = 1u << (8 * sizeof(State) - 1);
template <class State>
inline constexpr unsigned needs_no_confirmation = without_layer<State> / 2;
template <class State>
inline constexpr unsigned highest_layer = needs_no_confirmation<State> - 1;
template <class State>
inline constexpr unsigned most_awaited = without_layer<State> / 256 - 1;  ///< moves that an entry can wait for

/// A layer that follows from the moves forwards.
template <class State>
constexpr State given_layer(unsigned layer) noexcept {
    return static_cast<State>(needs_no_confirmation<State> | layer);
}
/// No layer until `moves` moves that are worth the entry's value have one.
template <class State>
constexpr State awaiting_moves(int value, unsigned moves) noexcept {
    return static_cast<State>(without_layer<State> | moves << 8 | static_cast<std::uint8_t>(value));
}
template <class State>
constexpr bool has_layer(State state) noexcept {
    return state < without_layer<State>;
}
template <class State>
constexpr unsigned layer_of(State state) noexcept {
    return state & (needs_no_confirmation<State> - 1u);
}
/// Whether an entry has a layer, and this one.
template <class State>
constexpr bool is_in_layer(State state, unsigned layer) noexcept {
    return (state & ~needs_no_confirmation<State>) == layer;
}
/// The value of an entry without a layer.
template <class State>
constexpr int awaited_value(State state) noexcept {
    return static_cast<std::int8_t>(state & 0xff);
}
/// Whether an entry needs a layer and has none.
template <class State>
constexpr bool lacks_layer(State state) noexcept {
    return !has_layer(state) && awaited_value(state) != 0;
}

/// An entry that gets a layer, as one of its predecessors sees it.
struct LayerUpdate {
    std::uint64_t index;  ///< of the predecessor
    int value;
};

/// Updates an entry, also while other threads do. True if it has the layer `next` by this update.
template <class State>
[[gnu::always_inline]] inline bool update_layer(State& entry, int value, unsigned next) noexcept {
    constexpr unsigned moves = most_awaited<State> << 8;
    const std::atomic_ref<State> state(entry);
    State old = state.load(std::memory_order_relaxed);
    while (!has_layer(old) && awaited_value(old) == value) {
        const bool last = (old & moves) <= 0x100;
        const auto now = static_cast<State>(last ? next : old - 0x100u);
        if (state.compare_exchange_weak(old, now, std::memory_order_relaxed)) return last;
    }
    return false;
}

/// The fingerprint of a move between two entries of the class, made with a secret number: sums over different sets of
/// moves are equal by accident only, once in 2^64 times.
class MoveFingerprint {
  public:
    /// Not by std::random_device: that of a C++ library which is linked into a wheel asks for as young a C library as
    /// the machine has that built the wheel.
    MoveFingerprint() {
        if (::getentropy(&secret, sizeof(secret)) != 0) throw std::system_error(errno, std::generic_category());
    }
    std::uint64_t operator()(std::uint64_t from, std::uint64_t to) const noexcept {
        return mix((std::rotl(from, 32) + to) ^ secret);
    }

    std::uint64_t secret;
};

/// The layer that an entry gets from the layers of its children in the class.
class LayerByMoves {
  public:
    explicit LayerByMoves(int value) : value_(value) {
        if (value < 0) found_ = 1;
    }

    /// One of the children, by its value and its state.
    template <class State>
    void take(int value, State state) noexcept {
        if (-value != value_) return;
        if (value_ < 0 && !has_layer(state)) unjustified_ = true;
        if (!has_layer(state)) return;
        const unsigned next = layer_of(state) + 1;
        if (value_ > 0) found_ = found_ ? std::min(*found_, next) : next;
        if (value_ < 0) found_ = std::max(*found_, next);
    }

    /// Nothing if the children do not justify any.
    std::optional<unsigned> layer() const noexcept { return unjustified_ ? std::nullopt : found_; }

  private:
    int value_;
    bool unjustified_ = false;
    std::optional<unsigned> found_;
};

/// Calls `visit(child, reward)` for every legal move of a position that is not finished, by the rules.
template <Indexed G, class Visit>
void for_each_child_by_rules(const G& game, const typename G::Position& p, Visit&& visit) {
    if constexpr (requires { game.for_each_played(p, visit); }) {
        game.for_each_played(p, visit);
    } else {
        typename G::Moves moves;
        game.moves(p, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) visit(game.play(p, moves[i]), game.reward(p, moves[i]));
    }
}

/// Calls `visit(entry)` for every child of a position in its class.
template <Indexed G, class Visit>
void for_each_child_in_class(const G& game, std::uint32_t table_class, const typename G::Position& p, Visit&& visit) {
    if (game.terminal(p)) return;
    for_each_child_by_rules(game, p, [&](const typename G::Position& child, int reward) {
        if (reward == 0 && game.table_class(child) == table_class) visit(game.table_rank(child));
    });
}

/// Goes through the entries of [from, to) that are in a layer. Calls `visit(update, i)` for every predecessor of such
/// an entry i whose value is not 0, and `between()` after each of these entries. Returns how many are in the layer.
///
/// Args:
///     states: of these entries, the first one that of `from`.
///     value(i): of an entry.
template <Indexed G, class Value, class Visit, class Between>
[[gnu::always_inline]] inline std::uint64_t for_each_layer_update(const G& game, std::uint32_t table_class,
                                                                  std::uint64_t from, std::uint64_t to,
                                                                  LayerStateOf<G>* states, unsigned layer,
                                                                  Value&& value, Visit&& visit, Between&& between) {
    constexpr std::uint64_t most_steps = 24;  // that many calls of table_next cost less than one of table_position
    std::uint64_t found = 0;
    std::uint64_t at = to;  // the entry of p; at first none
    TablePlacement<G> p{};
    for (std::uint64_t i = from; i < to; ++i) {
        const LayerStateOf<G> state =
            std::atomic_ref<LayerStateOf<G>>(states[i - from]).load(std::memory_order_relaxed);
        if (!is_in_layer(state, layer)) continue;
        ++found;
        const int v = value(i);
        if (v == 0) continue;
        if (i - at > most_steps) {  // also while there is no p: i - to wraps around
            p = table_placement(game, table_class, i);
            at = i;
        }
        for (; at < i; ++at) game.table_next(p);
        game.for_each_predecessor(
            p, [&](const TablePlacement<G>& predecessor) { visit(LayerUpdate{game.table_rank(predecessor), -v}, i); });
        between();
    }
    return found;
}

}  // namespace proofbase
