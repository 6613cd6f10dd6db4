// Verification of a table (docs/tables.md): by the rules forwards, whatever built it.
//
// 1. Consistency. Every entry is the maximum of reward - value(child) over the moves that the rules give, or the
//    terminal value. Children in smaller classes are looked up in their tables, which have a verification of their own.
// 2. Progress. Consistency alone would let values other than 0 rest on a cycle. Every entry other than 0 gets a layer
//    on account of layers below it (table_layers.hpp), so an entry that only a cycle supports never gets one.
//
// The first goes through the class forwards, in the order of the table, and fetches what a batch of positions asks for
// at once. With the builder it shares the numbering and the moves backwards, which are held against the rules here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "tables/table_layers.hpp"
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
        std::vector<std::uint32_t> needed = game_.class_needs(class_);
        needed.push_back(class_);
        for (const std::uint32_t c : needed) {
            const TableFile* table = tables_.table(c);
            if (table == nullptr) throw std::invalid_argument("table " + table_name(game_, c) + " is not there");
            in_pieces(threads_, table->header().blocks(), 64, task_, [&](std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t block = from; block < to; ++block) check_block(*table, c, block);
            });
            if (c >= files_.size()) files_.resize(c + 1);
            files_[c] = table;
        }
        report_.checked = size_;
        if (report_.failed > 0) return std::move(report_);  // values of damaged blocks say nothing
        TableLayers<G> layers(game_, class_, *files_[class_], threads_, task_);
        in_pieces(threads_, size_, piece, task_,
                  [&](std::uint64_t from, std::uint64_t to) { Values(*this, layers, from, to).check(); });
        task_.enter(TableTask::Phase::ranking);
        layers.find();
        if (layers.told() != moves_) {  // not all has a layer, or moves backwards are wrong
            task_.enter(TableTask::Phase::confirming);
            layers.confirm([this](std::uint64_t i) {
                found(i, own(i), "moves", "its moves backwards and forwards do not agree");
            });
        }
        for (const std::uint64_t i : layers.without()) {
            found(i, own(i), "progress", "no line of play brings this value about: it rests on a cycle only");
        }
        std::tie(report_.longest, report_.longest_entry) = layers.longest();
        return std::move(report_);
    }

  private:
    static constexpr std::uint64_t piece = 1 << 14;

    void check_block(const TableFile& table, std::uint32_t c, std::uint64_t block) {
        try {
            table.check(block);
        } catch (const DamagedTable& error) {
            found(c == class_ ? block * TableHeader::block_entries : 0, 0, "damaged", error.what());
        }
    }

    /// The entries of a piece against their moves.
    class Values {
      public:
        Values(TableVerification& all, TableLayers<G>& layers, std::uint64_t from, std::uint64_t to)
            : all_(all), game_(all.game_), layers_(layers), from_(from), to_(to) {}

        void check() {
            Position p = game_.table_position(all_.class_, from_);
            for (std::uint64_t i = from_; i < to_; ++i) {
                if (i > from_) game_.table_next(p);
                look_up(p, i);
                if (asked_.size() == batch || i + 1 == to_) conclude();
            }
            all_.moves_.fetch_add(moves_, std::memory_order_relaxed);
            all_.task_.done.fetch_add(to_ - from_, std::memory_order_relaxed);
        }

      private:
        using Position = typename G::Position;

        static constexpr std::size_t batch = 128;

        struct Child {
            std::uint32_t table_class;
            int reward;
            std::uint64_t rank;
        };

        struct Asked {
            std::uint64_t entry;
            std::optional<int> over;
            std::size_t last;  // behind its children; the first follows those of the one before
        };

        /// Finds the moves of a position and fetches what they lead to.
        void look_up(const Position& p, std::uint64_t i) {
            if (game_.table_class(p) != all_.class_ || game_.table_rank(p) != i) {
                refuse(i, "moves", "the position of this number has another number");
                return;
            }
            const std::size_t first = children_.size();
            const std::optional<int> over = game_.terminal(p);
            bool foreign = false;
            if (!over) {
                for_each_by_rules(game_, p, [&](const Position& child, int reward) {
                    const std::uint32_t c = game_.table_class(child);
                    foreign |=
                        c >= all_.files_.size() || all_.files_[c] == nullptr || (c == all_.class_ && reward != 0);
                    if (foreign) return;
                    const std::uint64_t rank = game_.table_rank(child);
                    all_.files_[c]->prefetch(rank);
                    children_.push_back({c, reward, rank});
                });
            }
            if (foreign) {
                refuse(i, "moves", "a move leads to a class that the game does not name");
                children_.resize(first);
                return;
            }
            asked_.push_back({i, over, children_.size()});
        }

        /// Holds what was looked up against the table.
        void conclude() {
            std::size_t k = 0;
            for (const Asked& asked : asked_) {
                const int stored = all_.own(asked.entry);
                std::optional<int> best = asked.over;
                unsigned inside = 0;  // moves in the class that are worth the value
                bool leaves = false;  // some move out of it is
                for (; k < asked.last; ++k) {
                    const Child& child = children_[k];
                    const int value = all_.files_[child.table_class]->unchecked(child.rank);
                    const int worth = child.reward - value;
                    if (!best || worth > *best) best = worth;
                    const bool stays = child.table_class == all_.class_;
                    if (stays && value != 0) moves_ += layers_.edge(asked.entry, child.rank);
                    if (worth != stored) continue;
                    if (stays) {
                        ++inside;
                    } else {
                        leaves = true;
                    }
                }
                if (best != stored) {
                    refuse(asked.entry, "value", "its moves are worth " + (best ? std::to_string(*best) : "nothing"));
                } else if (asked.over) {
                    layers_.settle(asked.entry, 0);
                } else if (stored > 0 ? leaves : stored < 0 && inside == 0) {
                    layers_.settle(asked.entry, 1);
                } else {
                    if (inside > TableLayers<G>::most_waiting)
                        throw std::length_error("a position with too many moves");
                    layers_.wait(asked.entry, stored, stored > 0 ? 1 : stored < 0 ? inside : 0);
                }
            }
            asked_.clear();
            children_.clear();
        }

        /// Reports an entry. It gets a layer all the same, so that those that rest on it are not reported too.
        void refuse(std::uint64_t i, const char* rule, std::string detail) {
            all_.found(i, all_.own(i), rule, std::move(detail));
            layers_.settle(i, 1);
        }

        TableVerification& all_;
        const G& game_;
        TableLayers<G>& layers_;
        std::uint64_t from_;
        std::uint64_t to_;
        std::uint64_t moves_ = 0;
        std::vector<Child> children_;
        std::vector<Asked> asked_;
    };

    int own(std::uint64_t i) const { return files_[class_]->unchecked(i); }

    /// Keeps the first findings by entry, in whatever order threads find them.
    void found(std::uint64_t entry, int value, const char* rule, std::string detail) {
        const auto before = [](const TableFinding& a, const TableFinding& b) {
            return std::tie(a.entry, a.rule, a.detail) < std::tie(b.entry, b.rule, b.detail);
        };
        const std::scoped_lock held(lock_);
        ++report_.failed;
        TableFinding finding{entry, value, rule, std::move(detail)};
        auto& kept = report_.findings;
        kept.insert(std::upper_bound(kept.begin(), kept.end(), finding, before), std::move(finding));
        if (kept.size() > TableReport::most_findings) kept.pop_back();
    }

    const G& game_;
    const TableSet<G>& tables_;
    std::uint32_t class_;
    std::uint64_t size_;
    unsigned threads_;
    TableTask& task_;
    std::vector<const TableFile*> files_;  // by class: those that this one needs, and its own
    std::atomic<std::uint64_t> moves_{0};  // fingerprint of those in the class from which values may be told
    std::mutex lock_;
    TableReport report_;
};

}  // namespace proofbase
