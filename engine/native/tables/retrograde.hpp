// Retrograde analysis of one class of positions (Bal and Romein 1995; Lincke and Marzetta 1999, on awari), by values
// from the highest to the lowest.
//
// Every position has `best`, the best value that its moves of known value bring, and `open`, the number of its moves
// whose value is not known. At the start the moves of known value are those that leave the class. For each threshold v
// from the highest value of any such move down to 1:
//
//   all positions that are not final have |value| <= v
//   a position with best = v cannot do better: it is final, with the value v
//   a position with open = 0 has no move of unknown value: it is final, with the value best
//   a final position with the value w updates each predecessor: best = max(best, -w), open = open - 1
//
// until nothing changes. A position that is not final after v = 1 is worth 0: neither side can force more than endless
// play is worth. The values are those of the game, so they do not depend on the order of the work or the number of
// threads.
//
// For a checkpoint the threads put back what they have still to do: each position that is final and has not updated its
// predecessors gets a mark, and the next pass over the class finds it.
//
// Two bytes a position. Updates are collected and then applied in batches, so that their cache misses overlap.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "concepts.hpp"
#include "huge_pages.hpp"
#include "table_concepts.hpp"
#include "tables/build_checkpoint.hpp"
#include "tables/packed_table.hpp"
#include "tables/shared_stacks.hpp"
#include "tables/table_set.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

/// How a class is built.
struct BuildOptions {
    unsigned threads = 1;
    std::chrono::milliseconds checkpoint_every{60'000};  ///< at most this often, and for an eighth of the time at most
};

template <Indexed G>
class Retrograde {
  public:
    /// `smaller`: has the tables of all classes that this class needs. `task` receives the progress.
    Retrograde(const TableSet<G>& smaller, std::uint32_t table_class, const BuildOptions& options, TableTask& task)
        : game_(smaller.game()),
          smaller_(smaller),
          class_(table_class),
          size_(game_.class_size(table_class)),
          options_(options),
          task_(task),
          header_(smaller.header(table_class)) {
        if (size_ >> 48 != 0) throw std::length_error("a class of more than 2^48 positions");
        if (game_.highest_value() > 120) throw std::invalid_argument("tables hold values from -120 to 120");
    }

    /// Solves the class and writes its table. Continues from a checkpoint if there is one.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = class_;
        task_.size = size_;
        states_.resize(size_);
        BuildCheckpoint checkpoint(smaller_.path(class_), header_);
        std::atomic<int> highest{0};
        saved_ = Clock::now();
        if (const auto threshold = checkpoint.load(states_)) {
            highest = *threshold;
        } else {
            task_.begin(TableTask::Phase::preparing);
            needed_tables(smaller_, class_, options_.threads, task_);
            in_pieces(options_.threads, size_, piece, task_,
                      [&](std::uint64_t from, std::uint64_t to) { prepare(from, to, highest); });
        }
        task_.begin(TableTask::Phase::solving);
        for (int v = std::max<int>(highest, 1); v >= 1; --v) {
            task_.threshold = v;
            while (!solve_threshold(v)) save(checkpoint, v);
            if (v > 1 && checkpoint_is_due()) save(checkpoint, v - 1);
        }
        task_.begin(TableTask::Phase::writing);
        write();
        checkpoint.remove();
    }

  private:
    using Position = typename G::Position;
    using State = std::uint16_t;  // `best` in the low byte, `open` in the high one
    using Value = std::int8_t;
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t piece = 1 << 14;
    // In place of `open`: the position is final, with the value `best`. The pending mark says that it has still to
    // update its predecessors: the work was stopped for a checkpoint.
    static constexpr unsigned final_mark = 255;
    static constexpr unsigned pending_mark = 254;
    static constexpr unsigned batches_between_looks = 1024;  // at the clock
    static constexpr Value no_value = std::numeric_limits<Value>::min();

    static constexpr State pack(int best, unsigned open) noexcept {
        return static_cast<State>(static_cast<std::uint8_t>(best) | open << 8);
    }
    static constexpr Value best_of(State state) noexcept { return static_cast<Value>(state & 0xff); }
    static constexpr unsigned open_of(State state) noexcept { return state >> 8; }
    static constexpr bool is_final(State state) noexcept { return open_of(state) >= pending_mark; }

