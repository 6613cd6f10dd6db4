// The local check of the fact model (docs/fact-model.md): a claim against the claims of the children, by the rules
// alone. If every record of a closed set passes, every bound in the set is true.
//
//   lower = L, rank k, witness m: the child by m has a claim upper = U' with reward - U' >= L
//   upper = U, rank k: every child has a claim lower = L' with reward - L' <= U
//
// The child's claim must have a rank below k (a progress claim), unless repetition itself satisfies the bound: then k
// must be 0 (a safety claim). A terminal child counts as its exact value with rank 0. The limits of a child's value
// need no claim.
// Evidence by search, lines, threats or pairings: small_search.hpp, line_check.hpp, threat_check.hpp,
// pairing_check.hpp. An upper claim by lines
// rests on a line after each move that some line answers, and on the children's claims after all other moves; one by
// threats rests on the children's claims after the moves that it names. Where tables are attached to the records, a
// child that a table has counts as its exact value with rank 0, and a claim with the evidence `table` is compared with
// the table's entry of its own position.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/line/line_check_by_squares.hpp"
#include "records/evidence/pairing/line_board.hpp"
#include "records/evidence/pairing/pairing_check.hpp"
#include "records/evidence/small_search/small_search.hpp"
#include "records/evidence/strategy/strategy_check.hpp"
#include "records/evidence/table/table_check.hpp"
#include "records/evidence/threats/threat_check.hpp"
#include "records/known_records.hpp"

namespace proofbase {

/// A claim that fails, or a record that is no record of the game (then there is no claim). The names of the rules are
/// stable: `malformed` (no key of a legal position, or not the canonical one), `terminal` (a finished game has no
/// record), `missing` (a key to be checked has no record), `witness` (no legal move), `safety-rank` (a safety claim has
/// rank 0), `child` (no claim of a child, or none of a smaller rank, supports the bound), `search` (the search does not
/// settle the bound within its nodes), `line` (a line does not reach the bound), `threats` (no tree wins against a
/// reply), `strategy` (the diagram loses to a line of play), `pairing` (a line of the other side holds no pair),
/// `table` (the table that the claim names does not say so), `evidence` (evidence that this check cannot redo), `rules`
/// (the rules failed).
struct Finding {
    std::string key;  ///< as written (keys.hpp)
    std::optional<Claim> claim;
    std::string rule;
    std::string detail;
};

/// rho, the repetition value of a position; nothing if no line of play can come back to the position.
template <Game G>
std::optional<int> repetition_value(const G& game, const typename G::Position& position) {
    if constexpr (requires {
                      { game.repetition(position) } -> std::same_as<std::optional<int>>;
                  }) {
        return game.repetition(position);
    } else if constexpr (Cyclic<G>) {
        if (!game.acyclic()) return game.repetition(position);
    }
    return std::nullopt;
}

/// The written form of a key.
template <Game G>
std::string written(const G& game, const typename G::Key& key) {
    std::string out;
    write_key(key, game.key_size(), out);
    return out;
}

/// Checks the records of a table. The caller holds the table's mutex. One thread at a time.
template <Game G>
class LocalCheck {
  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;

    /// `zones`: replies outside the zone of a threat tree are not played out (docs/zones.md). `stored`: claims may rest
    /// on these records as well, which are not checked; null: there are none. The caller holds their mutex, too.
    explicit LocalCheck(const KnownRecords<G>& table, bool zones = false, const KnownRecords<G>* stored = nullptr)
        : table_(&table),
          stored_(stored),
          game_(&table.game()),
          search_(table.game()),
          own_search_(own_search_of(table)),
          lines_(table.game()),
          threats_(threat_check_of(table, zones)),
          strategies_(strategy_check_of(table.game())),
          board_(line_board_of(table.game())),
          items_(batch) {
        within_ = game_->name().starts_with("within:");
    }

    /// Checks all claims of the records of `keys`; appends what fails to `findings`.
    ///
    /// The children's records are fetched for a batch of records at a time, so that their cache misses overlap.
    void check(std::span<const Key> keys, std::vector<Finding>& findings) {
        for (std::size_t done = 0; done < keys.size();) {
            const std::size_t count = std::min(batch, keys.size() - done);
            for (std::size_t i = done + count; i < std::min(done + 2 * count, keys.size()); ++i) {
                table_->prefetch(table_->hash(keys[i]));
            }
            for (std::size_t i = 0; i < count; ++i) prepare(items_[i], keys[done + i], findings);
            for (std::size_t i = 0; i < count; ++i) {
                if (items_[i].checkable) verify(items_[i], findings);
            }
            done += count;
        }
    }

