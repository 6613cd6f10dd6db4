// Tables of the positions that can arise from the initial one (IndexedByReach). First they are listed, forwards: from
// each class those of the classes that its moves lead to. Then each class is solved from the classes behind it. The
// games have no cycles, so a position is worth the best of its moves.
//
// All classes are listed before the first is solved: 2 bytes a position, 1 more for its value, and a bit for each
// number of the class that is being listed and of the next.
//
// A build that was killed goes on from the classes that were listed (listed_positions.hpp), and from the tables that
// were written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "concepts.hpp"
#include "errors.hpp"
#include "table_concepts.hpp"
#include "tables/files/table_set.hpp"
#include "tables/reached/listed_positions.hpp"
#include "tables/reached/number_marks.hpp"
#include "tables/reached/reached_table.hpp"
#include "tables/work/build_limits.hpp"
#include "tables/work/in_pieces.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

template <IndexedByReach G>
class RetrogradeByReach {
  public:
    /// `tables`: those that there are. The others of the game are built.
    RetrogradeByReach(const TableSet<G>& tables, const BuildOptions& options, TableTask& task)
        : game_(tables.game()),
          tables_(tables),
          classes_(game_.classes(0)),
          threads_(options.threads),
          task_(task),
          checkpoint_(tables.checkpoint_of_all(), headers_as_listed(), options.checkpoint_every) {
        positions_.tables.resize(*std::max_element(classes_.begin(), classes_.end()) + 1);
    }

    /// Goes on from a checkpoint if there is one. Throws TableWorkCancelled (finished tables stay), DamagedTable (one
    /// that is there), std::filesystem::filesystem_error.
    void run() {
        if (!checkpoint_.load(positions_)) {
            const Position initial = game_.initial();
            marks(game_.table_class(initial)).set(game_.table_rank(initial));
        }
        while (positions_.listed < classes_.size()) {
            list(classes_[classes_.size() - 1 - positions_.listed]);
            ++positions_.listed;
            checkpoint_.save_if_due(positions_, task_);
        }
        for (const std::uint32_t c : classes_) {
            if (tables_.table(c) == nullptr) {
                solve(c);
                write_reached_table(positions_.tables[c], tables_.header(c), game_.unreached_value(), tables_.path(c),
                                    threads_, task_);
            } else if (is_needed(c)) {
                read(c);
            }
            task_.begin(TableTask::Phase::waiting);
            task_.before += game_.class_size(c);
            checkpoint_.save_if_due(positions_, task_);
        }
        checkpoint_.remove();
    }

  private:
    using Position = typename G::Position;

    NumberMarks& marks(std::uint32_t c) { return positions_.marks.try_emplace(c, game_.class_size(c)).first->second; }

    std::vector<TableHeader> headers_as_listed() const {
        std::vector<TableHeader> out;
        for (auto c = classes_.rbegin(); c != classes_.rend(); ++c) out.push_back(tables_.header(*c));
        return out;
    }

    /// Whether a class that has no table is solved from this one.
    bool is_needed(std::uint32_t c) const {
        return std::any_of(classes_.begin(), classes_.end(), [&](std::uint32_t other) {
            const std::vector<std::uint32_t> needs = game_.class_needs(other);
            return tables_.table(other) == nullptr && std::find(needs.begin(), needs.end(), c) != needs.end();
        });
    }

    /// Takes the positions and values of a class from its table.
    void read(std::uint32_t c) {
        begin(c, TableTask::Phase::preparing);
        positions_.tables[c] =
            read_reached_table(*tables_.table(c), game_.unreached_value(), threads_, task_,
                               [](std::uint64_t, const std::exception& error) { throw DamagedTable(error.what()); });
    }

    void begin(std::uint32_t c, TableTask::Phase phase) {
        task_.table_class = c;
        task_.size = game_.class_size(c);
        task_.begin(phase);
    }

