// Small searches (records/evidence/small_search/small_search.hpp) of many positions that have lines of play in common,
// as when a solution is taken out: what a part of an earlier search has found is remembered, and is not searched again.
// The outcomes are the same, to the visit; so the check, which remembers nothing, comes to the same ones.
//
// A part of a search is the search of one of its positions, with the bound that is asked there. Its visits depend on
// the plies that are left to it only if it has met their end before the end of the game. Of a part in which a search
// ran out of visits it is remembered how many it took until then: a search that has fewer left ends where it comes to
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/small_search/small_search.hpp"

namespace proofbase {

/// Positions whose bytes say whether they are equal. Parts of searches are remembered for these.
template <class Position>
concept PlainBytes = std::is_trivially_copyable_v<Position> && std::has_unique_object_representations_v<Position>;

/// Runs small searches of one game. One thread at a time.
template <Game G>
class RepeatedSmallSearch : public SmallSearch<G> {
  public:
    using SmallSearch<G>::SmallSearch;
};

template <Game G>
    requires PlainBytes<typename G::Position>
class RepeatedSmallSearch<G> {
  public:
    using Position = typename G::Position;

    explicit RepeatedSmallSearch(const G& game) : game_(game) {}

    /// As SmallSearch::hold.
    SmallSearchOutcome hold(const Position& root, std::int64_t upper, std::uint32_t depth, std::uint32_t limit,
                            bool to_limits) {
        if (to_limits != to_limits_) {  // parts of searches of the other kind are no parts of this one
            parts_.assign(parts_.size(), {});
            to_limits_ = to_limits;
        }
        if constexpr (requires { game_.most_plies(root); }) depth = std::min(depth, game_.most_plies(root));
        enlarge_parts();
        ply_ = visits_ = 0;
        Outcome found = visit(root, upper, depth, limit);
        while (true) {
            if (visits_ > limit) {
                remember_path(found, depth);
                return {SmallSearchStatus::out_of_visits, visits_, 0};
            }
            if (!found.known) {
                found = visit_next_child(depth, limit);
                continue;
            }
            if (ply_ == 0) {
                const auto status = found.answer ? SmallSearchStatus::settled : SmallSearchStatus::open;
                return {status, visits_, found.deepest};
            }
            found = give_to_parent(found, depth);
        }
    }

  private:
    /// Half a cache line where that is enough.
    static constexpr std::size_t part_alignment =
        sizeof(Position) <= 16 ? 32 : std::max<std::size_t>(alignof(Position), 8);
    static constexpr unsigned least_bits = 9, most_bits = 12;  // of the index of a part
    static constexpr std::uint32_t least_plies = 4;            // left to a part that is remembered
    static constexpr std::uint32_t least_visits = 8;  // of a part: fewer are made as fast as they are remembered
    static_assert(most_search_nodes <= 0xffff);       // visits of a part

    /// What is known of a position on the path, or of one that has just been left. Of one that takes more visits than
    /// are left (then the answer is not known) the last two members tell of those visits that are known.
    struct Outcome {
        bool known;
        bool answer;
        bool met_horizon;       ///< a position without plies left was visited that does not end the game
        std::uint32_t deepest;  ///< plies down to the deepest position that was visited
    };

    /// A position on the path. Even plies ask whether the value is at most the bound, odd ones whether it is at least
    /// the bound.
    struct Frame {
        Position position;
        std::int64_t bound;
        typename G::Moves moves;
        std::size_t next_move;
        std::uint32_t visits_before;
        std::uint32_t deepest;
        bool met_horizon;
    };

    /// A part of a search, with `hold` at its top, that has come to its end, or was broken off: then there are more
    /// visits, and no answer.
    struct alignas(part_alignment) Part {
        Position position;
        std::int32_t bound;
        std::uint16_t visits = 0;  ///< 0: none
        std::uint16_t deepest;
        std::uint16_t depth;
        bool answer;
        bool met_horizon;
        bool broken_off;
    };