    bool checkpoint_is_due() const { return Clock::now() - saved_ >= between_saves_; }

    void save(const BuildCheckpoint& checkpoint, int threshold) {
        const auto began = Clock::now();
        checkpoint.save(states_, threshold, task_);
        saved_ = Clock::now();
        between_saves_ = std::max<Clock::duration>(options_.checkpoint_every, 7 * (saved_ - began));
    }

    /// Sets `best` and `open` of the positions of a range, and raises `highest` to the largest |value| of a move that
    /// leaves the class.
    void prepare(std::uint64_t from, std::uint64_t to, std::atomic<int>& highest) {
        struct Exit {             // a move that leaves the class
            std::uint32_t index;  // of the position in its batch
            int reward;
            const TableFile* table;
            std::uint64_t rank;
        };
        constexpr std::uint64_t batch = 256;
        std::vector<Exit> exits;
        int largest = 0;
        Position p = game_.table_position(class_, from);
        for (std::uint64_t start = from; start < to; start += batch) {
            const std::uint64_t end = std::min(start + batch, to);
            exits.clear();
            for (std::uint64_t i = start; i < end; ++i) {
                if (i > from) game_.table_next(p);
                if (const std::optional<int> value = game_.terminal(p)) {
                    states_[i] = pack(*value, 0);
                    largest = std::max(largest, std::abs(*value));
                    continue;
                }
                unsigned open = 0;
                game_.for_each_successor(p, [&](const Position& child, int reward) {
                    const std::uint32_t c = game_.table_class(child);
                    if (c == class_) {
                        ++open;
                        return;
                    }
                    const TableFile* table = smaller_.table(c);
                    const std::uint64_t rank = game_.table_rank(child);
                    table->prefetch(rank);
                    exits.push_back({static_cast<std::uint32_t>(i - start), reward, table, rank});
                });
                if (open >= pending_mark) throw std::length_error("a position with more than 253 moves");
                states_[i] = pack(no_value, open);
            }
            for (const Exit& exit : exits) {
                State& state = states_[start + exit.index];
                const int value = exit.reward - exit.table->unchecked(exit.rank);
                largest = std::max(largest, std::abs(value));
                if (value > best_of(state)) state = pack(value, open_of(state));
            }
        }
        int known = highest.load();
        while (known < largest && !highest.compare_exchange_weak(known, largest)) {
        }
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    // An entry that has become final: its index and, in the low byte, its value.
    using Final = std::uint64_t;

    static constexpr Final pack_final(std::uint64_t index, int value) noexcept {
        return index << 8 | static_cast<std::uint8_t>(value);
    }

    // A final position's value as one of its predecessors sees it.
    struct Update {
        std::uint64_t index;
        int value;
    };

    /// Finds all positions that are final at the threshold v. False when it was stopped for a checkpoint: then the
    /// states hold all that was found, and another call goes on with it.
    bool solve_threshold(int v) {
        SharedStacks<Final> stacks(options_.threads);
        std::atomic<std::uint64_t> next{0};
        std::atomic<bool> stopped{false};
        in_threads(options_.threads, [&](unsigned) {
            std::vector<Final> stack;
            std::vector<Update> updates;
            unsigned batches = 0;
            try {
                while (true) {
                    while (!stack.empty() && !stopped.load(std::memory_order_relaxed)) {
                        propagate(stack, updates, v);
                        stacks.share(stack);
                        task_.stop_if_cancelled();
                        if (++batches % batches_between_looks == 0 && checkpoint_is_due()) {
                            stopped = true;
                            stacks.end();
                        }
                    }
                    task_.stop_if_cancelled();
                    if (stopped.load(std::memory_order_relaxed)) {
                        set_pending(stack);
                        return;
                    }
                    const std::uint64_t from = next.fetch_add(piece, std::memory_order_relaxed);
                    if (from < size_) {
                        collect_final(from, std::min(from + piece, size_), v, stack);
                    } else if (!stacks.receive(stack)) {
                        return;
                    }
                }
            } catch (...) {
                stacks.stop();
                throw;
            }
        });
        for (const std::vector<Final>& part : stacks.take()) set_pending(part);
        return !stopped;
    }

    void set_pending(const std::vector<Final>& stack) {
        for (const Final entry : stack) {
            const auto value = static_cast<Value>(entry & 0xff);
            std::atomic_ref<State>(states_[entry >> 8]).store(pack(value, pending_mark), std::memory_order_relaxed);
        }
    }

    /// Makes final the positions of a range that are final at the threshold v by their own state.
    void collect_final(std::uint64_t from, std::uint64_t to, int v, std::vector<Final>& stack) {
        for (std::uint64_t i = from; i < to; ++i) {
            std::atomic_ref<State> state(states_[i]);
            State old = state.load(std::memory_order_relaxed);
            // Another thread may update the same position meanwhile, or make it final.
            while (open_of(old) == pending_mark || (!is_final(old) && (best_of(old) == v || open_of(old) == 0))) {
                if (state.compare_exchange_weak(old, pack(best_of(old), final_mark), std::memory_order_relaxed)) {
                    stack.push_back(pack_final(i, best_of(old)));
                    break;
                }
            }
        }
    }

    /// Takes some final positions from the stack and updates their predecessors. Predecessors that become final go onto
    /// the stack.
    void propagate(std::vector<Final>& stack, std::vector<Update>& updates, int v) {
        constexpr std::size_t batch = 64;
        updates.clear();
        const std::size_t count = std::min(batch, stack.size());
        for (std::size_t k = 0; k < count; ++k) {
            const Final entry = stack.back();
            stack.pop_back();
            const int value = -static_cast<Value>(entry & 0xff);
            game_.for_each_predecessor(game_.table_position(class_, entry >> 8), [&](const Position& predecessor) {
                const std::uint64_t index = game_.table_rank(predecessor);
                __builtin_prefetch(&states_[index], 1);
                updates.push_back({index, value});
            });
        }
        for (const Update& update : updates) {
            std::atomic_ref<State> state(states_[update.index]);
            State old = state.load(std::memory_order_relaxed);
            while (!is_final(old)) {
                const int best = std::max<int>(best_of(old), update.value);
                const unsigned open = open_of(old) - 1;
                const bool settled = best >= v || open == 0;
                if (state.compare_exchange_weak(old, pack(best, settled ? final_mark : open),
                                                std::memory_order_relaxed)) {
                    if (settled) stack.push_back(pack_final(update.index, best));
                    break;
                }
            }
        }
        task_.done.fetch_add(count, std::memory_order_relaxed);
    }

    /// The value of a position, after the last threshold.
    static int value_of(State state) noexcept { return open_of(state) == final_mark ? best_of(state) : 0; }

    void write() {
        std::atomic<int> lowest{127};
        std::atomic<int> highest{-127};
        in_pieces(options_.threads, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            int low = 127;
            int high = -127;
            for (std::uint64_t i = from; i < to; ++i) {
                const State state = states_[i];
                if (open_of(state) == 0)
                    throw std::logic_error("a position whose moves all have known values has no value");
                low = std::min(low, value_of(state));
                high = std::max(high, value_of(state));
            }
            for (int known = lowest; low < known && !lowest.compare_exchange_weak(known, low);) {
            }
            for (int known = highest; high > known && !highest.compare_exchange_weak(known, high);) {
            }
        });
        header_.lowest = lowest;
        header_.bits = static_cast<std::uint32_t>(
            std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(highest - lowest)))));
        write_table(smaller_.path(class_), header_, options_.threads, task_,
                    [this](std::uint64_t i) { return static_cast<unsigned>(value_of(states_[i]) - header_.lowest); });
    }

    const G& game_;
    const TableSet<G>& smaller_;
    std::uint32_t class_;
    std::uint64_t size_;
    BuildOptions options_;
    TableTask& task_;
    TableHeader header_;
    std::vector<State, HugePages<State>> states_;
    Clock::time_point saved_;  // when the last checkpoint was written, or the work began
    Clock::duration between_saves_{options_.checkpoint_every};
};

}  // namespace proofbase
