// Levels of the entries of a class, found in rising order with less memory than their states take: the states are on
// the disk, those of one part of the class in memory. Such levels are the layers of a verification
// (layers_in_parts.hpp), the plies to the end of the game (plies_in_parts.hpp), and the thresholds of values
// (values_in_parts.hpp).
//
// An entry that gets a level updates its predecessors. Those in the part in memory are updated at once, updates of
// others are appended to a queue on the disk, one for each part. While a level is propagated, each part that has
// entries in it, or updates by the level before, is visited. A visit
//
//   applies the updates of its queue by the level before, then those by the level that is being propagated,
//   propagates the entries of this level, as long as the queues are below their limit,
//   and writes the blocks of states that changed.
//
// An update is applied only when all by lower levels were, so every entry gets the same level as in memory. Where the
// order does not matter, at a threshold, an update brings an entry into the same level: a visit goes on until nothing
// follows in the part, and a level ends when nothing follows in any.
//
// Only those
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
#include <system_error>
#include <vector>

#include "huge_pages.hpp"
#include "in_threads.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/outside_memory/parts.hpp"
#include "tables/outside_memory/scratch_file.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/outside_memory/update_queues.hpp"
#include "tables/plan/plan.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// What an update has done to an entry.
enum class Updated : std::uint8_t { nothing, state, level };

template <class State>
class LevelsInParts {
  public:
    /// `directory`: where the files are. `level`: the lowest one. Throws std::filesystem::filesystem_error.
    LevelsInParts(const std::filesystem::path& directory, std::uint64_t size, const PartsPlan& plan, unsigned level,
                  unsigned threads, TableTask& task)
        : parts_(size, plan, threads),
          buffer_(plan.buffer),
          size_(size),
          threads_(threads),
          task_(task),
          level_(level),
          states_(directory, size),
          marks_((size + chunk - 1) / chunk),
          next_marks_(marks_.size()),
          due_(plan.parts) {
        for (std::uint64_t part = 0; part < parts_.count(); ++part) parts_.queue(part).open(directory);
    }

    const StatesOnDisk<State>& states() const noexcept { return states_; }
    StatesOnDisk<State>& states() noexcept { return states_; }
    unsigned level() const noexcept { return level_; }  ///< that is being propagated

    /// Says that an entry whose state was written has the level that is being propagated, or the next one. Any thread
    /// may call them.
    void mark(std::uint64_t i) { mark(marks_, i); }
    void mark_next(std::uint64_t i) { mark(next_marks_, i); }

    /// Propagates level after level. Calls `rest` now and then, while no thread is at work: what `put` writes then is
    /// what `take` goes on with. Throws TableWorkCancelled, std::filesystem::filesystem_error, and what `work` throws.
    ///
    /// Args:
    ///     work.any_order: whether an update brings an entry into the same level: the level is done when nothing
    ///         follows any more. Otherwise an update brings it into the next one.
    ///     work.has_to_rest(): asked where any_order is set: whether a visit ends early, so that `rest` is called.
    ///     work.begin_level(level): called before each level.
    ///     work.awaits(level, from, to): whether an entry in these chunks comes into the level without an update.
    ///     work.awaits_later(level): whether any does into a later one.
    ///     work.update(state, i, value, next): what an update does to the entry i; `next` is the level that it may get.
    ///         Any thread may call it, like the next one.
    ///     work.propagate(from, to, states, level, update, between): for every entry of a chunk in the level calls
    ///         `update(index, value)` for its predecessors, then `between()`. Returns whether it changed a state, and
    ///         adds to the number of positions that are done.
    template <class Work, class Rest>
    void find_levels(Work& work, Rest&& rest) {
        part_.resize(parts_.longest());
        loaded_.resize((part_.size() + block - 1) / block);
        changed_.resize(loaded_.size());
        while (true) {
            work.begin_level(level_);
            std::uint64_t next = 0;  // where to look for a part first
            while (const auto part = next_part(work, next)) {
                visit(*part, work);
                rest();
            }
            const auto next_mark = std::find(next_marks_.begin(), next_marks_.end(), std::uint8_t{1});
            if (parts_.queued == 0 && next_mark == next_marks_.end() && !work.awaits_later(level_)) break;
            std::swap(marks_, next_marks_);
            all_are_due();
            ++level_;
        }
        part_ = {};
    }

