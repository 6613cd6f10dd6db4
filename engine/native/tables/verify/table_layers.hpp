// Layers of a table's entries: they show that no value rests on a cycle only (docs/tables.md).
//
// Every entry v other than 0 gets a layer. A terminal position has layer 0. An entry v > 0 has one more than the lowest
// layer of a move that is worth v, where a move out of the class counts 0. An entry v < 0 has one more than the highest
// layer of the moves in the class that are worth v.
//
// Layers are found backwards, one layer after the other, by counting: an entry that gets a layer updates its
// predecessors, and an entry that has received an update for each move that it waits for gets the next layer.
// Predecessors are not trusted here. The caller goes through the moves forwards and adds up a fingerprint of all moves
// along which an update is expected (MoveFingerprint); the fingerprints of the updates made are added up too. If the
// two sums are equal, exactly the moves of the rules made an update, once each, so the layers are right. Otherwise
// `confirm` compares every layer with those of the children. Two bytes a position.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/plan/plan.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/verify/verification_checkpoint.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// The layers of a class in memory.
template <Indexed G>
class TableLayers {
    using LayerState = LayerStateOf<G>;

  public:
    /// `table`: that of the class. Precondition: all its blocks have been checked.
    TableLayers(const G& game, std::uint32_t table_class, const TableFile& table, unsigned threads, TableTask& task)
        : game_(game),
          class_(table_class),
          table_(table),
          size_(game.class_size(table_class)),
          threads_(threads),
          task_(task),
          states_(size_),
          marks_(chunks()),
          next_marks_(chunks()) {}

    /// Puts in the state that follows from the moves of an entry forwards: a layer, or the moves that it waits for.
    /// Threads may work on different entries.
    void set(std::uint64_t i, LayerState state) {
        states_[i] = state;
        if (state == given_layer<LayerState>(0)) mark(marks_, i);
        if (state == given_layer<LayerState>(1)) mark(next_marks_, i);
    }

    const MoveFingerprint& fingerprint() const noexcept { return fingerprint_; }

    /// The sum of the fingerprints of all moves along which an update was made.
    std::uint64_t update_fingerprint() const noexcept { return update_fingerprint_; }

    /// Finds the layers of the waiting entries. Calls `rest` now and then, while no thread is at work: what `put`
    /// writes then is what `take` goes on with. Throws TableWorkCancelled.
    template <class Rest>
    void find_layers(Rest&& rest) {
        for (;; ++layer_) {
            if (layer_ == highest_layer<LayerState>)
                throw std::length_error("a line of more than 16382 plies in one class");
            for (std::uint64_t first = 0; first < chunks(); first += chunks_between_rests) {
                const std::uint64_t count = std::min(chunks_between_rests, chunks() - first);
                in_pieces(threads_, count, 64, task_, [&](std::uint64_t from, std::uint64_t to) {
                    std::vector<LayerUpdate> updates;
                    std::uint64_t sum = 0;
                    for (std::uint64_t c = first + from; c < first + to; ++c) {
                        if (std::exchange(marks_[c], std::uint8_t{0}) != 0) propagate(c, layer_, updates, sum);
                    }
                    apply(updates, layer_ + 1);
                    update_fingerprint_.fetch_add(sum, std::memory_order_relaxed);
                });
                rest();
            }
            std::swap(marks_, next_marks_);
            // set() gives layer 1 too, so layer 1 is propagated even if layer 0 gave no entry a layer.
            if (!any_found_.exchange(false) && layer_ > 0) return;
        }
    }

    /// Puts everything into a checkpoint: the layers so far, and what has still to be propagated.
    void put(CheckpointWriter& writer) const {
        writer.value(fingerprint_.secret);
        writer.value(layer_);
        writer.value(update_fingerprint_.load());
        writer.value(any_found_.load());
        writer.array(states_);
        writer.array(marks_);
        writer.array(next_marks_);
    }

    /// Takes it from there. If the checkpoint turns out to be damaged, another object has to be made.
    void take(CheckpointReader& reader) {
        std::uint64_t moves = 0;
        bool found = false;
        reader.value(fingerprint_.secret);
        reader.value(layer_);
        reader.value(moves);
        reader.value(found);
        reader.array(states_);
        reader.array(marks_);
        reader.array(next_marks_);
        update_fingerprint_ = moves;
        any_found_ = found;
    }