    /// Calls `visit(key, hash)` for each child (not terminal) that the claims of a record rest on. No calls for a key
    /// without a record, or a record that is none of the game.
    template <class Visit>
    void for_each_child(const Key& key, Visit&& visit) {
        ignored_.clear();
        Item& item = items_[0];
        prepare(item, key, ignored_);
        if (!item.checkable) return;
        for (const Child& child : item.children) {
            if (child.terminal) continue;
            // A child that a table has needs no record. A record that such a child has counts all the same.
            if (child.tabled && !table_->contains(child.key, child.hash)) continue;
            visit(child.key, child.hash);
        }
    }

    /// From now on the records of slots whose bit is set count as absent; null: none.
    void set_absent(const std::vector<bool>* absent) noexcept { absent_ = absent; }

  private:
    static constexpr std::size_t batch = 16;

    static std::unique_ptr<AnySmallSearch<Position>> own_search_of(const KnownRecords<G>& table) {
        if constexpr (requires { table.small_search(); }) return table.small_search();
        return nullptr;
    }

    static std::unique_ptr<AnyThreatCheck<Position>> threat_check_of(const KnownRecords<G>& table, bool zones) {
        if constexpr (requires { table.threat_check(zones); }) return table.threat_check(zones);
        return nullptr;
    }

    static std::unique_ptr<AnyStrategyCheck> strategy_check_of(const G& game) {
        if constexpr (requires { game.strategy_check(); }) return game.strategy_check();
        return nullptr;
    }

    struct Child {
        Move move;
        std::size_t move_index;  // in Item::moves
        int reward;
        std::optional<int> terminal;
        std::optional<TableValue> tabled;  ///< what the tables say of it
        int highest;                       ///< limit of its absolute value
        Key key;
        std::uint64_t hash;
    };

    /// A record under check.
    struct Item {
        Key key;
        Position position;
        Claims claims;
        typename G::Moves moves;
        std::vector<Child> children;              // those that the claims rest on
        std::vector<std::vector<bool>> answered;  // by claim: moves that need no claim of a child; or empty
        bool checkable;                           // the key is canonical and of a position that is not terminal
    };

    void prepare(Item& item, const Key& key, std::vector<Finding>& findings) {
        item.key = key;
        item.checkable = false;
        item.children.clear();
        const auto report = [&](const char* rule, std::string detail) {
            findings.push_back({written(*game_, key), std::nullopt, rule, std::move(detail)});
        };
        table_->claims(key, table_->hash(key), item.claims);
        if (item.claims.empty()) return report("missing", "there is no record of this key");
        try {
            const std::optional<Position> position = game_->position(key);
            if (!position) return report("malformed", "the key encodes no legal position");
            if (game_->key(*position) != key) return report("malformed", "the key is not canonical");
            if (game_->terminal(*position)) {
                return report("terminal", "the game is over here: such a position has no record");
            }
            item.position = *position;
            game_->moves(item.position, item.moves);
            find_children(item);
            item.checkable = true;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            report("rules", last_line(error.what()));
        }
    }

    /// Fills in the children that the claims rest on, and the moves that lines answer.
    void find_children(Item& item) {
        item.answered.assign(item.claims.size(), {});
        bool all = false;
        for (std::size_t c = 0; c < item.claims.size(); ++c) {
            const Claim& claim = item.claims[c];
            if (claim.side != Side::upper) continue;
            all |= claim.evidence == Evidence::children;
            if (claim.evidence == Evidence::line) {
                lines_.set(item.position);
                lines_.mark_answered(item.moves, claim.bound, claim.lines(), claim.rank, item.answered[c]);
            }
            if (claim.names_replies()) mark_unnamed(item, claim, item.answered[c]);
        }
        for (std::size_t m = 0; m < item.moves.size(); ++m) {
            const Move move = item.moves[m];
            bool needed = all;
            for (std::size_t c = 0; c < item.claims.size(); ++c) {
                const Claim& claim = item.claims[c];
                needed |= claim.side == Side::lower && claim.evidence == Evidence::children && claim.witness == move;
                needed |= !item.answered[c].empty() && !item.answered[c][m];
            }
            if (!needed) continue;
            const Position next = game_->play(item.position, move);
            Child child{move, m, game_->reward(item.position, move), game_->terminal(next), {}, 0, Key{}, 0};
            if (!child.terminal) {
                child.highest = value_limit(*game_, next);
                if (table_->tables() != nullptr) child.tabled = table_->tables()->entry(next);
                child.key = game_->key(next);
                child.hash = table_->hash(child.key);
                table_->prefetch(child.hash);
                if (stored_ != nullptr) stored_->prefetch(child.hash);
            }
            item.children.push_back(std::move(child));
        }
    }

    /// Marks the moves that a claim by threats or by a strategy does not name.
    static void mark_unnamed(const Item& item, const Claim& claim, std::vector<bool>& answered) {
        answered.assign(item.moves.size(), true);
        const std::vector<std::uint32_t> named = claim.named();
        for (std::size_t m = 0; m < item.moves.size(); ++m) {
            answered[m] = !std::ranges::binary_search(named, std::uint32_t{item.moves[m]});
        }
    }

