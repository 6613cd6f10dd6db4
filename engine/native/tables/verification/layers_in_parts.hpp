// Layers of a table's entries (table_layers.hpp) with less memory than their states take: the states are on the disk,
// those of one part of the class in memory.
//
// An entry that gets a layer updates its predecessors. Those in the part in memory are updated at once, updates of
// others are appended to a queue on the disk, one for each part. Layers are found in rising order, as in memory: while
// a layer is propagated, each part that has entries in it, or updates by the layer before, is visited. A visit
//
//   applies the updates of its queue by the layer before, then those by the layer that is being propagated,
//   propagates the entries of this layer, as long as the queues are below their limit,
//   and writes the blocks of states that changed.
//
// An update is applied only when all by lower layers were, so every entry gets the same layer as in memory. Only those
// blocks of a part are read that have updates or entries to propagate; the queue takes the updates of the others. Where
// the queues reach their limit, the part with the longest one is visited, which makes room.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/retrograde/update_queues.hpp"
#include "tables/table_file.hpp"
#include "tables/table_task.hpp"
#include "tables/verification/layer_state.hpp"
#include "tables/verification/scratch_file.hpp"
#include "tables/verification/states_on_disk.hpp"
#include "tables/verification/verification_checkpoint.hpp"
#include "tables/verification/verification_plan.hpp"

namespace proofbase {

template <Indexed G>
class LayersInParts {
  public:
    using Position = typename G::Position;

    /// `directory`: where the files are. Throws std::filesystem::filesystem_error.
    LayersInParts(const G& game, std::uint32_t table_class, const std::filesystem::path& directory,
                  const VerificationPlan& plan, unsigned threads, TableTask& task)
        : game_(game),
          class_(table_class),
          plan_(plan),
          size_(game.class_size(table_class)),
          threads_(threads),
          task_(task),
          states_(directory, size_),
          marks_(chunks()),
          next_marks_(chunks()),
          queues_(plan.parts),
          older_(plan.parts) {
        for (ScratchFile& queue : queues_) queue.open(directory);
        for (unsigned number = 0; number < threads_; ++number) {
            buffers_.push_back(std::make_unique<Buffers>(queues_, plan_.buffer, queued_));
        }
    }

    const StatesOnDisk& states() const noexcept { return states_; }
    StatesOnDisk& states() noexcept { return states_; }
    const MoveFingerprint& fingerprint() const noexcept { return fingerprint_; }
    std::uint64_t updated_moves() const noexcept { return updated_moves_; }  ///< sum of their fingerprints

    /// Puts in the states that follow from the moves of entries forwards, whole blocks from the entry `from` on.
    /// Threads may work on different blocks.
    void set(std::uint64_t from, const LayerState* states, std::uint64_t count) {
        for (std::uint64_t k = 0; k < count; ++k) {
            if (states[k] == given_layer(0)) mark(marks_, from + k);
            if (states[k] == given_layer(1)) mark(next_marks_, from + k);
        }
        states_.write(from, states, count);
    }

    /// Finds the layers of the waiting entries. `table`: that of the class. Calls `rest` now and then, while no thread
    /// is at work: what `put` writes then is what `take` goes on with. Throws TableWorkCancelled,
    /// std::filesystem::filesystem_error, DamagedTable.
    template <class Rest>
    void find_layers(const TableFile& table, Rest&& rest) {
        part_.resize(std::min(plan_.length, size_));
        loaded_.resize((part_.size() + block - 1) / block);
        changed_.resize(loaded_.size());
        while (true) {
            if (layer_ == highest_layer) throw std::length_error("a line of more than 16382 plies in one class");
            while (const auto part = next_part()) {
                visit(*part, table);
                rest();
            }
            if (layer_ > 0 && queued_ == 0 && !marked(next_marks_, 0, chunks())) break;
            std::swap(marks_, next_marks_);
            for (std::uint64_t part = 0; part < queues_.size(); ++part) older_[part] = queues_[part].length();
            ++layer_;
        }
        part_ = {};
    }

    /// Puts everything into a checkpoint: the layers so far of the entries below `end`, and what has still to be done.
    void put(CheckpointWriter& writer, std::uint64_t end) const {
        writer.value(fingerprint_.secret);
        writer.value(layer_);
        writer.value(updated_moves_.load());
        states_.put(writer, end, task_);
        writer.array(marks_);
        writer.array(next_marks_);
        std::vector<char> bytes;
        for (std::uint64_t part = 0; part < queues_.size(); ++part) {
            writer.value(older_[part]);
            writer.value(queues_[part].length());
            for (std::uint64_t at = 0; at < queues_[part].length(); at += bytes.size()) {
                bytes.resize(std::min<std::uint64_t>(1 << 20, queues_[part].length() - at));
                if (!queues_[part].read(at, bytes.data(), bytes.size()).empty()) damaged();
                writer.bytes(bytes.data(), bytes.size());
            }
        }
    }

