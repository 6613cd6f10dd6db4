// The claims that an answer of df-pn-plies rests on, taken from its table: of a position that is won the move to the
// child that is won soonest, of one that is lost all moves; where the attacker does not win in time, all his moves, and
// of the defender's one. What the table has lost is searched again.
//
// The rank of a win or a loss is the number of plies within which it is proved, which falls with every ply, as the
// table's numbers do; that of other bounds is the number of plies left.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "records/value_tables.hpp"
#include "search/api/search.hpp"
#include "search/plies/plies_worker.hpp"
#include "virtual_game/small_search_within_plies.hpp"

namespace proofbase {

template <TellsWinningMoves I>
class PliesSolution {
  public:
    using Worker = PliesWorker<I>;
    using Position = typename I::Position;
    using Sink = std::function<void(const VirtualKey&, const Claim&)>;

    PliesSolution(Worker& worker, const VirtualGame& game, const VirtualRecords* records,
                  std::uint32_t small_search_nodes, const Sink& sink, const std::atomic<bool>& cancelled)
        : worker_(worker),
          game_(game),
          records_(records),
          small_searches_(game, small_search_nodes, small_search_within_plies(game)),
          sink_(sink),
          cancelled_(cancelled) {}

    /// Emits all claims below a position that is not terminal. `attacks`: the attacker is to move there. Throws
    /// Cancelled.
    void emit(const Position& root, std::uint32_t plies, bool attacks, bool won) {
        add(root, plies, attacks, won, plies);
        while (!to_emit_.empty()) {
            if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            const Node node = std::move(to_emit_.back());
            to_emit_.pop_back();
            emit_node(node);
        }
    }

  private:
    using Move = typename I::Move;

    /// A position that stands for all of its key, with the plies left.
    struct Node {
        Position position;
        std::uint32_t plies;
        bool attacks;
        bool won;  ///< the attacker wins in time
        std::uint32_t most_rank;
    };
    struct Child {
        Move move;
        Position position;
        PliesKnown known;
    };

    /// The plies that the attacker can use: he makes the last move.
    static std::uint32_t usable(std::uint32_t plies, bool attacks) noexcept {
        return plies - ((plies % 2 == 1) != attacks && plies > 0);
    }

    /// The claim of a position is to be emitted, with this rank at most, unless it was already.
    void add(const Position& p, std::uint32_t plies, bool attacks, bool won, std::uint32_t most_rank) {
        const Position canonical = worker_.rules().representative(p);
        const VirtualKey key = worker_.inner().key(worker_.rules().key(canonical), plies);
        const auto [entry, added] = ranks_.try_emplace(std::string(key.view()), most_rank);
        if (!added && (!won || entry->second <= most_rank)) return;
        entry->second = most_rank;
        to_emit_.push_back({canonical, plies, attacks, won, most_rank});
    }

    void emit_node(const Node& node) {
        const auto own_key = worker_.rules().key(node.position);
        const VirtualKey key = worker_.inner().key(own_key, node.plies);
        if (emit_table_claim(node, key)) return;
        std::uint32_t rank = node.plies;
        if (node.won) rank = known(node.position, usable(node.most_rank, node.attacks), true).win;
        const int bound = node.won ? (node.attacks ? 1 : -1) : 0;
        const bool by_witness = node.won == node.attacks;
        if (!by_witness) {
            if (const auto claim = small_searches_.upper(key, bound, rank)) return sink_(key, *claim);
            sink_(key, Claim::upper(bound, rank));
            for_each_child(
                node, [&](const Position& child) { add(child, node.plies - 1, !node.attacks, node.won, rank - 1); });
            return;
        }
        const Child best = node.won ? winning_child(node, rank) : safe_child(node);
        if (node.won) rank = best.known.win + 1u;
        if (const auto claim = small_searches_.lower(key, bound, rank, best.move)) return sink_(key, *claim);
        sink_(key, Claim::lower(bound, rank, best.move));
        if (!worker_.rules().terminal(best.position) && node.plies > 1) {
            add(best.position, node.plies - 1, !node.attacks, node.won, rank - 1);
        }
    }

