// A game whose classes are listed before tables of them are built or verified: all moves of a class stand in memory, as
// numbers, and the work on the table asks the rules no more. The rules of users' games are in Python, which only one
// thread runs at a time, and they know no predecessors: those are listed from the moves forwards.
//
// One class is listed at a time, with 16 bytes for a move and 8 for a predecessor.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "table_concepts.hpp"
#include "tables/listed/lists_moves.hpp"
#include "tables/work/table_task.hpp"

namespace proofbase {

/// A number of a class; or, for a finished position that is in no table, its value.
struct ListedPosition {
    std::uint32_t table_class = no_table_class;
    std::int64_t number = 0;

    bool operator==(const ListedPosition&) const = default;
};

struct ListedMove {
    std::int64_t number;  ///< of the position after it (ListedPosition)
    std::uint32_t table_class;
    std::int32_t reward;
};

/// The positions of a class, in the order of their numbers.
struct ListedClass {
    static constexpr std::int16_t goes_on = std::numeric_limits<std::int16_t>::max();
    static constexpr std::int16_t no_position = goes_on - 1;

    std::uint32_t table_class = no_table_class;
    std::vector<std::int16_t> ends;     ///< of each position: its value if it is finished, or one of these
    std::vector<std::uint64_t> starts;  ///< of each position, and of the end: where its moves begin
    std::vector<ListedMove> moves;
    std::vector<std::uint32_t> needs;          ///< the other classes that moves lead to
    std::vector<std::uint64_t> parent_starts;  ///< the same of predecessors
    std::vector<std::uint64_t> parents;        ///< positions of the class with a move to this one, once a move

    /// Lists the other classes and the predecessors by the moves.
    void finish();
};

/// What a listed game is, whatever its classes hold.
struct ListedRules {
    struct Table {
        std::string name;  ///< of its file
        std::uint32_t table_class;
        std::string class_name;
        std::uint64_t entries;
    };

    std::string name;
    int rules_version = 1;
    int highest_value = 1;
    int end_value = 1;  ///< where tables hold plies
    bool acyclic = true;
    std::vector<Table> tables;                                     ///< in an order in which they can be built
    std::function<std::uint64_t(const std::string&)> fingerprint;  ///< of the table with a name
    /// Adds the position with a number of the table with a name, and its moves, to the class.
    std::function<void(const std::string&, std::uint64_t, ListedClass&)> list;

    const Table& table(std::uint32_t table_class) const;
};

/// Copies share the rules and the class that is listed. `plies`: the tables hold plies.
template <bool plies>
class ListedGame {
  public:
    using Position = ListedPosition;
    using Move = std::uint32_t;  // its place among those of the position
    using Moves = std::vector<Move>;
    using Key = std::int64_t;

    explicit ListedGame(std::shared_ptr<const ListedRules> rules) : rules_(std::move(rules)) {}

    /// Lists the moves of a class in place of those of another one. Throws TableWorkCancelled, and what the rules do.
    void list_class(std::uint32_t c, TableTask& task) const {
        *listed_ = {};
        const ListedRules::Table& table = rules_->table(c);
        for (std::uint64_t i = 0; i < table.entries; ++i) {
            if (i % 256 == 0) task.stop_if_cancelled();
            listed_->starts.push_back(listed_->moves.size());
            rules_->list(table.name, i, *listed_);
            if (listed_->moves.size() - listed_->starts.back() > most_moves) {
                throw std::length_error("a position with more than 65535 moves");
            }
            task.done.fetch_add(1, std::memory_order_relaxed);
        }
        listed_->table_class = c;
        listed_->finish();
    }

    std::string table_name(std::uint32_t c) const { return rules_->table(c).name; }
    std::uint64_t table_fingerprint(std::uint32_t c) const { return rules_->fingerprint(rules_->table(c).name); }

    std::string name() const { return rules_->name; }
    int rules_version() const { return rules_->rules_version; }
    bool acyclic() const { return rules_->acyclic; }
    int highest_value() const { return rules_->highest_value; }
    int end_value() const
        requires plies
    {
        return rules_->end_value;
    }

    std::vector<std::uint32_t> classes(std::uint32_t) const { return earlier_than(no_table_class); }
    std::string class_name(std::uint32_t c) const { return rules_->table(c).class_name; }
    std::uint64_t class_size(std::uint32_t c) const { return rules_->table(c).entries; }
    /// All earlier ones, as long as the moves are not listed.
    std::vector<std::uint32_t> class_needs(std::uint32_t c) const {
        return listed_->table_class == c ? listed_->needs : earlier_than(c);
    }