    /// Takes it from there. If the checkpoint turns out to be damaged, another object has to be made.
    void take(CheckpointReader& reader, std::uint64_t end) {
        std::uint64_t moves = 0;
        reader.value(fingerprint_.secret);
        reader.value(layer_);
        reader.value(moves);
        updated_moves_ = moves;
        states_.take(reader, end);
        reader.array(marks_);
        reader.array(next_marks_);
        std::vector<char> bytes;
        for (std::uint64_t part = 0; part < queues_.size() && reader.whole(); ++part) {
            std::uint64_t length = 0;
            reader.value(older_[part]);
            reader.value(length);
            for (std::uint64_t at = 0; at < length && reader.whole(); at += bytes.size()) {
                bytes.resize(std::min<std::uint64_t>(1 << 20, length - at));
                reader.bytes(bytes.data(), bytes.size());
                queues_[part].append(bytes.data(), bytes.size());
            }
            queued_ += length;
        }
    }

  private:
    using Marks = std::vector<std::uint8_t>;
    using Buffers = UpdateBuffers<ScratchFile>;

    static constexpr std::uint64_t block = StatesOnDisk::block;
    static constexpr std::uint64_t chunk = entries_of_a_mark;
    static constexpr std::size_t batch_size = 256;

    std::uint64_t chunks() const noexcept { return (size_ + chunk - 1) / chunk; }
    std::uint64_t first_of(std::uint64_t part) const noexcept { return part * plan_.length; }
    std::uint64_t size_of(std::uint64_t part) const noexcept { return std::min(plan_.length, size_ - first_of(part)); }
    std::uint64_t chunks_of(std::uint64_t part) const noexcept { return (size_of(part) + chunk - 1) / chunk; }

    static void mark(Marks& marks, std::uint64_t i) {
        std::atomic_ref<std::uint8_t>(marks[i / chunk]).store(1, std::memory_order_relaxed);
    }
    static bool marked(const Marks& marks, std::uint64_t from, std::uint64_t count) {
        const auto start = marks.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = start + static_cast<std::ptrdiff_t>(count);
        return std::find(start, end, 1) != end;
    }

    [[noreturn]] void damaged() const {
        throw std::filesystem::filesystem_error("damaged updates of a verification in", queues_.front().directory(),
                                                std::make_error_code(std::errc::io_error));
    }

    /// Bytes of all queues from which on no entry is propagated.
    std::uint64_t most_queued() const {
        return plan_.queues - threads_ * (plan_.parts * plan_.buffer + bytes_between_looks);
    }

    /// The part to visit next for the layer; nothing if it is done.
    std::optional<std::uint64_t> next_part() const {
        if (queued_ > most_queued()) {
            const auto longest =
                std::max_element(queues_.begin(), queues_.end(),
                                 [](const ScratchFile& a, const ScratchFile& b) { return a.length() < b.length(); });
            return static_cast<std::uint64_t>(longest - queues_.begin());
        }
        for (std::uint64_t part = 0; part < queues_.size(); ++part) {
            if (older_[part] > 0 || marked(marks_, first_of(part) / chunk, chunks_of(part))) return part;
        }
        return std::nullopt;
    }

    void visit(std::uint64_t part, const TableFile& table) {
        load(part);
        const std::uint64_t length = queues_[part].length();
        apply_queue(part, 0, older_[part], layer_, marks_);
        apply_queue(part, older_[part], length, layer_ + 1, next_marks_);
        queues_[part].empty();
        older_[part] = 0;
        queued_ -= length;
        propagate(part, table);
        for (const auto& buffers : buffers_) buffers->flush();
        store(part);
    }

    /// Reads the blocks of a part that have updates or entries to propagate.
    void load(std::uint64_t part) {
        const std::uint64_t blocks = (size_of(part) + block - 1) / block;
        const bool many = queues_[part].length() >= 4 * bytes_of_an_update * blocks;
        std::fill(loaded_.begin(), loaded_.end(), std::uint8_t{many});
        std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
        if (!many) {
            const std::uint64_t first = first_of(part) / chunk;
            for (std::uint64_t c = 0; c < chunks_of(part); ++c) {
                if (marks_[first + c] != 0) loaded_[c * chunk / block] = 1;
            }
            for_each_update_block(part, 0, queues_[part].length(), 1,
                                  [&](std::uint32_t index, int) { loaded_[index / block] = 1; });
        }
        in_pieces(threads_, blocks, 64, task_, [&](std::uint64_t from, std::uint64_t to) {
            for_each_run(loaded_, from, to, [&](std::uint64_t start, std::uint64_t end) {
                const std::uint64_t at = start * block;
                states_.read(first_of(part) + at, &part_[at], std::min(end * block, size_of(part)) - at);
            });
        });
    }

    /// Writes the blocks of a part that changed.
    void store(std::uint64_t part) {
        const std::uint64_t blocks = (size_of(part) + block - 1) / block;
        in_pieces(threads_, blocks, 64, task_, [&](std::uint64_t from, std::uint64_t to) {
            for_each_run(changed_, from, to, [&](std::uint64_t start, std::uint64_t end) {
                const std::uint64_t at = start * block;
                states_.write(first_of(part) + at, &part_[at], std::min(end * block, size_of(part)) - at);
            });
        });
    }