    /// Puts everything into a checkpoint: the states so far of the entries below `end`, and what has still to be done.
    void put(CheckpointWriter& writer, std::uint64_t end) const {
        writer.value(level_);
        states_.put(writer, end, task_);
        writer.array(marks_);
        writer.array(next_marks_);
        std::vector<char> bytes;
        for (std::uint64_t part = 0; part < parts_.count(); ++part) {
            const ScratchFile& queue = parts_.queue(part);
            writer.value(due_[part]);
            writer.value(queue.length());
            for (std::uint64_t at = 0; at < queue.length(); at += bytes.size()) {
                bytes.resize(std::min<std::uint64_t>(1 << 20, queue.length() - at));
                if (!queue.read(at, bytes.data(), bytes.size()).empty()) damaged();
                writer.bytes(bytes.data(), bytes.size());
            }
        }
    }

    /// Takes it from there. If the checkpoint turns out to be damaged, another object has to be made.
    void take(CheckpointReader& reader, std::uint64_t end) {
        reader.value(level_);
        states_.take(reader, end);
        reader.array(marks_);
        reader.array(next_marks_);
        std::vector<char> bytes;
        for (std::uint64_t part = 0; part < parts_.count() && reader.whole(); ++part) {
            std::uint64_t length = 0;
            reader.value(due_[part]);
            reader.value(length);
            for (std::uint64_t at = 0; at < length && reader.whole(); at += bytes.size()) {
                bytes.resize(std::min<std::uint64_t>(1 << 20, length - at));
                reader.bytes(bytes.data(), bytes.size());
                parts_.queue(part).append(bytes.data(), bytes.size());
            }
            parts_.queued += length;
        }
    }

  private:
    using Marks = std::vector<std::uint8_t>;

    static constexpr std::uint64_t block = states_of_a_block;
    static constexpr std::uint64_t chunk = entries_of_a_mark;

    struct Update {
        std::uint64_t index;  // in the part
        int value;
    };

    std::uint64_t first_of(std::uint64_t part) const noexcept { return parts_.first_of(part); }
    std::uint64_t size_of(std::uint64_t part) const noexcept { return parts_.size_of(part); }
    std::uint64_t chunks_of(std::uint64_t part) const noexcept { return (size_of(part) + chunk - 1) / chunk; }

    static void mark(Marks& marks, std::uint64_t i) {
        std::atomic_ref<std::uint8_t>(marks[i / chunk]).store(1, std::memory_order_release);
    }

    /// Whether one of some chunks has entries to propagate.
    template <class Work>
    bool has_work(const Work& work, std::uint64_t from, std::uint64_t to) const {
        const auto start = marks_.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = marks_.begin() + static_cast<std::ptrdiff_t>(to);
        return std::find(start, end, std::uint8_t{1}) != end || work.awaits(level_, from, to);
    }

    template <class Work>
    bool part_has_work(const Work& work, std::uint64_t part) const {
        const std::uint64_t first = first_of(part) / chunk;
        return has_work(work, first, first + chunks_of(part));
    }

    /// The updates that wait in the queues come into the level.
    void all_are_due() {
        for (std::uint64_t part = 0; part < parts_.count(); ++part) due_[part] = parts_.queue(part).length();
    }

    [[noreturn]] void damaged() const {
        throw std::filesystem::filesystem_error("damaged updates of a class in", parts_.queue(0).directory(),
                                                std::make_error_code(std::errc::io_error));
    }

    /// The part to visit next for the level; nothing if it is done.
    template <class Work>
    std::optional<std::uint64_t> next_part(const Work& work, std::uint64_t& next) const {
        if (parts_.full()) return parts_.with_longest_queue();
        for (std::uint64_t k = 0; k < parts_.count(); ++k) {
            const std::uint64_t part = (next + k) % parts_.count();
            if (due_[part] > 0 || part_has_work(work, part)) return next = part;
        }
        return std::nullopt;
    }

    template <class Work>
    void visit(std::uint64_t part, Work& work) {
        load(part, work);
        const std::uint64_t length = parts_.queue(part).length();
        apply_queue(part, 0, due_[part], level_, marks_, work);
        if (due_[part] < length) apply_queue(part, due_[part], length, level_ + 1, next_marks_, work);
        parts_.queue(part).empty();
        due_[part] = 0;
        parts_.queued -= length;
        if constexpr (Work::any_order) {
            do {
                propagate(part, level_, marks_, work);
            } while (part_has_work(work, part) && !parts_.full() && !work.has_to_rest());
        } else {
            propagate(part, level_ + 1, next_marks_, work);
        }
        parts_.flush();
        if constexpr (Work::any_order) all_are_due();
        store(part);
    }

