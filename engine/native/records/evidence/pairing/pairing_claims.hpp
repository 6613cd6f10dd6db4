// Claims by pairings (docs/strategies.md) in place of whole parts of a solution that is taken out. Of games that are
// none of lines there are none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/claims/claim.hpp"
#include "records/evidence/pairing/line_board.hpp"
#include "records/evidence/pairing/pairing_finder.hpp"

namespace proofbase {

/// The most steps of a search for a single pairing: milliseconds.
inline constexpr std::uint32_t steps_of_one_pairing = 2'000;

/// One thread at a time; use one object for a whole solution. All ranks are the empty squares of the position: the game
/// may take as long.
template <Game G>
class PairingClaims {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    /// `most_steps` of a search for a pairing; 0: there are no such claims.
    PairingClaims(const G& game, std::uint32_t most_steps) : game_(game), most_steps_(most_steps) {
        if constexpr (MayHaveLines<G>) {
            if (most_steps == 0) return;
            board_ = line_board_of(game);
            if (board_) finder_.emplace(*board_);
        }
    }

    /// Whether there may be claims of this bound.
    bool possible([[maybe_unused]] int bound, [[maybe_unused]] bool lower) const noexcept {
        if constexpr (!MayHaveLines<G>) return false;
        return board_ && (lower ? bound <= 0 : bound >= 0);
    }

    /// A claim `upper = bound` of a canonical position that is not over, of a rank up to `most_rank`.
    std::optional<Claim> upper(const Position& position, int bound, std::uint32_t most_rank) {
        if (!possible(bound, false)) return std::nullopt;
        const std::uint32_t rank = plies(position);
        if (rank > most_rank) return std::nullopt;
        const auto pairing = find(position);
        if (!pairing) return std::nullopt;
        return Claim::upper(bound, rank).by_pairing(*pairing);
    }

    /// A claim `lower = bound`, likewise, by this move.
    std::optional<Claim> lower(const Position& position, int bound, std::uint32_t most_rank, Move witness) {
        if (!possible(bound, true)) return std::nullopt;
        const std::uint32_t rank = plies(position);
        if (rank > most_rank) return std::nullopt;
        const Position child = game_.play(position, witness);
        if (game_.terminal(child)) return std::nullopt;
        const auto pairing = find(child);
        if (!pairing) return std::nullopt;
        return Claim::lower(bound, rank, witness).by_pairing(*pairing);
    }

    /// The same, by one of the moves that take most lines from the other side.
    std::optional<Claim> lower(const Position& position, int bound) {
        if (!possible(bound, true)) return std::nullopt;
        const auto [own, other] = stones_on(*board_, position);
        std::vector<std::pair<int, Move>> by_lines;
        typename G::Moves moves;
        game_.moves(position, moves);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            int lines = 0;
            for (const BoardLine& line : board_->lines()) {
                lines += line.squares[moves[i]] && (line.squares & own).none() && (line.spoilers & other).none();
            }
            by_lines.push_back({-lines, moves[i]});
        }
        std::sort(by_lines.begin(), by_lines.end());
        for (std::size_t i = 0; i < std::min(by_lines.size(), most_first_moves); ++i) {
            if (auto claim = lower(position, bound, largest_number, by_lines[i].second)) return claim;
        }
        return std::nullopt;
    }

  private:
    static constexpr std::size_t most_first_moves = 5;

    std::uint32_t plies(const Position& position) const {
        typename G::Moves moves;
        game_.moves(position, moves);
        return static_cast<std::uint32_t>(moves.size());
    }

    /// A pairing against the side to move.
    std::optional<Pairing> find(const Position& position) {
        const auto [own, other] = stones_on(*board_, position);
        return finder_->find(own, other, most_steps_);
    }

    const G& game_;
    std::uint32_t most_steps_;
    std::unique_ptr<AnyLineBoard> board_;
    std::optional<PairingFinder> finder_;
};

}  // namespace proofbase