    /// Calls `visit(start, end)` for the rows of flags in [from, to) that are set.
    template <class Visit>
    static void for_each_run(const std::vector<std::uint8_t>& flags, std::uint64_t from, std::uint64_t to,
                             Visit&& visit) {
        for (std::uint64_t at = from; at < to;) {
            const std::uint64_t start = at;
            while (at < to && flags[at] != 0) ++at;
            if (at > start) visit(start, at);
            while (at < to && flags[at] == 0) ++at;
        }
    }

    /// Calls `visit(index in the part, value)` for the updates between two places of a queue, in so many threads.
    template <class Visit>
    void for_each_update_block(std::uint64_t part, std::uint64_t from, std::uint64_t to, unsigned threads,
                               Visit&& visit) const {
        if (from == to) return;
        QueueReader<ScratchFile> queue(queues_[part], queues_[part].directory(), from, to);
        in_threads(to - from > plan_.buffer ? threads : 1, [&](unsigned) {
            std::vector<char> bytes;
            while (queue.next(bytes)) {
                task_.stop_if_cancelled();
                for (std::size_t at = 0; at < bytes.size(); at += bytes_of_an_update) {
                    const auto [index, value] = unpacked_update(bytes.data() + at);
                    visit(index, value);
                }
            }
        });
    }

    void apply_queue(std::uint64_t part, std::uint64_t from, std::uint64_t to, unsigned next, Marks& marks) {
        for_each_update_block(part, from, to, threads_,
                              [&](std::uint32_t index, int value) { apply(part, index, value, next, marks); });
    }

    /// Updates an entry of the part in memory. `next`: the layer that it gets if it waits for no further move.
    [[gnu::always_inline]] void apply(std::uint64_t part, std::uint64_t index_in_part, int value, unsigned next,
                                      Marks& marks) {
        LayerState& state = part_[index_in_part];
        const LayerState before = std::atomic_ref<LayerState>(state).load(std::memory_order_relaxed);
        if (has_layer(before) || awaited_value(before) != value) return;
        std::atomic_ref<std::uint8_t>(changed_[index_in_part / block]).store(1, std::memory_order_relaxed);
        if (update_layer(state, value, next)) mark(marks, first_of(part) + index_in_part);
    }

    /// Updates the predecessors of the entries of the part that are in the layer, while there is room in the queues.
    void propagate(std::uint64_t part, const TableFile& table) {
        const std::uint64_t first = first_of(part);
        in_pieces(threads_, chunks_of(part), 64, task_, [&](unsigned thread, std::uint64_t from, std::uint64_t to) {
            std::vector<LayerUpdate> updates;
            std::uint64_t sum = 0;
            std::uint64_t found = 0;
            const auto apply_all = [&] {
                for (const LayerUpdate& update : updates) {
                    apply(part, update.index - first, update.value, layer_ + 1, next_marks_);
                }
                updates.clear();
            };
            for (std::uint64_t c = first / chunk + from; c < first / chunk + to; ++c) {
                if (marks_[c] == 0 || queued_.load(std::memory_order_relaxed) > most_queued()) continue;
                marks_[c] = 0;
                const std::uint64_t start = c * chunk;
                found += for_each_layer_update(
                    game_, class_, start, std::min(start + chunk, first + size_of(part)), &part_[start - first], layer_,
                    [&](std::uint64_t i) { return table.value(i); },
                    [&](const LayerUpdate& update, std::uint64_t i) {
                        sum += fingerprint_(update.index, i);
                        const std::uint64_t index = update.index - first;
                        if (index < size_of(part) && loaded_[index / block] != 0) {
                            __builtin_prefetch(&part_[index], 1);
                            updates.push_back(update);
                            return;
                        }
                        const std::uint64_t to_part = update.index / plan_.length;
                        buffers_[thread]->add(to_part, static_cast<std::uint32_t>(update.index - first_of(to_part)),
                                              update.value);
                    },
                    [&] {
                        if (updates.size() >= batch_size) apply_all();
                    });
            }
            apply_all();
            updated_moves_.fetch_add(sum, std::memory_order_relaxed);
            task_.done.fetch_add(found, std::memory_order_relaxed);
        });
    }

    const G& game_;
    std::uint32_t class_;
    VerificationPlan plan_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    MoveFingerprint fingerprint_;
    unsigned layer_ = 0;  // that is being propagated
    std::atomic<std::uint64_t> updated_moves_{0};
    StatesOnDisk states_;
    Marks marks_;                                          // chunks with entries of the layer
    Marks next_marks_;                                     // chunks with entries of the next layer
    std::vector<LayerState, HugePages<LayerState>> part_;  // the states of the part in memory
    std::vector<std::uint8_t> loaded_;                     // by block of the part
    std::vector<std::uint8_t> changed_;                    // likewise
    std::vector<ScratchFile> queues_;                      // by part
    std::vector<std::uint64_t> older_;                     // bytes of a queue that the layer before has put there
    std::atomic<std::uint64_t> queued_{0};                 // bytes of all queues
    std::vector<std::unique_ptr<Buffers>> buffers_;        // by thread
};

}  // namespace proofbase
