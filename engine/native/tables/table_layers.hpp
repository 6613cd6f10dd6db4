// Layers of a table's entries: how the verification knows that no value rests on a cycle only (docs/tables.md).
//
// Every entry v other than 0 gets a layer: terminal positions 0; v > 0 one more than the lowest of a move that is worth
// v, where a move out of the class counts 0; v < 0 one more than the highest of the moves in the class that are worth
// v.
//
// They are found backwards, layer after layer, by counting: what got a layer tells the positions before it, and an
// entry that has been told by all the moves it waits for has the next layer. Moves backwards are not believed. Whoever
// sees the moves forwards adds up a fingerprint of those that are to be told (`edge`), and the tellings are added up
// likewise: if the sums agree, exactly these moves were told, once each, and the layers are those of the moves
// forwards. Otherwise `confirm` holds every layer against those of the moves forwards. Two bytes a position.
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
#include "tables/table_file.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

/// `visit(child, reward)` for every legal move of a position that is not finished, by the rules.
template <Indexed G, class Visit>
void for_each_by_rules(const G& game, const typename G::Position& p, Visit&& visit) {
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

    static constexpr unsigned most_waiting = 127;  ///< moves that an entry can wait for

    /// `table`: of the class, its blocks checked.
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

    /// Gives a layer that does not have to be confirmed. Threads may work on different entries.
    void settle(std::uint64_t i, unsigned layer) {
        states_[i] = static_cast<State>(settled | layer);
        if (layer == 0) mark(marks_, i);
        if (layer == 1) mark(next_marks_, i);
    }

    /// Leaves an entry without a layer until it is told by so many moves that are worth its value; likewise.
    void wait(std::uint64_t i, int value, unsigned moves) {
        states_[i] = static_cast<State>(open | moves << 8 | static_cast<std::uint8_t>(value));
    }

    /// The share of a move from an entry to one in the class in a fingerprint. Secret numbers make it, so that sums
    /// over different moves agree by accident only, once in 2^64 times.
    std::uint64_t edge(std::uint64_t from, std::uint64_t to) const noexcept {
        return mix((std::rotl(from, 32) + to) ^ secret_);
    }

    /// The sum over all moves that were told.
    std::uint64_t told() const noexcept { return told_; }

    /// Gives layers to what waits. Throws TableWorkCancelled.
    void find() {
        for (unsigned layer = 0;; ++layer) {
            if (layer == highest) throw std::length_error("a line of more than 16382 plies in one class");
            in_pieces(threads_, chunks(), 64, task_, [&](std::uint64_t from, std::uint64_t to) {
                std::vector<Telling> tellings;
                std::uint64_t sum = 0;
                for (std::uint64_t c = from; c < to; ++c) {
                    if (std::exchange(marks_[c], std::uint8_t{0}) != 0) tell(c, layer, tellings, sum);
                }
                hear(tellings, layer + 1);
                told_.fetch_add(sum, std::memory_order_relaxed);
            });
            std::swap(marks_, next_marks_);
            // Layer 1 has what was settled too, so it tells even if no finished position did.
            if (!any_.exchange(false) && layer > 0) return;
        }
    }

    /// Calls `unfounded(i)` for every layer found that the moves forwards do not account for, from any thread. Throws
    /// TableWorkCancelled.
    template <class Unfounded>
    void confirm(Unfounded&& unfounded) const {
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
            std::vector<Waiting> waiting;
            std::vector<std::uint64_t> children;
            Position p = game_.table_position(class_, from);
            for (std::uint64_t i = from; i < to; ++i) {
                if (i > from) game_.table_next(p);
                if (states_[i] < settled) {
                    const auto first = static_cast<std::uint32_t>(children.size());
                    for_each_inside(p, [&](std::uint64_t child) {
                        table_.prefetch(child);
                        __builtin_prefetch(&states_[child]);
                        children.push_back(child);
                    });
                    waiting.push_back({i, first, static_cast<std::uint32_t>(children.size())});
                }
                if (waiting.size() < batch && i + 1 < to) continue;
                for (const Waiting& w : waiting) {
                    const auto layer = layer_by_moves(w.entry, children.data() + w.first, children.data() + w.last);
                    if (!layer || *layer > layer_of(states_[w.entry])) unfounded(w.entry);
                }
                waiting.clear();
                children.clear();
            }
            task_.done.fetch_add(to - from, std::memory_order_relaxed);
        });
    }

    /// Looks at everything that has no layer by its moves forwards, until nothing changes, and returns what has none
    /// then. Where moves backwards are right nothing changes. Throws TableWorkCancelled.
    std::vector<std::uint64_t> without() {
        std::vector<std::uint64_t> left;
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (i % piece == 0) task_.stop_if_cancelled();
            if (states_[i] >= open && value_of(states_[i]) != 0) left.push_back(i);
        }
        for (bool any = true; any;) {
            any = false;
            std::vector<std::uint64_t> still;
            std::vector<std::uint64_t> children;
            for (const std::uint64_t i : left) {
                task_.stop_if_cancelled();
                children.clear();
                for_each_inside(game_.table_position(class_, i),
                                [&](std::uint64_t child) { children.push_back(child); });
                // One after the other, each on account of those before it: that is as good as layers.
                const auto layer = layer_by_moves(i, children.data(), children.data() + children.size());
                if (!layer || *layer >= highest) {
                    still.push_back(i);
                    continue;
                }
                states_[i] = static_cast<State>(*layer);
                any = true;
            }
            left = std::move(still);
        }
        return left;
    }

    /// The highest layer and the first entry that has it.
    std::pair<unsigned, std::uint64_t> longest() const {
        std::pair<unsigned, std::uint64_t> best{0, 0};
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (states_[i] < open && layer_of(states_[i]) > best.first) best = {layer_of(states_[i]), i};
        }
        return best;
    }

  private:
    // Without a layer: bit 15, the moves that it waits for (7 bits), its value (8 bits). Otherwise the layer (14 bits);
    // bit 14 says that it needs no confirmation.
    using State = std::uint16_t;
    using Marks = std::vector<std::uint8_t>;

    struct Waiting {
        std::uint64_t entry;
        std::uint32_t first, last;  // its children
    };

    struct Telling {
        std::uint64_t place;
        int value;
    };

    static constexpr State open = 0x8000;
    static constexpr State settled = 0x4000;
    static constexpr unsigned highest = settled - 1;
    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr std::uint64_t chunk = 256;  // entries that share a mark: some of them may have the layer
    static constexpr std::size_t batch = 256;
    static constexpr std::uint64_t near = 24;  // so many steps to the next position cost less than its number

    static std::uint64_t secret() {
        std::random_device device;
        return std::uint64_t{device()} << 32 | device();
    }

    static int value_of(State state) noexcept { return static_cast<std::int8_t>(state & 0xff); }
    static unsigned layer_of(State state) noexcept { return state & (settled - 1u); }

    std::uint64_t chunks() const noexcept { return (size_ + chunk - 1) / chunk; }

    static void mark(Marks& marks, std::uint64_t i) {
        std::atomic_ref<std::uint8_t>(marks[i / chunk]).store(1, std::memory_order_relaxed);
    }

    /// Entries of the moves of a position that stay in the class.
    template <class Visit>
    void for_each_inside(const Position& p, Visit&& visit) const {
        if (game_.terminal(p)) return;
        for_each_by_rules(game_, p, [&](const Position& child, int reward) {
            if (reward == 0 && game_.table_class(child) == class_) visit(game_.table_rank(child));
        });
    }

    /// The layer that the layers of these children give an entry; its moves out of the class do not.
    std::optional<unsigned> layer_by_moves(std::uint64_t i, const std::uint64_t* from, const std::uint64_t* to) const {
        const int v = table_.unchecked(i);
        std::optional<unsigned> found;
        if (v < 0) found = 1;
        for (; from != to; ++from) {
            if (-table_.unchecked(*from) != v) continue;
            const State state = states_[*from];
            const bool has = state < open;
            if (v > 0 && has && (!found || layer_of(state) + 1 < *found)) found = layer_of(state) + 1;
            if (v < 0 && !has) return std::nullopt;
            if (v < 0 && layer_of(state) + 1 > *found) found = layer_of(state) + 1;
        }
        return found;
    }

    /// What has this layer in a chunk tells the positions before it.
    void tell(std::uint64_t number, unsigned layer, std::vector<Telling>& tellings, std::uint64_t& sum) {
        std::uint64_t told = 0;
        const std::uint64_t end = std::min((number + 1) * chunk, size_);
        std::uint64_t at = end;  // the number of p
        Position p{};
        for (std::uint64_t i = number * chunk; i < end; ++i) {
            const State state = std::atomic_ref<State>(states_[i]).load(std::memory_order_relaxed);
            if (state >= open || layer_of(state) != layer) continue;
            ++told;
            const int v = table_.unchecked(i);
            if (v == 0) continue;
            if (i - at > near) {  // wraps around where there is none before
                p = game_.table_position(class_, i);
                at = i;
            }
            for (; at < i; ++at) game_.table_next(p);
            game_.for_each_predecessor(p, [&](const Position& before) {
                const std::uint64_t place = game_.table_rank(before);
                __builtin_prefetch(&states_[place], 1);
                tellings.push_back({place, -v});
                sum += edge(place, i);
            });
            if (tellings.size() >= batch) hear(tellings, layer + 1);
        }
        task_.done.fetch_add(told, std::memory_order_relaxed);
    }

    void hear(std::vector<Telling>& tellings, unsigned next) {
        for (const Telling& telling : tellings) {
            const std::atomic_ref<State> state(states_[telling.place]);
            State old = state.load(std::memory_order_relaxed);
            while (old >= open && value_of(old) == telling.value) {
                const bool last = (old & 0x7f00) <= 0x100;
                const auto now = static_cast<State>(last ? next : old - 0x100u);
                if (!state.compare_exchange_weak(old, now, std::memory_order_relaxed)) continue;
                if (last) {
                    mark(next_marks_, telling.place);
                    any_.store(true, std::memory_order_relaxed);
                }
                break;
            }
        }
        tellings.clear();
    }

    const G& game_;
    std::uint32_t class_;
    const TableFile& table_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    std::uint64_t secret_;
    std::atomic<std::uint64_t> told_{0};
    std::vector<State, HugePages<State>> states_;
    Marks marks_;       // chunks with entries of the layer that tells
    Marks next_marks_;  // and of the next one
    std::atomic<bool> any_{false};
};

}  // namespace proofbase