    void verify(Item& item, std::vector<Finding>& findings) {
        for (std::size_t c = 0; c < item.claims.size(); ++c) {
            const Claim& claim = item.claims[c];
            const auto report = [&](std::string_view rule, std::string detail) {
                findings.push_back({written(*game_, item.key), claim, std::string(rule), std::move(detail)});
            };
            try {
                verify(item, claim, item.answered[c], report);
            } catch (const std::bad_alloc&) {
                throw;
            } catch (const std::exception& error) {
                report("rules", last_line(error.what()));
            }
        }
    }

    template <class Report>
    void verify(const Item& item, const Claim& claim, const std::vector<bool>& answered, Report&& report) {
        const bool lower = claim.side == Side::lower;
        const std::optional<int> rho = repetition_value(*game_, item.position);
        const bool safe = rho && (lower ? claim.bound <= *rho : claim.bound >= *rho);
        if (safe && claim.rank != 0) {
            return report("safety-rank", "repetition alone (worth " + std::to_string(*rho) +
                                             ") gives this bound: its rank is 0, not " + std::to_string(claim.rank));
        }
        if (item.moves.empty()) return report("rules", "no legal move, though the game is not over");
        if (lower && !legal(item, claim.witness)) {
            return report("witness", "move " + std::to_string(claim.witness) + " is not legal");
        }
        if (is_search(claim.evidence)) return verify_search(item, claim, report);
        if (claim.evidence == Evidence::table) return verify_table(item, claim, report);
        if (claim.evidence == Evidence::line && lower) return verify_line(item, claim, report);
        if (claim.evidence == Evidence::threats && (!verify_threats(item, claim, report) || lower)) return;
        if (claim.evidence == Evidence::pairing) return verify_pairing(item, claim, report);
        if (claim.evidence == Evidence::strategy && (!verify_strategy(item, claim, report) || lower)) return;
        for (const Child& child : item.children) {
            if (lower && child.move != claim.witness) continue;
            if (!answered.empty() && answered[child.move_index]) continue;
            const std::int64_t limit = std::int64_t{child.reward} - claim.bound;
            const std::optional<std::uint32_t> rank =
                smallest_supporting_rank(child, lower ? Side::upper : Side::lower, limit);
            if (rank && (safe || *rank < claim.rank)) continue;
            std::string detail = "after move " + move_name(item.position, child.move) + " no claim " +
                                 (lower ? "upper <= " : "lower >= ") + std::to_string(limit);
            if (!safe) detail += " with a rank below " + std::to_string(claim.rank);
            if (rank) detail += " (smallest rank there: " + std::to_string(*rank) + ")";
            return report("child", std::move(detail));
        }
    }

    /// The smallest rank of a claim of `side` about the child that is at least as strong as `limit`, the tables' entry
    /// included; nothing if there is no such claim.
    std::optional<std::uint32_t> smallest_supporting_rank(const Child& child, Side side, std::int64_t limit) const {
        const auto enough = [&](std::int64_t bound) { return side == Side::lower ? bound >= limit : bound <= limit; };
        if (child.terminal) return enough(*child.terminal) ? std::optional<std::uint32_t>(0) : std::nullopt;
        if (enough(side == Side::lower ? -child.highest : child.highest)) return 0;
        std::optional<std::uint32_t> rank;
        if (child.tabled && enough(child.tabled->value)) rank = rank_by_table(*child.tabled, side, limit);
        if (rank == 0u) return rank;
        if (limit < lowest_bound || limit > largest_bound) return rank;  // beyond the bounds that a claim can have
        if (absent_ != nullptr && (*absent_)[table_->slot_of(child.key, child.hash)]) return rank;
        for (const KnownRecords<G>* const records : {table_, stored_}) {
            if (records == nullptr) continue;
            const auto of_record =
                records->smallest_rank(child.key, child.hash, side, static_cast<std::int32_t>(limit));
            if (of_record) rank = std::min(rank.value_or(*of_record), *of_record);
        }
        return rank;
    }

    template <class Report>
    void verify_table(const Item& item, const Claim& claim, Report&& report) const {
        const auto broken = broken_by_table(*game_, table_->tables(), item.position, claim,
                                            [&] { return move_name(item.position, static_cast<Move>(claim.witness)); });
        if (broken) report(broken->rule, broken->detail);
    }

