// Layers of a table's entries (table_layers.hpp) with less memory than their states take: the states are on the disk,
// those of one part of the class in memory, and updates of other parts in queues (levels_in_parts.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/table_file.hpp"
#include "tables/outside_memory/levels_in_parts.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/verify/layer_state.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class LayersInParts {
    using LayerState = LayerStateOf<G>;

  public:
    /// `directory`: where the files are. Throws std::filesystem::filesystem_error.
    LayersInParts(const G& game, std::uint32_t table_class, const std::filesystem::path& directory,
                  const PartsPlan& plan, unsigned threads, TableTask& task)
        : game_(game),
          class_(table_class),
          task_(task),
          levels_(directory, game.class_size(table_class), plan, 0, threads, task) {}

    const StatesOnDisk<LayerState>& states() const noexcept { return levels_.states(); }
    StatesOnDisk<LayerState>& states() noexcept { return levels_.states(); }
    const MoveFingerprint& fingerprint() const noexcept { return fingerprint_; }
    std::uint64_t update_fingerprint() const noexcept { return update_fingerprint_; }  ///< sum of their fingerprints

    /// Puts in the states that follow from the moves of entries forwards, whole blocks from the entry `from` on.
    /// Threads may work on different blocks.
    void set(std::uint64_t from, const LayerState* states, std::uint64_t count) {
        for (std::uint64_t k = 0; k < count; ++k) {
            if (states[k] == given_layer<LayerState>(0)) levels_.mark(from + k);
            if (states[k] == given_layer<LayerState>(1)) levels_.mark_next(from + k);
        }
        levels_.states().write(from, states, count);
    }

    /// Finds the layers of the waiting entries. `table`: that of the class. Calls `rest` now and then, while no thread
    /// is at work: what `put` writes then is what `take` goes on with. Throws TableWorkCancelled,
    /// std::filesystem::filesystem_error, DamagedTable.
    template <class Rest>
    void find_layers(const TableFile& table, Rest&& rest) {
        Work work{*this, table};
        levels_.find_levels(work, rest);
    }

    /// Puts everything into a checkpoint: the layers so far of the entries below `end`, and what has still to be done.
    void put(CheckpointWriter& writer, std::uint64_t end) const {
        writer.value(fingerprint_.secret);
        writer.value(update_fingerprint_.load());
        levels_.put(writer, end);
    }

    /// Takes it from there. If the checkpoint turns out to be damaged, another object has to be made.
    void take(CheckpointReader& reader, std::uint64_t end) {
        std::uint64_t moves = 0;
        reader.value(fingerprint_.secret);
        reader.value(moves);
        update_fingerprint_ = moves;
        levels_.take(reader, end);
    }

  private:
    /// What is done with the entries (LevelsInParts::find_levels).
    struct Work {
        static constexpr bool any_order = false;

        LayersInParts& layers;
        const TableFile& table;

        static void begin_level(unsigned layer) {
            if (layer == highest_layer<LayerState>)
                throw std::length_error("a line of more than 16382 plies in one class");
        }
        static bool awaits(unsigned, std::uint64_t, std::uint64_t) { return false; }
        static bool awaits_later(unsigned layer) { return layer == 0; }

        [[gnu::always_inline]] static Updated update(LayerState& state, std::uint64_t, int value, unsigned next) {
            const LayerState before = std::atomic_ref<LayerState>(state).load(std::memory_order_relaxed);
            if (has_layer(before) || awaited_value(before) != value) return Updated::nothing;
            return update_layer(state, value, next) ? Updated::level : Updated::state;
        }

        template <class Update, class Between>
        [[gnu::always_inline]] bool propagate(std::uint64_t from, std::uint64_t to, LayerState* states, unsigned layer,
                                              Update&& update, Between&& between) const {
            std::uint64_t sum = 0;
            const std::uint64_t found = for_each_layer_update(
                layers.game_, layers.class_, from, to, states, layer, [&](std::uint64_t i) { return table.value(i); },
                [&](const LayerUpdate& one, std::uint64_t i) {
                    sum += layers.fingerprint_(one.index, i);
                    update(one.index, one.value);
                },
                between);
            layers.update_fingerprint_.fetch_add(sum, std::memory_order_relaxed);
            layers.task_.done.fetch_add(found, std::memory_order_relaxed);
            return false;
        }
    };

    const G& game_;
    std::uint32_t class_;
    TableTask& task_;
    MoveFingerprint fingerprint_;
    std::atomic<std::uint64_t> update_fingerprint_{0};
    LevelsInParts<LayerState> levels_;
};

}  // namespace proofbase
