// Retrograde analysis of one class with less memory than its states take: they are on the disk, those of one part of
// the class in memory, and updates of positions in other parts in queues (levels_in_parts.hpp). What is found, values
// (values_in_parts.hpp) or plies to the end (plies_in_parts.hpp), is a policy.
//
// The positions that their moves out of the class decide come in their turn (awaited_levels.hpp). The entries are those
// of the game, whatever the order of the work, so the table is the same as that of a builder in memory, byte for byte.
//
// A build that was killed goes on from a checkpoint (NAME.checkpoint): a text that names the table, what was prepared
// and solved, and the CRC-32 of everything before it.
//
// Wu, Liu and Hsu, "An external-memory retrograde analysis algorithm" (CG 2004), build databases of Chinese chess that
// are larger than the memory, by files as well; Bal and Allis, "Parallel retrograde analysis on a distributed system"
// (Supercomputing 1995), share the work out among processors. We know the abstract of the first and the title of the
// second; parts, queues and their limit are our own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "system.hpp"
#include "table_concepts.hpp"
#include "tables/files/block_cache.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/needed_tables.hpp"
#include "tables/files/packed_table.hpp"
#include "tables/files/table_set.hpp"
#include "tables/files/tables_with_cache.hpp"
#include "tables/outside_memory/awaited_levels.hpp"
#include "tables/outside_memory/levels_in_parts.hpp"
#include "tables/plan/plan.hpp"
#include "tables/retrograde/build_checkpoint.hpp"
#include "tables/retrograde/retrograde.hpp"
#include "tables/work/build_limits.hpp"
#include "tables/work/checkpoint_clock.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// `Policy`:
///     Game, State: the game, and the number that is known of a position while it is built.
///     any_order, first_level: LevelsInParts::find_levels, LevelsInParts.
///     entries: what they are called.
///     Policy(game, class, task): throws if no table can hold the class.
///     shown(level): what `task.threshold` says of a level.
///     prepare(from, to, smaller, most_exits, states): puts the states of these positions by the moves that leave the
///         class into an empty vector, and adds them to what is done. Any thread may call it, and the next three.
///     start(from, states, levels, awaited): the same positions: marks those of the first level, says what they await.
///     update(state, i, value, level, awaited): Work::update of LevelsInParts.
///     propagate(from, to, states, level, awaited, update, between): Work::propagate there.
///     put(writer), take(reader): what a checkpoint has of the policy.
///     describe(states, task, header): puts the bits of the entries into the header of the table, from all states.
///     entry(state, header): the entry of the table.
template <class Policy>
class BuildInParts {
  public:
    using Game = typename Policy::Game;

    /// `tables`: those of the directory; no table is read through it. `plan`: for this class and these threads.
    BuildInParts(const TableSet<Game>& tables, std::uint32_t table_class, const PartsPlan& plan,
                 const BuildOptions& options, TableTask& task)
        : tables_(tables),
          game_(tables.game()),
          class_(table_class),
          size_(game_.class_size(table_class)),
          plan_(plan),
          options_(options),
          task_(task),
          header_(tables.header(table_class)),
          checkpoint_(tables.path(table_class), header_),
          policy_(std::in_place, game_, table_class, task) {}

    /// Solves the class and writes its table. Continues from a checkpoint if there is one whose parts are not longer.
    /// Throws TableWorkCancelled, DamagedTable (that of a smaller class), std::filesystem::filesystem_error.
    void run() {
        task_.table_class = tables_.number(class_);
        task_.size = size_;
        clock_.start();
        if (!load()) {
            checkpoint_.remove();
            levels_.reset();
            policy_.emplace(game_, class_, task_);
            prepared_ = solved_ = 0;
            make_levels(plan_);
        }
        prepare();
        give_memory_back();
        task_.begin(TableTask::Phase::solving);
        task_.done = solved_;
        Work work{*this};
        levels_->find_levels(work, [this] {
            solved_ = task_.done;
            rest();
        });
        task_.begin(TableTask::Phase::writing);
        write();
        checkpoint_.remove();
    }

  private:
    using State = typename Policy::State;

    /// What is done with the positions (LevelsInParts::find_levels).
    struct Work {
        static constexpr bool any_order = Policy::any_order;

        BuildInParts& builder;

        void begin_level(unsigned level) const { builder.task_.threshold = Policy::shown(level); }

        bool awaits(unsigned level, std::uint64_t from, std::uint64_t to) const {
            return builder.awaited_->await_until(level, from, to);
        }
        bool awaits_later(unsigned) const { return builder.awaited_->await_any(); }
        bool has_to_rest() const { return builder.clock_.is_due(); }