    /// Reads the blocks of a part that have updates or entries to propagate.
    template <class Work>
    void load(std::uint64_t part, const Work& work) {
        const std::uint64_t blocks = (size_of(part) + block - 1) / block;
        const bool many = parts_.queue(part).length() >= 4 * bytes_of_an_update * blocks;
        std::fill(loaded_.begin(), loaded_.end(), std::uint8_t{many});
        std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
        if (!many) {
            const std::uint64_t first = first_of(part) / chunk;
            for (std::uint64_t c = 0; c < chunks_of(part); ++c) {
                if (has_work(work, first + c, first + c + 1)) loaded_[c * chunk / block] = 1;
            }
            for_each_update(part, 0, parts_.queue(part).length(), 1,
                            [&](std::uint32_t index, int) { loaded_[index / block] = 1; });
            if constexpr (Work::any_order) {
                // What follows from so many within the part needs the other blocks as well.
                const auto wanted = std::count(loaded_.begin(), loaded_.end(), std::uint8_t{1});
                if (static_cast<std::uint64_t>(wanted) >= blocks / 16) std::fill(loaded_.begin(), loaded_.end(), 1);
            }
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
    void for_each_update(std::uint64_t part, std::uint64_t from, std::uint64_t to, unsigned threads,
                         Visit&& visit) const {
        if (from == to) return;
        QueueReader queue(parts_.queue(part), from, to);
        in_threads(to - from > buffer_ ? threads : 1, [&](unsigned) {
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

    template <class Work>
    void apply_queue(std::uint64_t part, std::uint64_t from, std::uint64_t to, unsigned next, Marks& marks,
                     Work& work) {
        for_each_update(part, from, to, threads_, [&](std::uint32_t index, int value) {
            apply(first_of(part), {index, value}, next, marks, work);
        });
    }

    /// Updates an entry of the part in memory. `next`: the level that it gets if it waits for no further move.
    template <class Work>
    [[gnu::always_inline]] void apply(std::uint64_t first, const Update& update, unsigned next, Marks& marks,
                                      Work& work) {
        const std::uint64_t i = first + update.index;
        const Updated done = work.update(part_[update.index], i, update.value, next);
        if (done == Updated::nothing) return;
        change(update.index);
        if (done == Updated::level) mark(marks, i);
    }

    void change(std::uint64_t index) {
        std::atomic_ref<std::uint8_t>(changed_[index / block]).store(1, std::memory_order_relaxed);
    }

    /// Updates the predecessors of the entries of the part that are in the level, while there is room in the queues.
    /// Entries that updates bring into a level get marks.
    template <class Work>
    void propagate(std::uint64_t part, unsigned next, Marks& marks, Work& work) {
        constexpr std::size_t batch_size = 256;
        const std::uint64_t first = first_of(part);
        const std::uint64_t size = size_of(part);
        in_pieces(threads_, chunks_of(part), 64, task_, [&](unsigned thread, std::uint64_t from, std::uint64_t to) {
            std::vector<Update> updates;
            const auto apply_all = [&] {
                for (const Update& update : updates) apply(first, update, next, marks, work);
                updates.clear();
            };
            const auto update = [&](std::uint64_t i, int value) {
                const std::uint64_t index = i - first;
                if (index < size && loaded_[index / block] != 0) {
                    __builtin_prefetch(&part_[index], 1);
                    updates.push_back({index, value});
                    return;
                }
                parts_.add(thread, i, value);
            };
            for (std::uint64_t c = first / chunk + from; c < first / chunk + to; ++c) {
                if (parts_.full() || !has_work(work, c, c + 1)) continue;
                // Who takes the mark away sees the state of whoever has set it.
                std::atomic_ref<std::uint8_t>(marks_[c]).exchange(0, std::memory_order_acq_rel);
                const std::uint64_t start = c * chunk;
                const std::uint64_t end = std::min(start + chunk, first + size);
                const bool changed = work.propagate(start, end, &part_[start - first], level_, update, [&] {
                    if (updates.size() >= batch_size) apply_all();
                });
                if (changed) change(start - first);
            }
            apply_all();
        });
    }

    Parts parts_;
    std::uint64_t buffer_;  // bytes of a thread for updates of one part
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    unsigned level_;
    StatesOnDisk<State> states_;
    Marks marks_;                                // chunks with entries of the level
    Marks next_marks_;                           // chunks with entries of the next level
    std::vector<State, HugePages<State>> part_;  // the states of the part in memory
    std::vector<std::uint8_t> loaded_;           // by block of the part
    std::vector<std::uint8_t> changed_;          // likewise
    std::vector<std::uint64_t> due_;             // bytes of a queue that belong to the level, not to the next one
};

}  // namespace proofbase
