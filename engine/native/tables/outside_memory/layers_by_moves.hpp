// The layers of a class, on the disk, compared with those of the children of each entry (verification_in_parts.hpp).
// The children of many entries are looked up together, sorted by their numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_file.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/verify/child_lookups.hpp"
#include "tables/verify/consistency.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class LayersByMoves {
    using LayerState = LayerStateOf<G>;

  public:
    /// `table`: that of the class. `most_lookups`: of a thread.
    LayersByMoves(const G& game, std::uint32_t table_class, const TableFile& table, StatesOnDisk<LayerState>& states,
                  std::uint64_t most_lookups, unsigned threads, TableTask& task)
        : game_(game),
          class_(table_class),
          table_(table),
          states_(states),
          files_(table_class + 1),
          most_lookups_(most_lookups),
          // An item takes more room than an entry of the consistency check.
          most_items_(std::min<std::size_t>(most_lookups / (4 * lookups_an_entry) + 1, SortedLookups::most_entries)),
          threads_(threads),
          task_(task) {
        files_[table_class] = &table;
    }

    /// Calls `unfounded(i)`, from any thread, for every entry whose layer its moves do not justify. Throws
    /// TableWorkCancelled, DamagedTable, std::filesystem::filesystem_error.
    template <class Unfounded>
    void confirm(Unfounded&& unfounded) const {
        const std::uint64_t piece = (most_items_ / states_of_a_block + 1) * states_of_a_block;
        in_pieces(threads_, states_.size(), piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            const auto needs_confirmation = [](LayerState state) { return state < needs_no_confirmation<LayerState>; };
            for_each_by_moves(from, to, needs_confirmation, [&](const Item& item) {
                const auto layer = item.found.layer();
                if (!layer || *layer > layer_of(item.state)) unfounded(item.entry);
            });
            task_.done.fetch_add(to - from, std::memory_order_relaxed);
        });
    }

    /// Gives a layer to every entry without one whose moves justify it, until nothing changes, and calls `open(i)` for
    /// the entries that have none then. (Nothing changes if the game's predecessors are right.) Throws the same.
    template <class Open>
    void complete(Open&& open) {
        if (!any_open()) return;
        for (bool changed = true; changed;) {
            changed = false;
            // Each entry rests on entries that had a layer before it: this order proves as much as exact layers.
            for_each_by_moves(0, states_.size(), lacks_layer<LayerState>, [&](const Item& item) {
                const auto layer = item.found.layer();
                if (!layer || *layer >= highest_layer<LayerState>) return;
                set(item.entry, static_cast<LayerState>(*layer));
                changed = true;
            });
        }
        states_.for_each(states_.size(), task_, [&](std::uint64_t from, const LayerState* states, std::uint64_t count) {
            for (std::uint64_t k = 0; k < count; ++k) {
                if (lacks_layer(states[k])) open(from + k);
            }
        });
    }

    /// The highest layer and the first entry in it.
    std::pair<unsigned, std::uint64_t> longest() const {
        std::pair<unsigned, std::uint64_t> best{0, 0};
        states_.for_each(states_.size(), task_, [&](std::uint64_t from, const LayerState* states, std::uint64_t count) {
            for (std::uint64_t k = 0; k < count; ++k) {
                if (has_layer(states[k]) && layer_of(states[k]) > best.first) best = {layer_of(states[k]), from + k};
            }
        });
        return best;
    }

  private:
    struct Item {
        std::uint64_t entry;
        LayerState state;
        LayerByMoves found;
    };

    bool any_open() const {
        bool found = false;
        states_.for_each(states_.size(), task_, [&](std::uint64_t, const LayerState* states, std::uint64_t count) {
            found |= std::any_of(states, states + count, lacks_layer<LayerState>);
        });
        return found;
    }

    void set(std::uint64_t i, LayerState state) {
        std::vector<LayerState> block(states_of_a_block);
        const std::uint64_t first = i - i % states_of_a_block;
        const std::uint64_t count = std::min(states_of_a_block, states_.size() - first);
        states_.read(first, block.data(), count);
        block[i - first] = state;
        states_.write(first, block.data(), count);
    }

    /// Calls `visit(item)` for the entries of [from, to) whose state is `wanted`, with what their children in the class
    /// justify.
    template <class Wanted, class Visit>
    void for_each_by_moves(std::uint64_t from, std::uint64_t to, Wanted&& wanted, Visit&& visit) const {
        SortedLookups lookups(files_, most_lookups_);
        std::vector<Item> items;
        items.reserve(most_items_);
        StateReader own(states_);
        TablePlacement<G> p = table_placement(game_, class_, from);
        for (std::uint64_t i = from; i < to; ++i) {
            if (i % 4096 == 0) task_.stop_if_cancelled();
            if (i > from) game_.table_next(p);
            const LayerState state = own(i);
            if (wanted(state)) {
                for_each_child_in_class(game_, class_, p,
                                        [&](std::uint64_t child) { lookups.add(class_, child, items.size(), 0); });
                items.push_back({i, state, LayerByMoves(table_.value(i))});
            }
            if (lookups.size() < most_lookups_ && items.size() < most_items_ && i + 1 < to) continue;
            StateReader child_state(states_);
            lookups.look_up([&](std::uint32_t, std::uint64_t child, std::size_t index, int, int value) {
                items[index].found.take(value, child_state(child));
            });
            for (const Item& item : items) visit(item);
            items.clear();
        }
    }

    const G& game_;
    std::uint32_t class_;
    const TableFile& table_;
    StatesOnDisk<LayerState>& states_;
    std::vector<const TableFile*> files_;  // by class: this one only
    std::size_t most_lookups_;
    std::size_t most_items_;
    unsigned threads_;
    TableTask& task_;
};

}  // namespace proofbase