    /// Lists the positions of a class, and marks those that their moves lead to.
    void list(std::uint32_t c) {
        begin(c, TableTask::Phase::preparing);
        NumberMarks& here = marks(c);
        for (const std::uint32_t behind : game_.class_needs(c)) marks(behind);
        std::vector<std::vector<std::uint64_t>> new_ones(threads_);  // of this class, which a thread has passed already
        in_pieces(threads_, here.words(), words_together, task_,
                  [&](unsigned thread, std::uint64_t from, std::uint64_t to) {
                      Marking marking(*this, c, new_ones[thread]);
                      for (std::uint64_t word = from; word < to; ++word) {
                          for (std::uint64_t bits = here.word(word); bits != 0; bits &= bits - 1) {
                              marking.play_from(64 * word + static_cast<unsigned>(std::countr_zero(bits)));
                          }
                      }
                      marking.finish();
                      task_.done += 64 * (to - from);
                  });
        std::vector<std::uint64_t> left;
        for (const auto& some : new_ones) left.insert(left.end(), some.begin(), some.end());
        while (!left.empty()) {
            task_.stop_if_cancelled();
            std::vector<std::uint64_t> next;
            Marking marking(*this, c, next);
            for (const std::uint64_t number : left) marking.play_from(number);
            marking.finish();
            left.swap(next);
        }
        positions_.tables[c].numbers = here.numbers();
        positions_.marks.erase(c);
    }

    /// Marks the positions after the moves of some positions of a class, many together, so that their cache misses
    /// overlap.
    class Marking {
      public:
        /// `new_ones`: gets those of the class itself that are new.
        Marking(RetrogradeByReach& work, std::uint32_t c, std::vector<std::uint64_t>& new_ones)
            : work_(work), class_(c), new_ones_(new_ones) {}

        void play_from(std::uint64_t number) {
            const G& game = work_.game_;
            const Position p = work_.position(class_, number);
            if (game.terminal(p)) return;
            game.moves(p, moves_);
            for (std::size_t m = 0; m < moves_.size(); ++m) {
                const Position child = game.play(p, moves_[m]);
                const std::uint32_t c = game.table_class(child);
                NumberMarks& marks = work_.positions_.marks.at(c);
                const std::uint64_t rank = game.table_rank(child);
                marks.prefetch(rank);
                waiting_.push_back({&marks, rank, c == class_});
            }
            if (waiting_.size() >= together) finish();
        }

        void finish() {
            for (const Child& child : waiting_) {
                if (child.marks->set(child.rank) && child.inside) new_ones_.push_back(child.rank);
            }
            waiting_.clear();
        }

      private:
        static constexpr std::size_t together = 128;

        struct Child {
            NumberMarks* marks;
            std::uint64_t rank;
            bool inside;
        };

        RetrogradeByReach& work_;
        std::uint32_t class_;
        std::vector<std::uint64_t>& new_ones_;
        typename G::Moves moves_;
        std::vector<Child> waiting_;
    };

    void solve(std::uint32_t c) {
        begin(c, TableTask::Phase::solving);
        ReachedTable& table = positions_.tables[c];
        table.values.resize(table.numbers.size());
        in_pieces(threads_, table.numbers.groups(), 1, task_, [&](std::uint64_t from, std::uint64_t to) {
            for (std::uint64_t group = from; group < to; ++group) {
                for (std::uint64_t k = table.numbers.start(group); k < table.numbers.start(group + 1); ++k) {
                    table.values[k] = static_cast<std::int8_t>(value(position(c, table.numbers.number(group, k)), c));
                }
            }
            task_.done += ReachedNumbers::group * (to - from);
        });
    }

    /// The value of a position of a class, of which those behind it are solved.
    int value(const Position& p, std::uint32_t c) const {
        if (const std::optional<int> finished = game_.terminal(p)) return *finished;
        typename G::Moves moves;
        game_.moves(p, moves);
        int best = std::numeric_limits<int>::min();
        for (std::size_t m = 0; m < moves.size(); ++m) {
            const Position child = game_.play(p, moves[m]);
            const std::uint32_t after = game_.table_class(child);
            const std::optional<int> found =
                after == c ? value(child, c) : positions_.tables[after].value(game_.table_rank(child));
            if (!found) {
                throw DamagedTable("table " + tables_.path(after).string() +
                                   ": a position that can arise has no entry; build it again");
            }
            best = std::max(best, -*found);
        }
        return best;
    }

    /// Precondition: the number was found as that of a position.
    Position position(std::uint32_t c, std::uint64_t number) const { return *game_.table_position(c, number); }

    static constexpr std::uint64_t words_together = 1 << 12;

    const G& game_;
    const TableSet<G>& tables_;
    std::vector<std::uint32_t> classes_;
    unsigned threads_;
    TableTask& task_;
    ListingCheckpoint checkpoint_;
    ListedPositions positions_;
};

}  // namespace proofbase
