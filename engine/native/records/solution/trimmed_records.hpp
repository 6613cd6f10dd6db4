// The part of a set of records that the claims of one position need, or of several, as small as the set allows: of each
// position the claims that are needed, of several proofs of a claim the smaller one, and instead of all records below a
// claim a small search, where one settles it (small_search_claims.hpp).
//
//   * The size of a progress claim is estimated from the leaves upwards, by ascending rank: 1 and the sizes of the
//     claims that it rests on. A lower claim may rest on any move whose child has a claim that supports it: its witness
//     becomes the move with the smallest size. Records that several claims rest on are counted several times, so the
//     size is an estimate.
//   * Then the claims are collected from the root downwards. Of the claims that may support a claim, one that is needed
//     already is taken, else the smallest one.
//
// Safety claims (docs/fact-model.md) may rest on each other, so there is no order to estimate them in: their size
// counts as 1, and they keep their witnesses. A claim keeps its bound and its rank, so whatever rested on it still can.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/line/line_check_by_squares.hpp"
#include "records/evidence/small_search/small_search_claims.hpp"
#include "records/known_records.hpp"

namespace proofbase {

/// Takes the smallest closed set out of a table. The caller holds the table's mutex. For one use.
template <Game G, class Records = KnownRecords<G>>
class TrimmedRecords {
  public:
    using Key = typename G::Key;
    using Position = typename G::Position;
    using Move = typename G::Move;

    /// `small_search_nodes`: visits of a small search, 0 for none. `check_stop` is called now and then, and may throw.
    TrimmedRecords(const Records& table, std::uint32_t small_search_nodes, std::function<void()> check_stop)
        : table_(table),
          game_(table.game()),
          small_searches_(table.game(), small_search_nodes, own_search_of(table)),
          lines_(table.game()),
          check_stop_(std::move(check_stop)),
          first_entry_(table.slots(), none) {}

    /// Adds to `out` the strongest claims of the root's record and what they rest on. Nothing if there is no record.
    /// What rests on positions without a record (by a table, or by records elsewhere) still does.
    void collect(const Key& root, Records& out) {
        const std::size_t root_slot = table_.slot_of(root, table_.hash(root));
        if (!table_.occupied(root_slot)) return;
        number_claims({root_slot});
        estimate_sizes();
        table_.claims_at(root_slot, claims_);
        for (std::uint32_t i = 0; i < claims_.size(); ++i) {
            if (i == 0 || claims_[i].side != claims_[i - 1].side) need(first_entry_[root_slot] + i);
        }
        emit_needed(out);
    }

    /// Likewise all claims of the records of several positions.
    void collect_all(const std::vector<Key>& roots, Records& out) {
        std::vector<std::uint64_t> slots;
        for (const Key& root : roots) {
            const std::size_t slot = table_.slot_of(root, table_.hash(root));
            if (table_.occupied(slot)) slots.push_back(slot);
        }
        number_claims(slots);
        estimate_sizes();
        for (const std::uint64_t slot : slots) {
            table_.claims_at(slot, claims_);
            for (std::uint32_t i = 0; i < claims_.size(); ++i) need(first_entry_[slot] + i);
        }
        emit_needed(out);
    }

  private:
    static std::unique_ptr<AnySmallSearch<Position>> own_search_of(const Records& table) {
        if constexpr (requires { table.repeated_small_search(); }) return table.repeated_small_search();
        return nullptr;
    }

    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr float largest_size = 1e30F;

    /// A claim of a record that the root may rest on.
    struct Entry {
        std::uint64_t slot;
        std::uint32_t rank;
        std::uint8_t index;  ///< in its record
        Side side;
        bool is_safety_claim;
        bool is_leaf;  ///< rests on no other claim, or is one that the local check refuses whatever it rests on
        bool needed;
        std::uint32_t witness;  ///< a lower claim: the move of the smallest proof
        float size;
    };

    /// A claim that is looked at.
    struct ClaimAtPosition {
        Position position;
        Claim claim;
        bool is_safety_claim;
    };

    /// What a claim rests on after a move: the end of the game; the limits of a value, or a table; a claim of a record
    /// with a bound as strong as `limit`; a record that is not here, or none.
    enum class SupportKind : std::uint8_t { end, given, record, elsewhere, nothing };
    struct Support {
        SupportKind kind;
        std::int64_t limit;
        std::uint64_t slot;
    };

    static bool rests_on_nothing(const Support& support) noexcept {
        return support.kind == SupportKind::end || support.kind == SupportKind::given;
    }

    void poll_stop() {
        if (++steps_ % 256 == 0) check_stop_();
    }

    ClaimAtPosition claim_at_position(const Entry& entry) {
        table_.claims_at(entry.slot, claims_);
        return {position_of_key(game_, table_.key_at(entry.slot)), claims_[entry.index], entry.is_safety_claim};
    }

