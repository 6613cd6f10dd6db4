// Verification of a table (docs/tables.md): by the rules forwards, whatever built it.
//
// 1. Consistency. Every entry is the maximum of reward - value(child) over the moves that the rules give, or the
//    terminal value. Children in smaller classes are looked up in their tables, which have a verification of their own.
// 2. Progress. Consistency alone would let values other than 0 rest on a cycle. Every entry v other than 0 gets a
//    layer: terminal positions 0; v > 0 one more than the lowest of a move that is worth v, where a move out of the
//    class counts 0; v < 0 one more than the highest of the moves in the class that are worth v. A layer is given only
//    on account of layers below it, so an entry that only a cycle supports never gets one.
//
// The second part looks for candidates among the predecessors of what got its layer last, and at the end among all that
// is left; whether a candidate gets a layer is decided by its moves forwards.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "huge_pages.hpp"
#include "tables/table_report.hpp"
#include "tables/table_set.hpp"
#include "tables/table_task.hpp"

namespace proofbase {

template <Indexed G>
class TableVerification {
  public:
    /// `tables` has this class and those that it needs.
    TableVerification(const TableSet<G>& tables, std::uint32_t table_class, unsigned threads, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          class_(table_class),
          size_(game_.class_size(table_class)),
          threads_(threads),
          task_(task) {}

    /// Throws TableWorkCancelled.
    TableReport run() {
        task_.table_class = class_;
        task_.size = size_;
        task_.enter(TableTask::Phase::checking);
        for (const std::uint32_t c : needed()) {
            const TableFile* table = tables_.table(c);
            if (table == nullptr) throw std::invalid_argument("table " + table_name(game_, c) + " is not there");
            in_pieces(threads_, table->header().blocks(), 64, task_, [&](std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t block = from; block < to; ++block) check_block(*table, c, block);
            });
        }
        report_.checked = size_;
        if (report_.failed > 0) return std::move(report_);  // values of damaged blocks say nothing
        layers_.assign(size_, none);
        in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) { check_values(from, to); });
        task_.enter(TableTask::Phase::ranking);
        rank_by_predecessors();
        rank_what_is_left();
        finish();
        return std::move(report_);
    }

  private:
    using Position = typename G::Position;
    using Layer = std::uint16_t;

    static constexpr std::uint64_t piece = 1 << 14;
    static constexpr Layer none = 0xffff;
    static constexpr Layer highest_layer = none - 1;

    std::vector<std::uint32_t> needed() const {
        std::vector<std::uint32_t> all = game_.class_needs(class_);
        all.push_back(class_);
        return all;
    }

    void check_block(const TableFile& table, std::uint32_t c, std::uint64_t block) {
        try {
            table.check(block);
        } catch (const DamagedTable& error) {
            found(c == class_ ? block * TableHeader::block_entries : 0, 0, "damaged", error.what());
        }
    }

    void check_values(std::uint64_t from, std::uint64_t to) {
        const TableFile& table = *tables_.table(class_);
        typename G::Moves moves;
        struct Child {
            std::uint32_t table_class;
            std::uint64_t rank;
            int reward;
            bool operator==(const Child&) const = default;
        };
        std::vector<Child> children;
        std::vector<Child> fast;
        for (std::uint64_t i = from; i < to; ++i) {
            const int stored = table.value(i);
            const Position p = game_.table_position(class_, i);
            if (game_.table_class(p) != class_ || game_.table_rank(p) != i) {
                found(i, stored, "moves", "the position of this number has another number");
                continue;
            }
            children.clear();
            fast.clear();
            const std::optional<int> over = game_.terminal(p);
            if (over) {
                layers_[i] = 0;
            } else {
                game_.moves(p, moves);
                for (const auto move : moves) {
                    const Position child = game_.play(p, move);
                    children.push_back({game_.table_class(child), game_.table_rank(child), game_.reward(p, move)});
                }
                game_.for_each_successor(p, [&](const Position& child, int reward) {
                    fast.push_back({game_.table_class(child), game_.table_rank(child), reward});
                });
                if (children != fast) {
                    found(i, stored, "moves", "the moves of the rules and those of the tables differ");
                    continue;
                }
            }
            std::optional<int> best = over;
            bool leaves = false;
            for (const Child& child : children) {
                const bool inside = child.table_class == class_;
                const TableFile* other = tables_.table(child.table_class);
                if (other == nullptr || (inside && child.reward != 0)) {
                    found(i, stored, "moves", "a move leads to a class that the game does not name");
                    continue;
                }
                const int worth = child.reward - other->value(child.rank);
                if (!best || worth > *best) best = worth;
                leaves |= worth == stored && !inside;
            }
            if (best != stored) {
                found(i, stored, "value", "its moves are worth " + (best ? std::to_string(*best) : "nothing"));
            } else if (!over && stored > 0 && leaves) {
                layers_[i] = 1;
            } else if (!over && stored < 0 && lies_above(i, 1)) {
                layers_[i] = 1;
            }
        }
        task_.done.fetch_add(to - from, std::memory_order_relaxed);
    }

    Layer layer(std::uint64_t i) const {
        return std::atomic_ref<Layer>(const_cast<Layer&>(layers_[i])).load(std::memory_order_relaxed);
    }

    /// Whether the layers below `next` give a position the layer `next`.
    bool lies_above(std::uint64_t i, std::uint32_t next) const {
        const TableFile& table = *tables_.table(class_);
        const int v = table.value(i);
        bool some = false;
        bool all = true;
        game_.for_each_successor(game_.table_position(class_, i), [&](const Position& child, int reward) {
            if (reward != 0 || game_.table_class(child) != class_) return;
            const std::uint64_t rank = game_.table_rank(child);
            if (-table.value(rank) != v) return;
            // Before the first pass is over, a terminal child may not have its layer yet.
            const bool below = next == 1 ? game_.terminal(child).has_value() : layer(rank) < next;
            some |= below;
            all &= below;
        });
        return v > 0 ? some : all;
    }

    /// Layer after layer, among the predecessors of the layer before. Layer 1 is there.
    void rank_by_predecessors() {
        for (std::uint32_t next = 1; next < highest_layer; ++next) {
            std::atomic<bool> any{false};
            in_pieces(threads_, size_, piece, task_, [&](std::uint64_t from, std::uint64_t to) {
                if (raise(from, to, next)) any = true;
            });
            if (!any && next > 1) return;  // layer 1 there may be though no terminal position is
        }
    }

    /// Gives the layer `next` to the predecessors of positions of the layer below that deserve it.
    bool raise(std::uint64_t from, std::uint64_t to, std::uint32_t next) {
        constexpr std::size_t batch = 256;
        const TableFile& table = *tables_.table(class_);
        struct Candidate {
            std::uint64_t place;
            int value;
        };
        std::vector<Candidate> candidates;
        bool any = false;
        std::uint64_t seen = 0;
        const auto settle = [&] {
            for (const Candidate& candidate : candidates) {
                if (layer(candidate.place) != none || table.value(candidate.place) != candidate.value) continue;
                if (!lies_above(candidate.place, next)) continue;
                std::atomic_ref<Layer>(layers_[candidate.place])
                    .store(static_cast<Layer>(next), std::memory_order_relaxed);
                any = true;
            }
            candidates.clear();
        };
        for (std::uint64_t i = from; i < to; ++i) {
            if (layer(i) != next - 1) continue;
            ++seen;
            const int v = table.value(i);
            if (v == 0) continue;
            game_.for_each_predecessor(game_.table_position(class_, i), [&](const Position& before) {
                const std::uint64_t place = game_.table_rank(before);
                __builtin_prefetch(&layers_[place]);
                table.prefetch(place);
                candidates.push_back({place, -v});
            });
            if (candidates.size() >= batch) settle();
        }
        settle();
        task_.done.fetch_add(seen, std::memory_order_relaxed);
        return any;
    }

    /// What the predecessors did not lead to, until nothing changes: nothing, where moves backwards are right.
    void rank_what_is_left() {
        const TableFile& table = *tables_.table(class_);
        std::vector<std::uint64_t> left;
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (i % piece == 0) task_.stop_if_cancelled();
            if (layers_[i] == none && table.value(i) != 0) left.push_back(i);
        }
        for (bool any = true; any;) {
            any = false;
            for (const std::uint64_t i : left) {
                task_.stop_if_cancelled();
                // One after the other, each on account of those before it: that is as good as layers.
                if (!lies_above(i, highest_layer)) continue;
                layers_[i] = static_cast<Layer>(highest_layer - 1);
                any = true;
            }
            std::erase_if(left, [&](std::uint64_t i) { return layers_[i] != none; });
        }
        for (const std::uint64_t i : left) {
            found(i, table.value(i), "progress", "no line of play brings this value about: it rests on a cycle only");
        }
    }

    void finish() {
        for (std::uint64_t i = 0; i < size_; ++i) {
            if (layers_[i] == none || layers_[i] <= report_.longest) continue;
            report_.longest = layers_[i];
            report_.longest_entry = i;
        }
        std::sort(report_.findings.begin(), report_.findings.end(),
                  [](const TableFinding& a, const TableFinding& b) { return a.entry < b.entry; });
    }

    void found(std::uint64_t entry, int value, const char* rule, std::string detail) {
        const std::scoped_lock held(lock_);
        ++report_.failed;
        if (report_.findings.size() < TableReport::most_findings)
            report_.findings.push_back({entry, value, rule, std::move(detail)});
    }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    std::vector<Layer, HugePages<Layer>> layers_;
    std::mutex lock_;
    TableReport report_;
};

}  // namespace proofbase
