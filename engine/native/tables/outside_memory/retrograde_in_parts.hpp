// Retrograde analysis of one class by values (retrograde.hpp) with less memory than its states take: the class is
// built in parts, of which one is in memory at a time.
//
// A position that has become final updates its predecessors. Those in the same part are updated at once. Updates of
// other parts are delayed: they are appended to a queue on the disk, one for each part, and applied when that part is
// in memory the next time. A threshold ends when all queues are empty and no part waits. The values are those of the
// game, whatever the order of the updates, so the table is the same, byte for byte.
//
// Wu, Liu and Hsu, "An external-memory retrograde analysis algorithm" (CG 2004), build databases of Chinese chess that
// are larger than the memory, by files as well; Bal and Allis, "Parallel retrograde analysis on a distributed system"
// (Supercomputing 1995), share the work out among processors. We know the abstract of the
// first and the title of the second; parts, queues and their limit are our own.
//
// The queues have a limit on the disk. Where they would pass it, the threads stop and mark the final positions that
// have still to update predecessors as pending, as for a checkpoint; the updates that wait for the part in memory are
// applied all the same. So every visit of the part with the longest queue makes room.
//
// At the end of a threshold lines of play lead to and fro between the parts with few updates each. A part for which few
// updates wait is not read as a whole, but only the states that they change (changed_states.hpp).
//
// After each visit of a part its states and the new updates count, by one change of the manifest (part_files.hpp): that
// is the checkpoint. A visit is stopped when a checkpoint is due, like the work of the ordinary builder.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
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
#include "tables/build/class_range.hpp"
#include "tables/build/entry_state.hpp"
#include "tables/build/propagation.hpp"
#include "tables/build/retrograde.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/table_set.hpp"
#include "tables/files/tables_with_cache.hpp"
#include "tables/outside_memory/changed_states.hpp"
#include "tables/outside_memory/part_files.hpp"
#include "tables/outside_memory/parts.hpp"
#include "tables/outside_memory/update_queues.hpp"
#include "tables/plan/plan.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class RetrogradeInParts {
  public:
    /// `tables`: those of the directory; no table is read through it. `plan`: for this class and these threads.
    RetrogradeInParts(const TableSet<G>& tables, std::uint32_t table_class, const PartsPlan& plan,
                      const BuildOptions& options, TableTask& task)
        : tables_(tables),
          game_(tables.game()),
          class_(table_class),
          size_(game_.class_size(table_class)),
          plan_(plan),
          options_(options),
          task_(task),
          header_(tables.header(table_class)),
          files_(tables.path(table_class), header_) {
        check_class(game_, table_class);
    }

    /// Solves the class and writes its table. Continues from a checkpoint if there is one whose parts are not longer.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = class_;
        task_.size = size_;
        if (auto found = files_.load(plan_, task_)) {
            manifest_ = std::move(*found);
            plan_ = *plan_.with_length(manifest_.length, size_);
        } else {
            files_.begin();
            manifest_ = {plan_.length, 0, 0, std::vector<PartRecord>(plan_.parts)};
        }
        parts_ = std::make_unique<Parts<AppendedFile>>(size_, plan_, options_.threads);
        states_.resize(parts_->longest());
        for (std::uint64_t part = 0; part < parts_->count(); ++part) {
            const PartRecord& record = manifest_.parts[part];
            parts_->queue(part).open(files_.queue(part, record.queue_generation), record.queue_bytes);
            parts_->queued += record.queue_bytes;
        }
        if (manifest_.threshold == 0) prepare();
        task_.begin(TableTask::Phase::solving);
        for (; manifest_.threshold >= 1; --manifest_.threshold) {
            task_.threshold = manifest_.threshold;
            while (const auto part = next_part()) {
                if (has_little_to_do(*part))
                    visit_few(*part);
                else
                    visit(*part);
            }
        }
        task_.begin(TableTask::Phase::writing);
        write();
        files_.remove();
    }

  private:
    using Clock = CheckpointClock::Clock;
    using Range = ClassRange<G, false>;

    static constexpr std::uint64_t few_updates = 2'000;
    static constexpr std::uint64_t no_part = ~std::uint64_t{0};
    // A checkpoint costs little beside so much work: then it is to outlast the end of the machine, too.
    static constexpr std::chrono::milliseconds long_work{1'000};

    std::uint64_t first_of(std::uint64_t part) const noexcept { return parts_->first_of(part); }
    std::uint64_t size_of(std::uint64_t part) const noexcept { return parts_->size_of(part); }
    Range range_of(std::uint64_t part) {
        return Range(game_, class_, states_.data(), first_of(part), size_of(part), task_);
    }

    /// The states of all parts by the moves that leave the class. What is finished is not done again.
    void prepare() {
        task_.begin(TableTask::Phase::preparing);
        const TableSet<G> smaller = tables_with_cache(tables_, game_.class_needs(class_), plan_.cache);
        needed_tables(smaller, class_, options_.threads, task_);
        for (std::uint64_t part = 0; part < manifest_.parts.size(); ++part) {
            if (manifest_.parts[part].generation > 0) {
                task_.done += size_of(part);
                continue;
            }
            began_ = Clock::now();
            in_memory_ = part;
            Range range = range_of(part);
            std::atomic<int> highest{manifest_.highest};
            // As long as possible: the more moves are collected the more of them lead to the same block.
            const std::uint64_t piece =
                std::clamp(range.size() / (4 * options_.threads), Range::piece, std::uint64_t{1} << 22);
            in_pieces(options_.threads, range.size(), piece, task_, [&](std::uint64_t from, std::uint64_t to) {
                range.prepare(range.first() + from, range.first() + to, smaller, plan_.moves, highest);
            });
            manifest_.highest = highest;
            commit(part);
        }
        manifest_.threshold = std::max(manifest_.highest, 1);
    }

    /// The part to visit next at the threshold; nothing if none waits.
    std::optional<std::uint64_t> next_part() const {
        if (parts_->queued < plan_.queues / 2) {
            // The part in memory, and then the one behind it.
            const std::uint64_t start = in_memory_ == no_part ? 0 : in_memory_;
            for (std::uint64_t k = 0; k < parts_->count(); ++k) {
                const std::uint64_t part = (start + k) % parts_->count();
                if (manifest_.parts[part].awaited >= manifest_.threshold) return part;
            }
        }
        const std::uint64_t longest = parts_->with_longest_queue();
        if (parts_->queue(longest).length() == 0) return std::nullopt;
        return longest;
    }

    /// Whether few updates wait for a part, and nothing else.
    bool has_little_to_do(std::uint64_t part) const {
        const PartRecord& record = manifest_.parts[part];
        return record.awaited < manifest_.threshold &&
               parts_->queue(part).length() <= bytes_of_an_update * std::min(few_updates, size_of(part) / 16) &&
               record.changes <= most_changed_states / 4;
    }

    /// What `visit` does, for a part that has little to do: it is not read as a whole.
    void visit_few(std::uint64_t part) {
        began_ = Clock::now();
        const int v = manifest_.threshold;
        ChangedStates states(files_.states(part, manifest_.parts[part].generation));
        ChangedStates::for_each(changes_of(part), [&](std::uint32_t i, EntryState state) { states.state(i) = state; });
        std::vector<FinalEntry> stack;
        const auto apply_few = [&](std::uint32_t index, int value) {
            EntryState& state = states.state(index);
            if (is_final(state)) return;
            state = updated_state(state, value, v);
            if (is_final(state)) stack.push_back(pack_final(first_of(part) + index, best_of(state)));
        };
        QueueReader<> queue(parts_->queue(part).path(), parts_->queue(part).length());
        std::vector<char> block;
        while (queue.next(block)) {
            for (std::size_t at = 0; at < block.size(); at += bytes_of_an_update) {
                const auto [index, value] = unpacked_update(block.data() + at);
                apply_few(index, value);
            }
        }
        Range nothing(game_, class_, nullptr, 0, 0, task_);  // all updates are passed on
        std::vector<ValueUpdate> updates;
        std::int64_t awaited = manifest_.parts[part].awaited;
        while (!stack.empty() && states.size() < most_changed_states / 2 && !parts_->full()) {
            task_.stop_if_cancelled();
            nothing.propagate(stack, updates, v, [&](const ValueUpdate& update) {
                if (parts_->part_of(update.index) != part) return parts_->add(0, update.index, update.value);
                apply_few(static_cast<std::uint32_t>(update.index - first_of(part)), update.value);
            });
        }
        for (const FinalEntry entry : stack) {
            states.state(static_cast<std::uint32_t>(index_of(entry) - first_of(part))) =
                pack_state(value_of_final(entry), pending_mark);
            awaited = awaits_always;
        }
        parts_->flush();
        PartRecord record = manifest_.parts[part];
        record.awaited = std::max<std::int64_t>(awaited, states.highest_best().value_or(no_value));
        const std::vector<char> packed = states.packed();
        record.changes = states.size();
        record.changes_checksum = files_.save_changes(part, ++record.changes_generation, packed, is_long());
        commit(part, record);
        if (part == in_memory_) take_changes(packed);
    }

    /// Puts changed states of the part in memory there.
    void take_changes(const std::vector<char>& packed) {
        ChangedStates::for_each(packed, [&](std::uint32_t i, EntryState state) { states_[i] = state; });
    }

    /// The changed states of a part, as their file has them.
    std::vector<char> changes_of(std::uint64_t part) const {
        auto found = files_.read_changes(part, manifest_.parts[part]);
        if (!found) damaged(part);
        return std::move(*found);
    }

    [[noreturn]] void damaged(std::uint64_t part) const {
        throw std::filesystem::filesystem_error("damaged states of a table that is being built",
                                                files_.states(part, manifest_.parts[part].generation),
                                                std::make_error_code(std::errc::io_error));
    }

    /// Applies the updates that wait for a part, and propagates what is final in it at the threshold.
    void visit(std::uint64_t part) {
        began_ = Clock::now();
        load(part);
        const int v = manifest_.threshold;
        Range range = range_of(part);
        QueueReader<> queue(parts_->queue(part).path(), parts_->queue(part).length());
        CheckpointClock clock(options_.checkpoint_every);
        clock.saved(began_);
        // Positions that become final by an update need not be looked for.
        std::atomic<std::uint64_t> next{manifest_.parts[part].awaited >= v ? 0 : range.size()};
        std::vector<std::vector<char>> blocks(options_.threads);
        propagate_in_threads(
            options_.threads, task_,
            [&](PropagatingThread& thread, bool stopped) {
                if (queue.next(blocks[thread.number])) {
                    apply(range, blocks[thread.number], v, thread.stack);
                    return true;
                }
                const std::uint64_t from = next.fetch_add(Range::piece, std::memory_order_relaxed);
                if (stopped || from >= range.size()) return false;
                range.collect_final(range.first() + from, range.first() + std::min(from + Range::piece, range.size()),
                                    v, thread.stack);
                return true;
            },
            [&](PropagatingThread& thread) {
                range.propagate(thread.stack, thread.updates, v, [&](const ValueUpdate& update) {
                    parts_->add(thread.number, update.index, update.value);
                });
                if (thread.stack.size() > most_stack_entries) shorten(range, thread.stack);
            },
            [&](const PropagatingThread& thread) { return parts_->full() || clock.is_due(thread.batches); },
            [&](const std::vector<FinalEntry>& stack) { range.set_pending(stack); });
        parts_->flush();
        commit(part);
    }

    static void apply(Range& range, const std::vector<char>& block, int v, std::vector<FinalEntry>& stack) {
        constexpr std::size_t ahead = 32 * bytes_of_an_update;
        for (std::size_t at = 0; at < block.size(); at += bytes_of_an_update) {
            if (at + ahead < block.size()) {
                range.prefetch(range.first() + unpacked_update(block.data() + at + ahead).first);
            }
            const auto [index, value] = unpacked_update(block.data() + at);
            range.apply({range.first() + index, value}, v, stack);
        }
    }

    /// Marks the older half of a stack as pending: the part is visited once more for it.
    static void shorten(Range& range, std::vector<FinalEntry>& stack) {
        const auto middle = stack.begin() + static_cast<std::ptrdiff_t>(stack.size() / 2);
        range.set_pending({stack.begin(), middle});
        stack.erase(stack.begin(), middle);
    }

    void load(std::uint64_t part) {
        if (in_memory_ == part) return;
        in_memory_ = no_part;
        if (!files_.read_states(part, manifest_.parts[part], states_.data(), size_of(part), task_)) damaged(part);
        take_changes(changes_of(part));
        in_memory_ = part;
    }

    bool is_long() const { return Clock::now() - began_ >= long_work; }

    /// Makes what was done with the part in memory count.
    void commit(std::uint64_t part) {
        PartRecord record = manifest_.parts[part];
        record.awaited = awaited_threshold(states_.data(), size_of(part));
        record.checksum =
            files_.save_states(part, ++record.generation, states_.data(), size_of(part), task_, is_long());
        record.changes = 0;
        commit(part, record);
    }

    /// Makes the new states of a part count, and the queues as they are, its own being used up.
    void commit(std::uint64_t part, PartRecord record) {
        const bool durable = is_long();
        const std::uint64_t used_up = std::exchange(record.queue_bytes, 0);
        if (used_up > 0) ++record.queue_generation;
        PartsManifest next = manifest_;
        for (std::uint64_t other = 0; other < parts_->count(); ++other) {
            next.parts[other].queue_bytes = parts_->queue(other).length();
            if (durable && other != part) parts_->queue(other).synchronize();
        }
        next.parts[part] = record;
        files_.save_manifest(next, task_, durable);
        files_.remove_old(part, manifest_.parts[part], record);
        manifest_ = std::move(next);
        if (used_up == 0) return;
        std::filesystem::remove(parts_->queue(part).path());
        parts_->queue(part).open(files_.queue(part, record.queue_generation), 0);
        parts_->queued -= used_up;
    }

    void write() {
        ValueRange values;
        for (std::uint64_t part = 0; part < manifest_.parts.size(); ++part) {
            load(part);
            in_pieces(options_.threads, size_of(part), Range::piece, task_, [&](std::uint64_t from, std::uint64_t to) {
                values.take(states_.data() + from, states_.data() + to);
            });
        }
        values.describe(header_);
        // Blocks that are written together belong to one part: a longer part is a multiple of so many.
        const std::uint64_t together = std::min(manifest_.length / header_.block_entries, blocks_written_together);
        write_table(
            tables_.path(class_), header_, options_.threads, task_, together,
            [this](std::uint64_t i) {
                return static_cast<unsigned>(value_of(states_[i - first_of(in_memory_)]) - header_.lowest);
            },
            [this](std::uint64_t from, std::uint64_t) { load(parts_->part_of(from)); });
    }

    const TableSet<G>& tables_;
    const G& game_;
    std::uint32_t class_;
    std::uint64_t size_;
    PartsPlan plan_;
    BuildOptions options_;
    TableTask& task_;
    TableHeader header_;
    PartFiles files_;
    PartsManifest manifest_;
    std::vector<EntryState, HugePages<EntryState>> states_;  // of the part in memory
    std::uint64_t in_memory_ = no_part;
    std::unique_ptr<Parts<AppendedFile>> parts_;
    Clock::time_point began_;  // the work on the part in memory
};

}  // namespace proofbase