    std::uint32_t table_class(const Position& p) const { return p.table_class; }
    std::uint64_t table_rank(const Position& p) const { return static_cast<std::uint64_t>(p.number); }
    void table_next(Position& p) const { ++p.number; }
    auto table_position(std::uint32_t c, std::uint64_t i) const {
        const Position p{c, static_cast<std::int64_t>(i)};
        if constexpr (plies) {
            return listed_->ends[i] == ListedClass::no_position ? std::nullopt : std::optional(p);
        } else {
            return p;
        }
    }

    std::optional<int> terminal(const Position& p) const {
        if (p.table_class == no_table_class) return static_cast<int>(p.number);
        const std::int16_t end = listed_->ends[table_rank(p)];
        return end == ListedClass::goes_on ? std::nullopt : std::optional(int{end});
    }
    void moves(const Position& p, Moves& out) const {
        out.clear();
        for (std::uint64_t m = start(p.number); m < start(p.number + 1); ++m) out.push_back(Move(m - start(p.number)));
    }
    Position play(const Position& p, Move m) const { return after(listed_->moves[start(p.number) + m]); }
    int reward(const Position& p, Move m) const { return listed_->moves[start(p.number) + m].reward; }

    template <class Visit>
    void for_each_successor(const Position& p, Visit&& visit) const {
        for (std::uint64_t m = start(p.number); m < start(p.number + 1); ++m) {
            visit(after(listed_->moves[m]), int{listed_->moves[m].reward});
        }
    }
    template <class Visit>
    void for_each_predecessor(const Position& p, Visit&& visit) const {
        const std::uint64_t i = table_rank(p);
        for (std::uint64_t k = listed_->parent_starts[i]; k < listed_->parent_starts[i + 1]; ++k) {
            visit(Position{p.table_class, static_cast<std::int64_t>(listed_->parents[k])});
        }
    }

    /// Concept ClassMoves.
    class PliesMoves {
      public:
        using Placement = Position;

        PliesMoves(const ListedGame& game, std::uint32_t c) : game_(game), class_(c) {}

        bool men(std::uint64_t i, Placement& out) const {
            out = {class_, static_cast<std::int64_t>(i)};
            return game_.listed_->ends[i] != ListedClass::no_position;
        }
        template <class Leave>
        ClassExits exits(const Placement& men, Leave&& leave) const {
            ClassExits out{game_.terminal(men)};
            game_.for_each_successor(men, [&](const Position& child, int) {
                if (child.table_class == class_) {
                    ++out.inside;
                } else {
                    leave(child.table_class, game_.table_rank(child));  // in no table: 0 for a drawn end
                }
            });
            return out;
        }
        template <class Visit>
        void for_each_predecessor(const Placement& men, Visit&& visit) const {
            game_.for_each_predecessor(men, [&](const Position& parent) { visit(game_.table_rank(parent)); });
        }

      private:
        const ListedGame& game_;
        std::uint32_t class_;
    };
    PliesMoves class_moves(std::uint32_t c) const
        requires plies
    {
        return {*this, c};
    }

    // A game has these; the work on tables does not ask for them.
    Position initial() const { return {}; }
    int side(const Position&) const { return 0; }
    Key key(const Position& p) const { return p.number; }
    std::optional<Position> position(const Key&) const { return std::nullopt; }
    std::size_t key_size() const { return sizeof(Key); }

  private:
    static constexpr std::uint64_t most_moves = 65535;  // that the verification counts

    static Position after(const ListedMove& move) { return {move.table_class, move.number}; }
    std::uint64_t start(std::int64_t number) const { return listed_->starts[static_cast<std::uint64_t>(number)]; }

    std::vector<std::uint32_t> earlier_than(std::uint32_t c) const {
        std::vector<std::uint32_t> out;
        for (const ListedRules::Table& table : rules_->tables) {
            if (table.table_class == c) break;
            out.push_back(table.table_class);
        }
        return out;
    }

    std::shared_ptr<const ListedRules> rules_;
    std::shared_ptr<ListedClass> listed_ = std::make_shared<ListedClass>();
};

static_assert(Indexed<ListedGame<false>> && !HasPlies<ListedGame<false>> && ListsMoves<ListedGame<false>>);
static_assert(IndexedByPlies<ListedGame<true>> && ListsMoves<ListedGame<true>>);

}  // namespace proofbase
