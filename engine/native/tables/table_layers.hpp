// Layers of a table's entries: they show that no value rests on a cycle only (docs/tables.md).
//
// Every entry v other than 0 gets a layer. A terminal position has layer 0. An entry v > 0 has one more than the lowest
// layer of a move that is worth v, where a move out of the class counts 0. An entry v < 0 has one more than the highest
// layer of the moves in the class that are worth v.
//
// Layers are found backwards, one layer after the other, by counting: an entry that gets a layer updates its
// predecessors, and an entry that has received an update for each move that it waits for gets the next layer.
// Predecessors are not trusted here. The caller goes through the moves forwards and adds up a fingerprint of all moves
// along which an update is expected (`move_fingerprint`); the fingerprints of the updates made are added up too. If the
// two sums are equal, exactly the moves of the rules made an update, once each, so the layers are right. Otherwise
// `confirm` compares every layer with those of the children. Two bytes a position.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "keys.hpp"
#include "table_concepts.hpp"
#include "tables/table_file.hpp"
#include "tables/table_task.hpp"
#include "tables/verification_checkpoint.hpp"

namespace proofbase {

/// `visit(child, reward)` for every legal move of a position that is not finished, by the rules.
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

template <Indexed G>
class TableLayers {
  public:
    using Position = typename G::Position;

    static constexpr unsigned most_awaited = 127;  ///< moves that an entry can wait for

    /// `table`: that of the class. Precondition: all its blocks have been checked.
    TableLayers(const G& game, std::uint32_t table_class, const TableFile& table, unsigned threads, TableTask& task)
        : game_(game),
          class_(table_class),
          table_(table),
          size_(game.class_size(table_class)),
          threads_(threads),
          task_(task),
          secret_(secret()),
          states_(size_),
          marks_(chunks()),
          next_marks_(chunks()) {}

    /// Sets a layer that needs no confirmation, because it follows from the moves forwards. Threads may work on
    /// different entries.
    void set_layer(std::uint64_t i, unsigned layer) {
        states_[i] = static_cast<State>(needs_no_confirmation | layer);
        if (layer == 0) mark(marks_, i);
        if (layer == 1) mark(next_marks_, i);
    }

    /// Leaves an entry without a layer until `moves` moves that are worth its value have a layer. Threads may work on
    /// different entries.
    void await_moves(std::uint64_t i, int value, unsigned moves) {
        states_[i] = static_cast<State>(without_layer | moves << 8 | static_cast<std::uint8_t>(value));
    }

    /// The fingerprint of a move between two entries of the class, made with a secret number: sums over different sets
    /// of moves are equal by accident only, once in 2^64 times.
    std::uint64_t move_fingerprint(std::uint64_t from, std::uint64_t to) const noexcept {
        return mix((std::rotl(from, 32) + to) ^ secret_);
    }

    /// The sum of the fingerprints of all moves along which an update was made.
    std::uint64_t updated_moves() const noexcept { return updated_moves_; }

    /// Finds the layers of the waiting entries. Calls `rest` now and then, while no thread is at work: what `put`
    /// writes then is what `take` goes on with. Throws TableWorkCancelled.
    template <class Rest>
    void find_layers(Rest&& rest) {
        for (;; ++layer_) {
            if (layer_ == highest) throw std::length_error("a line of more than 16382 plies in one class");
            for (std::uint64_t first = 0; first < chunks(); first += chunks_between_rests) {
                const std::uint64_t count = std::min(chunks_between_rests, chunks() - first);
                in_pieces(threads_, count, 64, task_, [&](std::uint64_t from, std::uint64_t to) {
                    std::vector<Update> updates;
                    std::uint64_t sum = 0;
                    for (std::uint64_t c = first + from; c < first + to; ++c) {
                        if (std::exchange(marks_[c], std::uint8_t{0}) != 0) propagate(c, layer_, updates, sum);
                    }
                    apply(updates, layer_ + 1);
                    updated_moves_.fetch_add(sum, std::memory_order_relaxed);
                });
                rest();
            }
            std::swap(marks_, next_marks_);
            // set_layer gives layer 1 too, so layer 1 is propagated even if layer 0 gave no entry a layer.
            if (!any_found_.exchange(false) && layer_ > 0) return;
        }
    }