    /// The part that is remembered in the place of this one, if any.
    Part& part_of(const Position& position, std::int64_t bound) {
        std::array<std::uint64_t, (sizeof(Position) + 7) / 8> words{};
        std::memcpy(words.data(), &position, sizeof(Position));
        std::uint64_t hash = static_cast<std::uint64_t>(bound);
        for (const std::uint64_t word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
        return parts_[(hash * 0x9e3779b97f4a7c15u) >> (64 - bits_)];
    }

    void remember(const Frame& frame, std::uint32_t visits, std::uint32_t left, const Outcome& outcome) {
        const auto bound = static_cast<std::int32_t>(frame.bound);
        if (left < least_plies || visits < least_visits || bound != frame.bound) return;
        part_of(frame.position, bound) = {frame.position,
                                          bound,
                                          static_cast<std::uint16_t>(std::min(visits, 0xffffu)),
                                          static_cast<std::uint16_t>(outcome.deepest),
                                          static_cast<std::uint16_t>(std::min(left, 0xffffu)),
                                          outcome.answer,
                                          outcome.met_horizon,
                                          !outcome.known};
        ++remembered_;
    }

    /// A few searches need few places, and these are near.
    void enlarge_parts() {
        if (!parts_.empty() && (bits_ == most_bits || remembered_ < parts_.size() / 2)) return;
        bits_ = parts_.empty() ? least_bits : bits_ + 1;
        parts_.assign(std::size_t{1} << bits_, {});
        remembered_ = 0;
    }

    /// Visits a position: a frame for it, unless what it answers is known at once.
    Outcome visit(const Position& position, std::int64_t bound, std::uint32_t depth, std::uint32_t limit) {
        if (++visits_ > limit) return {};
        const bool is_hold = ply_ % 2 == 0;
        if (const std::optional<int> value = game_.terminal(position)) {
            return {true, is_hold ? *value <= bound : *value >= bound, false, 0};
        }
        const std::uint32_t left = depth - static_cast<std::uint32_t>(ply_);
        if constexpr (TellsShortSearches<G>) {
            const std::uint32_t most = limit - visits_ + 1;
            const auto short_search = is_hold ? game_.short_hold(position, bound, left, most, to_limits_)
                                              : game_.short_reach(position, bound, left, most, to_limits_);
            if (short_search) {
                visits_ += short_search->visits - 1;
                return {true, short_search->answer, short_search->met_horizon, short_search->deepest};
            }
        }
        if (to_limits_) {
            if (const auto settled = settled_by_limit(game_, position, bound, is_hold)) {
                return {true, *settled, false, 0};
            }
        }
        if (left == 0) return {true, false, true, 0};
        if (is_hold && left >= least_plies) {
            const Part& part = part_of(position, bound);
            if (part.visits != 0 && part.bound == bound && part.position == position &&
                (part.met_horizon ? part.depth == left : part.deepest <= left) &&
                (!part.broken_off || visits_ + part.visits > limit)) {
                visits_ += part.visits - 1u + part.broken_off;
                return {!part.broken_off, part.answer, part.met_horizon, part.deepest};
            }
        }
        if (frames_.size() == ply_) frames_.emplace_back();
        Frame& frame = frames_[ply_++];
        frame.position = position;
        frame.bound = bound;
        frame.next_move = 0;
        frame.visits_before = visits_ - 1;
        frame.deepest = 0;
        frame.met_horizon = false;
        game_.moves(position, frame.moves);
        if (to_limits_) put_ends_first(game_, position, frame.moves);
        return {};
    }

    Outcome visit_next_child(std::uint32_t depth, std::uint32_t limit) {
        Frame& frame = frames_[ply_ - 1];
        const auto move = frame.moves[frame.next_move++];
        const std::int64_t bound = game_.reward(frame.position, move) - frame.bound;
        return visit(game_.play(frame.position, move), bound, depth, limit);
    }

    /// The last position on the path has an answer to one of its moves. What it answers itself, if that is known now.
    Outcome give_to_parent(const Outcome& child, std::uint32_t depth) {
        Frame& frame = frames_[ply_ - 1];
        frame.deepest = std::max(frame.deepest, child.deepest + 1);
        frame.met_horizon |= child.met_horizon;
        const bool is_hold = (ply_ - 1) % 2 == 0;
        // A child that fails refutes `hold`, and one that succeeds proves `reach`.
        if (child.answer == is_hold && frame.next_move < frame.moves.size()) return {};
        const std::uint32_t visits = visits_ - frame.visits_before;
        --ply_;
        const std::uint32_t left = depth - static_cast<std::uint32_t>(ply_);
        const Outcome outcome{true, child.answer, frame.met_horizon, frame.deepest};
        if (is_hold) remember(frame, visits, left, outcome);
        return outcome;
    }

    /// Remembers the parts that a search is in when its visits are used up. `last`: what is known of the position that
    /// it has come to.
    void remember_path(Outcome last, std::uint32_t depth) {
        last.known = false;
        while (ply_ > 0) {
            const Frame& frame = frames_[--ply_];
            last.deepest = std::max(frame.deepest, last.deepest + 1);
            last.met_horizon |= frame.met_horizon;
            if (ply_ % 2 == 0) {
                remember(frame, visits_ - frame.visits_before - 1, depth - static_cast<std::uint32_t>(ply_), last);
            }
        }
    }

    const G& game_;
    bool to_limits_ = false;  ///< the kind of the searches whose parts are remembered
    std::vector<Frame> frames_;
    std::size_t ply_ = 0;  ///< frames in use; those above are kept for their memory
    std::uint32_t visits_ = 0;
    std::vector<Part> parts_;
    unsigned bits_ = 0;           ///< of the number of parts
    std::size_t remembered_ = 0;  ///< since the parts were made
};

}  // namespace proofbase
