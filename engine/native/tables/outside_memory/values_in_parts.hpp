// Retrograde analysis by values (retrograde.hpp) of a class that is built in parts (build_in_parts.hpp). A threshold is
// a level: v = 127 is level 0, v = 1 level 126. A position that becomes final by an update is pending until it has
// updated its own predecessors, at the same threshold.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/files/checkpoint_file.hpp"
#include "tables/files/table_format.hpp"
#include "tables/files/table_set.hpp"
#include "tables/outside_memory/awaited_levels.hpp"
#include "tables/outside_memory/levels_in_parts.hpp"
#include "tables/outside_memory/states_on_disk.hpp"
#include "tables/plan/plan.hpp"
#include "tables/retrograde/class_range.hpp"
#include "tables/retrograde/entry_state.hpp"
#include "tables/retrograde/retrograde.hpp"
#include "tables/retrograde/value_range.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <Indexed G>
class ValuesInParts {
    using States = ValueStates<G>;

  public:
    using Game = G;
    using State = typename States::State;

    static constexpr const char* entries = "values";
    static constexpr bool any_order = true;
    static constexpr unsigned first_level = 0;

    ValuesInParts(const G& game, std::uint32_t table_class, TableTask& task)
        : game_(game), class_(table_class), task_(task) {
        check_class(game, table_class);
    }

    static int shown(unsigned level) { return threshold_of(level); }

    void prepare(std::uint64_t from, std::uint64_t to, const TableSet<G>& smaller, std::uint64_t most_exits,
                 std::vector<State>& states) const {
        std::atomic<int> highest{0};  // thresholds without work cost nothing
        states.resize(to - from);
        ClassRange<G, false>(game_, class_, states.data(), from, task_).prepare(from, to, smaller, most_exits, highest);
    }

    static void start(std::uint64_t from, const std::vector<State>& states, LevelsInParts<State>&,
                      AwaitedLevels& awaited) {
        for (std::uint64_t at = 0; at < states.size(); at += entries_of_a_mark) {
            const std::uint64_t count = std::min<std::uint64_t>(entries_of_a_mark, states.size() - at);
            const int threshold = States::awaited_threshold(states.data() + at, count);
            if (threshold > 0) awaited.await(from + at, level_of(threshold));
        }
    }

    [[gnu::always_inline]] static Updated update(State& state, std::uint64_t i, int value, unsigned level,
                                                 AwaitedLevels& awaited) {
        const std::atomic_ref<State> at(state);
        State old = at.load(std::memory_order_relaxed);
        while (!States::is_final(old)) {
            State now = States::updated(old, value, threshold_of(level));
            if (States::is_final(now)) now = States::pack(States::best_of(now), States::pending_mark);
            if (!at.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
            if (States::is_final(now)) return Updated::level;
            if (States::best_of(now) > std::max<int>(States::best_of(old), 0))
                awaited.await(i, level_of(States::best_of(now)));
            return Updated::state;
        }
        return Updated::nothing;
    }

    template <class Update, class Between>
    bool propagate(std::uint64_t from, std::uint64_t to, State* states, unsigned level, AwaitedLevels& awaited,
                   Update&& update, Between&& between) const {
        const int v = threshold_of(level);
        awaited.take(from);
        int later = 0;  // the highest threshold below v that one of them awaits
        std::uint64_t found = 0;
        for (std::uint64_t i = from; i < to; ++i) {
            const std::atomic_ref<State> at(states[i - from]);
            State old = at.load(std::memory_order_relaxed);
            // Another thread may update the same position meanwhile.
            while (States::becomes_final(old, v) &&
                   !at.compare_exchange_weak(old, States::pack(States::best_of(old), States::final_mark),
                                             std::memory_order_relaxed)) {
            }
            if (!States::becomes_final(old, v)) {
                if (!States::is_final(old)) later = std::max<int>(later, States::best_of(old));
                continue;
            }
            ++found;
            const int value = -States::best_of(old);
            game_.for_each_predecessor(table_placement(game_, class_, i),
                                       [&](const auto& predecessor) { update(game_.table_rank(predecessor), value); });
            between();
        }
        if (later > 0) awaited.await(from, level_of(later));
        task_.done.fetch_add(found, std::memory_order_relaxed);
        return found > 0;
    }

    static void put(CheckpointWriter&) {}
    static void take(CheckpointReader&) {}

    static void describe(const StatesOnDisk<State>& states, const TableTask& task, TableHeader& header) {
        ValueRange values;
        states.for_each(states.size(), task, [&](std::uint64_t, const State* from, std::uint64_t count) {
            values.template take<States>(from, from + count);
        });
        values.describe(header);
    }

    static unsigned entry(State state, const TableHeader& header) {
        return static_cast<unsigned>(States::value_of(state) - header.lowest);
    }

  private:
    static constexpr unsigned level_of(int threshold) noexcept {
        return static_cast<unsigned>(States::awaits_always - threshold);
    }
    static constexpr int threshold_of(unsigned level) noexcept {
        return States::awaits_always - static_cast<int>(level);
    }

    const G& game_;
    std::uint32_t class_;
    TableTask& task_;
};

}  // namespace proofbase