    /// Puts everything into a checkpoint: the layers so far, and what has still to be propagated.
    void put(CheckpointWriter& writer) const {
        writer.value(secret_);
        writer.value(layer_);
        writer.value(updated_moves_.load());
        writer.value(any_found_.load());
        writer.array(states_);
        writer.array(marks_);
        writer.array(next_marks_);
    }

    /// Takes it from there. If the checkpoint turns out to be damaged, another object has to be made.
    void take(CheckpointReader& reader) {
        std::uint64_t moves = 0;
        bool found = false;
        reader.value(secret_);
        reader.value(layer_);
        reader.value(moves);
        reader.value(found);
        reader.array(states_);
        reader.array(marks_);
        reader.array(next_marks_);
        updated_moves_ = moves;
        any_found_ = found;
    }

    /// Calls `unfounded(i)`, from any thread, for every entry whose layer its moves do not justify. Throws
    /// TableWorkCancelled.
    template <class Unfounded>
    void confirm(Unfounded&& unfounded) const {
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            std::vector<EntryWithChildren> batch;
            std::vector<std::uint64_t> children;
            Position p = game_.table_position(class_, from);
            for (std::uint64_t i = from; i < to; ++i) {
                if (i > from) game_.table_next(p);
                if (states_[i] < needs_no_confirmation) {
                    const auto first = static_cast<std::uint32_t>(children.size());
                    for_each_child_in_class(p, [&](std::uint64_t child) {
                        table_.prefetch(child);
                        __builtin_prefetch(&states_[child]);
                        children.push_back(child);
                    });
                    batch.push_back({i, first, static_cast<std::uint32_t>(children.size())});
                }
                if (batch.size() < batch_size && i + 1 < to) continue;
                for (const EntryWithChildren& item : batch) {
                    const auto layer =
                        layer_by_moves(item.entry, children.data() + item.first, children.data() + item.last);
                    if (!layer || *layer > layer_of(states_[item.entry])) unfounded(item.entry);
                }
                batch.clear();
                children.clear();
            }
            task_.done.fetch_add(to - from, std::memory_order_relaxed);
        });
    }

    /// Gives a layer to every entry without one whose moves justify it, until nothing changes, and returns the entries
    /// that have none then. (Nothing changes if the game's predecessors are right.) Throws TableWorkCancelled.
    std::vector<std::uint64_t> entries_without_layer() {
        std::vector<std::uint64_t> open;
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (i % piece == 0) task_.stop_if_cancelled();
            if (states_[i] >= without_layer && value_of(states_[i]) != 0) open.push_back(i);
        }
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<std::uint64_t> still_open;
            std::vector<std::uint64_t> children;
            for (const std::uint64_t i : open) {
                task_.stop_if_cancelled();
                children.clear();
                for_each_child_in_class(game_.table_position(class_, i),
                                        [&](std::uint64_t child) { children.push_back(child); });
                // Each entry rests on entries that had a layer before it: this order proves as much as exact layers.
                const auto layer = layer_by_moves(i, children.data(), children.data() + children.size());
                if (!layer || *layer >= highest) {
                    still_open.push_back(i);
                    continue;
                }
                states_[i] = static_cast<State>(*layer);
                changed = true;
            }
            open = std::move(still_open);
        }
        return open;
    }

    /// The highest layer and the first entry in it.
    std::pair<unsigned, std::uint64_t> longest() const {
        std::pair<unsigned, std::uint64_t> best{0, 0};
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (states_[i] < without_layer && layer_of(states_[i]) > best.first) best = {layer_of(states_[i]), i};
        }
        return best;
    }

  private:
    // An entry without a layer: bit 15, the number of moves that it waits for (7 bits), its value (8 bits). An entry
    // with a layer: the layer (14 bits); bit 14 says that the layer needs no confirmation.
    using State = std::uint16_t;
    using Marks = std::vector<std::uint8_t>;

    struct EntryWithChildren {
        std::uint64_t entry;
        std::uint32_t first, last;  // range in the list of children
    };

    // An entry that gets a layer, as one of its predecessors sees it.
    struct Update {
        std::uint64_t index;
        int value;
    };

    static constexpr State without_layer = 0x8000;
    static constexpr State needs_no_confirmation = 0x4000;
    static constexpr unsigned highest = needs_no_confirmation - 1;
    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t chunk = 256;  // entries that share a mark
    static constexpr std::uint64_t chunks_between_rests = 1 << 14;
    static constexpr std::size_t batch_size = 256;
    static constexpr std::uint64_t most_steps =
        24;  // that many calls of table_next cost less than one of table_position

    static std::uint64_t secret() {
        std::random_device device;
        return std::uint64_t{device()} << 32 | device();
    }

    static int value_of(State state) noexcept { return static_cast<std::int8_t>(state & 0xff); }
    static unsigned layer_of(State state) noexcept { return state & (needs_no_confirmation - 1u); }

    std::uint64_t chunks() const noexcept { return (size_ + chunk - 1) / chunk; }

    static void mark(Marks& marks, std::uint64_t i) {
        std::atomic_ref<std::uint8_t>(marks[i / chunk]).store(1, std::memory_order_relaxed);
    }

    /// Calls `visit` with the entry of every child of a position in the class.
    template <class Visit>
    void for_each_child_in_class(const Position& p, Visit&& visit) const {
        if (game_.terminal(p)) return;
        for_each_child_by_rules(game_, p, [&](const Position& child, int reward) {
            if (reward == 0 && game_.table_class(child) == class_) visit(game_.table_rank(child));
        });
    }

    /// The layer that an entry gets from the layers of these children, its children in the class; nothing if they do
    /// not justify any.
    std::optional<unsigned> layer_by_moves(std::uint64_t i, const std::uint64_t* from, const std::uint64_t* to) const {
        const int v = table_.unchecked(i);
        std::optional<unsigned> found;
        if (v < 0) found = 1;
        for (; from != to; ++from) {
            if (-table_.unchecked(*from) != v) continue;
            const State state = states_[*from];
            const bool has_layer = state < without_layer;
            if (v > 0 && has_layer && (!found || layer_of(state) + 1 < *found)) found = layer_of(state) + 1;
            if (v < 0 && !has_layer) return std::nullopt;
            if (v < 0 && layer_of(state) + 1 > *found) found = layer_of(state) + 1;
        }
        return found;
    }

    /// Updates the predecessors of the entries of a chunk that are in this layer. Adds the fingerprints of the moves to
    /// `sum`.
    void propagate(std::uint64_t number, unsigned layer, std::vector<Update>& updates, std::uint64_t& sum) {
        std::uint64_t propagated = 0;
        const std::uint64_t end = std::min((number + 1) * chunk, size_);
        std::uint64_t at = end;  // the entry of p; at first none
        Position p{};
        for (std::uint64_t i = number * chunk; i < end; ++i) {
            const State state = std::atomic_ref<State>(states_[i]).load(std::memory_order_relaxed);
            if (state >= without_layer || layer_of(state) != layer) continue;
            ++propagated;
            const int v = table_.unchecked(i);
            if (v == 0) continue;
            if (i - at > most_steps) {  // also while there is no p: i - end wraps around
                p = game_.table_position(class_, i);
                at = i;
            }
            for (; at < i; ++at) game_.table_next(p);
            game_.for_each_predecessor(p, [&](const Position& predecessor) {
                const std::uint64_t index = game_.table_rank(predecessor);
                __builtin_prefetch(&states_[index], 1);
                updates.push_back({index, -v});
                sum += move_fingerprint(index, i);
            });
            if (updates.size() >= batch_size) apply(updates, layer + 1);
        }
        task_.done.fetch_add(propagated, std::memory_order_relaxed);
    }

    /// Applies the updates and clears the list. `next`: the layer of an entry that waits for no further move.
    void apply(std::vector<Update>& updates, unsigned next) {
        for (const Update& update : updates) {
            const std::atomic_ref<State> state(states_[update.index]);
            State old = state.load(std::memory_order_relaxed);
            while (old >= without_layer && value_of(old) == update.value) {
                const bool last = (old & 0x7f00) <= 0x100;
                const auto now = static_cast<State>(last ? next : old - 0x100u);
                if (!state.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
                if (last) {
                    mark(next_marks_, update.index);
                    any_found_.store(true, std::memory_order_relaxed);
                }
                break;
            }
        }
        updates.clear();
    }

    const G& game_;
    std::uint32_t class_;
    const TableFile& table_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    std::uint64_t secret_;
    unsigned layer_ = 0;  // that is being propagated
    std::atomic<std::uint64_t> updated_moves_{0};
    std::vector<State, HugePages<State>> states_;
    Marks marks_;                         // chunks with entries of the layer that is being propagated
    Marks next_marks_;                    // chunks with entries of the next layer
    std::atomic<bool> any_found_{false};  // an entry of the next layer
};

}  // namespace proofbase