    template <class Report>
    void verify_search(const Item& item, const Claim& claim, Report&& report) {
        if (claim.rank == 0) return report("search", "a search to a depth of 0 settles nothing");
        if (claim.evidence == Evidence::search_to_limits && within_) {
            return report("search", "there are no searches to limits within plies");
        }
        Position start = item.position;
        std::int64_t limit = claim.bound;
        std::uint32_t depth = claim.rank;
        if (claim.side == Side::lower) {
            const auto move = static_cast<Move>(claim.witness);
            limit = std::int64_t{game_->reward(start, move)} - claim.bound;
            start = game_->play(start, move);
            --depth;
        }
        const std::uint32_t nodes = claim.nodes();
        const bool to_limits = claim.evidence == Evidence::search_to_limits;
        const SmallSearchOutcome found = own_search_ ? own_search_->hold(start, limit, depth, nodes, to_limits)
                                                     : search_.hold(start, limit, depth, nodes, to_limits);
        if (found.status == SmallSearchStatus::settled) return;
        report("search",
               "not settled within " + std::to_string(nodes) + " nodes and " + std::to_string(claim.rank) + " plies");
    }

    template <class Report>
    void verify_line(const Item& item, const Claim& claim, Report&& report) {
        const auto lines = claim.lines();
        if (lines.empty() || lines[0].size() != claim.rank || lines[0][0] != claim.witness) {
            return report(
                "line", "the line does not have " + std::to_string(claim.rank) + " moves that begin with the witness");
        }
        lines_.set(item.position);
        if (!lines_.reaches(claim.bound, lines[0])) {
            report("line", "the line does not reach the bound against every reply");
        }
    }

    /// Whether the trees of a claim prove what is theirs to prove.
    template <class Report>
    bool verify_threats(const Item& item, const Claim& claim, Report&& report) {
        if (!threats_) {
            report("evidence", "the game has no threats that trees could be checked by");
            return false;
        }
        const auto fault = threats_->fault(item.position, claim);
        if (!fault) return true;
        const bool after_reply = fault->reply != ThreatFault::none;
        const auto move = static_cast<Move>(fault->reply);
        report("threats",
               after_reply ? "after move " + move_name(item.position, move) + " " + fault->reason : fault->reason);
        return false;
    }

    /// Whether the diagram of a claim proves what is its to prove.
    template <class Report>
    bool verify_strategy(const Item& item, const Claim& claim, Report&& report) {
        if (!strategies_) {
            report("evidence", "the game has no squares that a strategy could be played on");
            return false;
        }
        if constexpr (requires { item.position.memory(); }) {
            const auto fault = strategies_->fault(item.position.memory(), claim);
            if (!fault) return true;
            report("strategy", *fault);
        }
        return false;
    }

    template <class Report>
    void verify_pairing(const Item& item, const Claim& claim, Report&& report) {
        if (!board_) return report("evidence", "the game has no lines that a pairing could hold");
        const bool lower = claim.side == Side::lower;
        if (lower ? claim.bound > 0 : claim.bound < 0) return report("pairing", "a pairing proves no win");
        if (claim.rank < item.moves.size()) {
            return report("pairing",
                          "the game may take " + std::to_string(item.moves.size()) + " plies, more than the rank");
        }
        Position position = item.position;
        LineSquares empty;
        for (const Move move : item.moves) empty.set(static_cast<std::size_t>(move));
        if (lower) {
            empty.reset(claim.witness);
            position = game_->play(position, static_cast<Move>(claim.witness));
            if (game_->terminal(position)) return report("pairing", "the game is over after the witness");
        }
        const auto [own, other] = stones_on(*board_, position);
        if (auto fault = pairing_fault(*board_, own, other, empty, claim.pairing()))
            report("pairing", std::move(*fault));
    }

    static bool legal(const Item& item, std::uint32_t witness) {
        for (const Move move : item.moves) {
            if (move == witness) return true;
        }
        return false;
    }

    std::string move_name(const Position& position, Move move) const {
        std::string name = std::to_string(move);
        if constexpr (Notated<G>) name = game_->move_text(position, move) + " (" + name + ")";
        return name;
    }

    /// The last line of a message: in a Python traceback that line says what happened.
    static std::string last_line(std::string_view text) {
        while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
        return std::string(text.substr(text.rfind('\n') + 1));
    }

    const KnownRecords<G>* table_;
    const KnownRecords<G>* stored_;
    const G* game_;
    SmallSearch<G> search_;
    std::unique_ptr<AnySmallSearch<Position>> own_search_;  ///< by the game's own type; null: `search_` does it
    LinesFromPosition<G> lines_;
    std::unique_ptr<AnyThreatCheck<Position>> threats_;  ///< null: there are no threats
    std::unique_ptr<AnyStrategyCheck> strategies_;       ///< null: the game has no squares
    std::unique_ptr<AnyLineBoard> board_;                ///< null: the game is none of lines
    std::vector<Item> items_;
    std::vector<Finding> ignored_;
    const std::vector<bool>* absent_ = nullptr;
    bool within_ = false;  ///< the game counts the plies that are left
};

}  // namespace proofbase