    Support support(const ClaimAtPosition& item, Move move) const {
        const bool lower = item.claim.side == Side::lower;
        const Position child = game_.play(item.position, move);
        const std::int64_t limit = std::int64_t{game_.reward(item.position, move)} - item.claim.bound;
        const auto enough = [&](std::int64_t bound) { return lower ? bound <= limit : bound >= limit; };
        if (const std::optional<int> value = game_.terminal(child)) {
            return {enough(*value) ? SupportKind::end : SupportKind::nothing, limit, 0};
        }
        const int highest = value_limit(game_, child);
        if (enough(lower ? highest : -highest)) return {SupportKind::given, limit, 0};
        const Key key = game_.key(child);
        const std::uint64_t slot = table_.slot_of(key, table_.hash(key));
        if (table_.occupied(slot)) return {SupportKind::record, limit, slot};
        if (table_.tables() != nullptr) {
            const std::optional<TableValue> entry = table_.tables()->entry(child);
            if (entry && enough(entry->value)) return {SupportKind::given, limit, 0};
        }
        return {SupportKind::elsewhere, limit, 0};
    }

    /// Calls visit(support) for the moves that the claim of an entry that is no leaf rests on: the witness, or all
    /// moves that no line answers, or those that it names.
    template <class Visit>
    void for_each_support(const ClaimAtPosition& item, std::uint32_t witness, Visit&& visit) {
        const bool lower = item.claim.side == Side::lower;
        if (lower) return visit(support(item, static_cast<Move>(witness)));
        const bool names_replies = item.claim.names_replies();
        const std::vector<std::uint32_t> named = names_replies ? item.claim.named() : std::vector<std::uint32_t>();
        typename G::Moves moves;
        game_.moves(item.position, moves);
        std::vector<bool> answered(moves.size());
        if (item.claim.evidence == Evidence::line) {
            lines_.set(item.position);
            lines_.mark_answered(moves, item.claim.bound, item.claim.lines(), item.claim.rank, answered);
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (names_replies && !std::ranges::binary_search(named, std::uint32_t{moves[i]})) continue;
            const Support found = support(item, moves[i]);
            if (!rests_on_nothing(found) && !answered[i]) visit(found);
        }
    }

    /// The entry of a claim at `slot` that supports the item's claim: one that is needed already, else the smallest;
    /// `none` if there is none.
    std::uint32_t supporting_entry(const ClaimAtPosition& item, const Support& support) {
        const std::uint32_t first = first_entry_[support.slot];
        if (first == none) return none;
        const Side side = item.claim.side == Side::lower ? Side::upper : Side::lower;
        std::uint32_t best = none;
        table_.claims_at(support.slot, child_claims_);
        for (std::uint32_t i = 0; i < child_claims_.size(); ++i) {
            const Claim& claim = child_claims_[i];
            if (claim.side != side) continue;
            if (side == Side::lower ? claim.bound < support.limit : claim.bound > support.limit) continue;
            if (!item.is_safety_claim && claim.rank >= item.claim.rank) continue;
            const Entry& entry = entries_[first + i];
            if (entry.needed) return first + i;
            if (best == none || entry.size < entries_[best].size) best = first + i;
        }
        return best;
    }

    // First part: the claims that the root may rest on.

    void number_claims(const std::vector<std::uint64_t>& root_slots) {
        std::vector<std::uint64_t> slots;
        const auto visit = [&](const Support& support) {
            if (support.kind != SupportKind::record || first_entry_[support.slot] != none) return;
            first_entry_[support.slot] = 0;
            slots.push_back(support.slot);
        };
        for (const std::uint64_t slot : root_slots) visit({SupportKind::record, 0, slot});
        ClaimAtPosition item;
        Claims claims;
        for (std::size_t next = 0; next < slots.size(); ++next) {
            poll_stop();
            first_entry_[slots[next]] = static_cast<std::uint32_t>(entries_.size());
            const std::optional<Position> position = game_.position(table_.key_at(slots[next]));
            const bool over = !position || game_.terminal(*position);
            const std::optional<int> rho = over ? std::nullopt : repetition_value(game_, *position);
            if (!over) item.position = *position;
            table_.claims_at(slots[next], claims);
            for (std::size_t i = 0; i < claims.size(); ++i) {
                item.claim = claims[i];
                const bool lower = item.claim.side == Side::lower;
                const bool safe = rho && (lower ? item.claim.bound <= *rho : item.claim.bound >= *rho);
                const bool leaf = over || !rests_on_children(item);
                entries_.push_back({slots[next], item.claim.rank, static_cast<std::uint8_t>(i), item.claim.side, safe,
                                    leaf, false, item.claim.witness, 1});
                if (!leaf) for_each_support(item, item.claim.witness, visit);
            }
        }
    }