        [[gnu::always_inline]] Updated update(State& state, std::uint64_t i, int value, unsigned level) const {
            return builder.policy_->update(state, i, value, level, *builder.awaited_);
        }

        template <class Update, class Between>
        [[gnu::always_inline]] bool propagate(std::uint64_t from, std::uint64_t to, State* states, unsigned level,
                                              Update&& update, Between&& between) const {
            return builder.policy_->propagate(from, to, states, level, *builder.awaited_, update, between);
        }
    };

    void make_levels(const PartsPlan& plan) {
        awaited_ = std::make_unique<AwaitedLevels>(size_);
        levels_ = std::make_unique<LevelsInParts<State>>(tables_.directory(), size_, plan, Policy::first_level,
                                                         options_.threads, task_);
    }

    /// Writes a checkpoint if one is due. Throws TableWorkCancelled (nothing is changed then),
    /// std::filesystem::filesystem_error.
    void rest() {
        if (!clock_.is_due()) return;
        const auto began = CheckpointClock::Clock::now();
        CheckpointWriter writer(checkpoint_.path(), task_);
        writer.text(checkpoint_.identity_in_parts(Policy::entries));
        writer.value(plan_.length);
        writer.value(prepared_);
        writer.value(solved_);
        policy_->put(writer);
        awaited_->put(writer);
        levels_->put(writer, prepared_);
        writer.finish();
        clock_.saved(began);
    }

    /// Whether there is a checkpoint of this class, which was taken.
    bool load() {
        if (!checkpoint_.is_in_parts(Policy::entries)) return false;
        CheckpointReader reader(checkpoint_.path());
        std::string found;
        std::uint64_t length = 0;
        reader.text(found);
        reader.value(length);
        reader.value(prepared_);
        reader.value(solved_);
        policy_->take(reader);
        const std::optional<PartsPlan> plan = plan_.with_length(length, size_);
        if (!reader.whole() || !plan || prepared_ > size_) return false;
        make_levels(*plan);
        awaited_->take(reader);
        levels_->take(reader, prepared_);
        if (!reader.finish()) return false;
        plan_.length = length;
        return true;
    }

    /// The states of all positions by the moves that leave the class. What is finished is not done again.
    void prepare() {
        task_.begin(TableTask::Phase::preparing);
        task_.done = prepared_;
        if (prepared_ == size_) return;
        const TableSet<Game> smaller = tables_with_cache(tables_, game_.class_needs(class_), plan_.cache);
        needed_tables(smaller, class_, options_.threads, task_);
        const std::uint64_t batch = (plan_.moves / states_of_a_block + 1) * states_of_a_block;
        while (prepared_ < size_) {
            const std::uint64_t first = prepared_;
            const std::uint64_t count =
                std::min(std::max<std::uint64_t>(1 << 22, options_.threads * batch), size_ - first);
            in_pieces(options_.threads, count, batch, task_, [&](std::uint64_t from, std::uint64_t to) {
                std::vector<State> states;
                states.reserve(to - from);
                policy_->prepare(first + from, first + to, smaller, plan_.moves, states);
                policy_->start(first + from, states, *levels_, *awaited_);
                levels_->states().write(first + from, states.data(), states.size());
            });
            prepared_ += count;
            rest();
        }
    }

    void write() {
        policy_->describe(levels_->states(), task_, header_);
        const std::uint64_t block = header_.block_entries;
        const std::uint64_t together = std::clamp<std::uint64_t>(plan_.length / block, 1, 16);
        std::vector<State> states(std::min(together * block, size_));
        std::uint64_t first = 0;
        write_table(
            tables_.path(class_), header_, options_.threads, task_, together,
            [&](std::uint64_t i) { return Policy::entry(states[i - first], header_); },
            [&](std::uint64_t from, std::uint64_t to) {
                first = from;
                levels_->states().read(from, states.data(), to - from);
            });
    }

    const TableSet<Game>& tables_;
    const Game& game_;
    std::uint32_t class_;
    std::uint64_t size_;
    PartsPlan plan_;
    BuildOptions options_;
    TableTask& task_;
    TableHeader header_;
    BuildCheckpoint checkpoint_;
    std::optional<Policy> policy_;
    std::uint64_t prepared_ = 0;  // the first positions, whose states are there
    std::uint64_t solved_ = 0;    // positions whose predecessors have been updated
    std::unique_ptr<AwaitedLevels> awaited_;
    std::unique_ptr<LevelsInParts<State>> levels_;
    CheckpointClock clock_{options_.checkpoint_every};
};

}  // namespace proofbase