    /// `visit(child)` for each child that is not the end of the game.
    template <class Visit>
    void for_each_child(const Node& node, Visit&& visit) {
        if (node.plies == 1) return;  // the game ends after the next move
        typename I::Moves moves;
        worker_.rules().moves(node.position, moves);
        for (const Move move : moves) {
            const Position child = worker_.rules().play(node.position, move);
            if (!worker_.rules().terminal(child)) visit(child);
        }
    }

    /// The claim of a position that a table of values has.
    bool emit_table_claim(const Node& node, const VirtualKey& key) {
        if (records_ == nullptr || records_->tables() == nullptr || !worker_.rules().few_men(node.position))
            return false;
        const Side side = node.won == node.attacks ? Side::lower : Side::upper;
        const auto claim = table_claim(game_, *records_->tables(), position_of_key(game_, key), side);
        if (claim) sink_(key, *claim);
        return claim.has_value();
    }

    /// What is known of a position that is not terminal, searched again if the table does not say whether it is won.
    PliesKnown known(const Position& p, std::uint32_t plies, bool search) {
        PliesNumbers numbers = worker_.look_up(p, plies);
        if (numbers.solved() || !search) return numbers.known;
        do {
            if (cancelled_.load(std::memory_order_relaxed)) throw Cancelled();
            numbers = worker_.search(p, plies, 1024);
        } while (!numbers.solved());
        return numbers.known;
    }

    /// The child that is won soonest, within fewer plies than `rank`.
    Child winning_child(const Node& node, std::uint32_t rank) {
        typename I::Moves moves;
        worker_.rules().moves(node.position, moves);
        Child best{};
        best.known.win = PliesKnown::never;
        for (const bool search : {false, true}) {
            for (const Move move : moves) {
                const Position child = worker_.rules().play(node.position, move);
                PliesKnown found;
                if (const auto value = worker_.rules().terminal(child)) {
                    found.win = *value < 0 ? std::uint8_t{0} : PliesKnown::never;
                } else if (rank > 1) {
                    found = known(child, rank - 1, search);
                }
                if (found.win < best.known.win) best = {move, child, found};
            }
            if (best.known.win < rank) return best;
            if (!search) worker_.search(node.position, rank, std::numeric_limits<std::uint32_t>::max());
        }
        throw std::logic_error("df-pn-plies: a win is not proved again");
    }

    /// A child in which the attacker does not win in time: one whose claim is needed already, else one that is refuted
    /// within the most plies.
    Child safe_child(const Node& node) {
        typename I::Moves moves;
        worker_.rules().moves(node.position, moves);
        const std::uint32_t plies = usable(node.plies - 1, true);
        for (const bool search : {false, true}) {
            Child best{};
            bool has_best = false;
            for (const Move move : moves) {
                const Position child = worker_.rules().play(node.position, move);
                const bool ends = node.plies == 1 || worker_.rules().terminal(child).has_value();
                if (ends) {
                    if (node.plies > 1 && *worker_.rules().terminal(child) > 0) continue;
                    return {move, child, {}};
                }
                const PliesKnown found = known(child, plies, search);
                if (found.no_win < plies) continue;
                if (ranks_.contains(worker_.inner().key(worker_.rules().key(child), node.plies - 1).view())) {
                    return {move, child, found};
                }
                if (has_best && found.no_win <= best.known.no_win) continue;
                best = {move, child, found};
                has_best = true;
                if (search) return best;
            }
            if (has_best) return best;
            if (!search)
                worker_.search(node.position, usable(node.plies, false), std::numeric_limits<std::uint32_t>::max());
        }
        throw std::logic_error("df-pn-plies: a defence is not found again");
    }

    struct HashOfText {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };

    Worker& worker_;
    const VirtualGame& game_;
    const VirtualRecords* records_;
    SmallSearchClaims<VirtualGame> small_searches_;
    const Sink& sink_;
    const std::atomic<bool>& cancelled_;
    std::unordered_map<std::string, std::uint32_t, HashOfText, std::equal_to<>> ranks_;  ///< of keys, at most
    std::vector<Node> to_emit_;
};

}  // namespace proofbase