    bool rests_on_children(const ClaimAtPosition& item) {
        const bool lower = item.claim.side == Side::lower;
        if (item.claim.evidence == Evidence::line) return !lower;
        if (item.claim.names_replies()) return !lower && !item.claim.named().empty();
        if (item.claim.evidence != Evidence::children) return false;
        typename G::Moves moves;
        game_.moves(item.position, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!lower || moves[i] == item.claim.witness) return true;
        }
        return false;  // the witness is no legal move
    }

    // Second part: sizes and witnesses.

    void estimate_sizes() {
        std::vector<std::uint32_t> by_rank(entries_.size());
        for (std::uint32_t i = 0; i < by_rank.size(); ++i) by_rank[i] = i;
        std::sort(by_rank.begin(), by_rank.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tie(entries_[a].rank, a) < std::tie(entries_[b].rank, b);
        });
        for (const std::uint32_t number : by_rank) {
            poll_stop();
            Entry& entry = entries_[number];
            if (entry.is_safety_claim || entry.is_leaf) continue;
            const ClaimAtPosition item = claim_at_position(entry);
            if (entry.side == Side::lower) {
                choose_witness(entry, item);
            } else {
                for_each_support(item, entry.witness, [&](const Support& found) { entry.size += size(item, found); });
            }
            entry.size = std::min(entry.size, largest_size);
        }
    }

    /// The move with the smallest proof; between moves of equal sizes the witness of the claim itself. What is needed
    /// already counts nothing.
    void choose_witness(Entry& entry, const ClaimAtPosition& item) {
        typename G::Moves moves;
        game_.moves(item.position, moves);
        const Support own = support(item, static_cast<Move>(entry.witness));
        float best = rests_on_nothing(own) ? 0 : size(item, own);
        for (std::size_t i = 0; i < moves.size() && best > 0; ++i) {
            const Support found = support(item, moves[i]);
            if (found.kind != SupportKind::end && found.kind != SupportKind::record) continue;
            const float other = found.kind == SupportKind::end ? 0 : size(item, found);
            if (other >= best) continue;
            best = other;
            entry.witness = static_cast<std::uint32_t>(moves[i]);
        }
        entry.size = 1 + best;
    }

    /// The size of the smallest claim that is a support; more than any size if there is none here.
    float size(const ClaimAtPosition& item, const Support& support) {
        if (support.kind == SupportKind::elsewhere) return 0;
        const std::uint32_t number = support.kind == SupportKind::record ? supporting_entry(item, support) : none;
        if (number == none) return 2 * largest_size;
        return entries_[number].needed ? 0 : entries_[number].size;
    }

    // Third part: what is needed.

    void need(std::uint32_t number) {
        if (entries_[number].needed) return;
        entries_[number].needed = true;
        to_emit_.push_back(number);
    }

    void emit_needed(Records& out) {
        while (!to_emit_.empty()) {
            poll_stop();
            const std::uint32_t number = to_emit_.back();
            to_emit_.pop_back();
            emit(entries_[number], out);
        }
    }

    void emit(Entry& entry, Records& out) {
        const Key& key = table_.key_at(entry.slot);
        table_.claims_at(entry.slot, claims_);
        if (entry.is_leaf) {
            out.add(key, claims_[entry.index]);
            return;
        }
        ClaimAtPosition item = claim_at_position(entry);
        if (item.claim.side == Side::lower) {
            if (!entry.is_safety_claim) choose_witness(entry, item);
            item.claim.witness = entry.witness;
        }
        if (const auto claim = by_small_search(key, item)) {
            out.add(key, *claim);
            return;
        }
        out.add(key, item.claim);
        for_each_support(item, entry.witness, [&](const Support& found) {
            if (found.kind != SupportKind::record) return;
            const std::uint32_t number = supporting_entry(item, found);
            if (number != none) need(number);
        });
    }

    std::optional<Claim> by_small_search(const Key& key, const ClaimAtPosition& item) {
        const Claim& claim = item.claim;
        if (item.is_safety_claim) return std::nullopt;
        if (claim.side == Side::upper) return small_searches_.upper(key, claim.bound, claim.rank);
        return small_searches_.lower(key, claim.bound, claim.rank, static_cast<Move>(claim.witness));
    }

    const Records& table_;
    const G& game_;
    SmallSearchClaims<G> small_searches_;
    LinesFromPosition<G> lines_;
    std::function<void()> check_stop_;
    std::vector<std::uint32_t> first_entry_;  ///< by slot: where the claims of its record begin in entries_
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> to_emit_;
    Claims claims_;
    Claims child_claims_;
    std::uint64_t steps_ = 0;
};

}  // namespace proofbase