    /// Calls `unfounded(i)`, from any thread, for every entry whose layer its moves do not justify. Throws
    /// TableWorkCancelled.
    template <class Unfounded>
    void confirm(Unfounded&& unfounded) const {
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            std::vector<EntryWithChildren> batch;
            std::vector<std::uint64_t> children;
            TablePlacement<G> p = table_placement(game_, class_, from);
            for (std::uint64_t i = from; i < to; ++i) {
                if (i > from) game_.table_next(p);
                if (states_[i] < needs_no_confirmation<LayerState>) {
                    const auto first = static_cast<std::uint32_t>(children.size());
                    for_each_child_in_class(game_, class_, p, [&](std::uint64_t child) {
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
            if (lacks_layer(states_[i])) open.push_back(i);
        }
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<std::uint64_t> still_open;
            std::vector<std::uint64_t> children;
            for (const std::uint64_t i : open) {
                task_.stop_if_cancelled();
                children.clear();
                for_each_child_in_class(game_, class_, game_.table_position(class_, i),
                                        [&](std::uint64_t child) { children.push_back(child); });
                // Each entry rests on entries that had a layer before it: this order proves as much as exact layers.
                const auto layer = layer_by_moves(i, children.data(), children.data() + children.size());
                if (!layer || *layer >= highest_layer<LayerState>) {
                    still_open.push_back(i);
                    continue;
                }
                states_[i] = static_cast<LayerState>(*layer);
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
            if (has_layer(states_[i]) && layer_of(states_[i]) > best.first) best = {layer_of(states_[i]), i};
        }
        return best;
    }

  private:
    using Marks = std::vector<std::uint8_t>;

    struct EntryWithChildren {
        std::uint64_t entry;
        std::uint32_t first, last;  // range in the list of children
    };

    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t chunk = entries_of_a_mark;
    static constexpr std::uint64_t chunks_between_rests = 1 << 14;
    static constexpr std::size_t batch_size = 256;

    std::uint64_t chunks() const noexcept { return (size_ + chunk - 1) / chunk; }

    static void mark(Marks& marks, std::uint64_t i) {
        std::atomic_ref<std::uint8_t>(marks[i / chunk]).store(1, std::memory_order_relaxed);
    }

    /// The layer that an entry gets from the layers of these children, its children in the class; nothing if they do
    /// not justify any.
    std::optional<unsigned> layer_by_moves(std::uint64_t i, const std::uint64_t* from, const std::uint64_t* to) const {
        LayerByMoves found(table_.unchecked(i));
        for (; from != to; ++from) found.take(table_.unchecked(*from), states_[*from]);
        return found.layer();
    }

    /// Updates the predecessors of the entries of a chunk that are in this layer. Adds the fingerprints of the moves to
    /// `sum`.
    void propagate(std::uint64_t number, unsigned layer, std::vector<LayerUpdate>& updates, std::uint64_t& sum) {
        const std::uint64_t from = number * chunk;
        const std::uint64_t propagated = for_each_layer_update(
            game_, class_, from, std::min(from + chunk, size_), &states_[from], layer,
            [this](std::uint64_t i) { return table_.unchecked(i); },
            [&](const LayerUpdate& update, std::uint64_t i) {
                __builtin_prefetch(&states_[update.index], 1);
                updates.push_back(update);
                sum += fingerprint_(update.index, i);
            },
            [&] {
                if (updates.size() >= batch_size) apply(updates, layer + 1);
            });
        task_.done.fetch_add(propagated, std::memory_order_relaxed);
    }

    /// Applies the updates and clears the list. `next`: the layer of an entry that waits for no further move.
    void apply(std::vector<LayerUpdate>& updates, unsigned next) {
        for (const LayerUpdate& update : updates) {
            if (!update_layer(states_[update.index], update.value, next)) continue;
            mark(next_marks_, update.index);
            any_found_.store(true, std::memory_order_relaxed);
        }
        updates.clear();
    }

    const G& game_;
    std::uint32_t class_;
    const TableFile& table_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    MoveFingerprint fingerprint_;
    unsigned layer_ = 0;  // that is being propagated
    std::atomic<std::uint64_t> update_fingerprint_{0};
    std::vector<LayerState, HugePages<LayerState>> states_;
    Marks marks_;                         // chunks with entries of the layer that is being propagated
    Marks next_marks_;                    // chunks with entries of the next layer
    std::atomic<bool> any_found_{false};  // an entry of the next layer
};

}  // namespace proofbase
