// Initialisation policies (initialisation_policy.hpp): the proof and disproof number of a leaf that nothing settles.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "concepts.hpp"
#include "records/check/local_check.hpp"
#include "search/policy/initialisation_policy.hpp"
#include "search/policy/leaf.hpp"
#include "search/policy/proof_numbers.hpp"
#include "threats/sequences/threat_analysis.hpp"
#include "threats/sequences/threat_findings.hpp"

namespace proofbase {

/// True where repetition alone would give the answer `numbers` to "value(p) >= bound?". The rank of such a claim is 0,
/// so no look-ahead can be its evidence.
template <Game G>
bool repetition_answers(const G& game, const typename G::Position& p, int bound, const Numbers& numbers) {
    const std::optional<int> rho = repetition_value(game, p);
    return rho && (*rho >= bound ? numbers.proved() : numbers.disproved());
}

/// Games whose winning threats can be analysed: by their own type, or by a function of the game (VirtualGame). Whether
/// the game has any is what finds_threats() says.
template <class G>
concept TellsThreats =
    Threats<G> ||
    (Game<G> && requires(const G& game, const typename G::Position& p, ThreatFindings<typename G::Move>& out) {
        { game.find_threats(p, out) } -> std::same_as<void>;
    });

/// What the winning threats of a position tell; valid until the next call in this thread.
template <TellsThreats G>
[[gnu::noinline]] const ThreatFindings<typename G::Move>& analyse_threats(const G& game,
                                                                          const typename G::Position& p) {
    if constexpr (Threats<G>) {
        thread_local ThreatAnalysis<G> analysis;
        return analysis.analyse(game, p);
    } else {
        thread_local ThreatFindings<typename G::Move> found;
        game.find_threats(p, found);
        return found;
    }
}

template <Game G>
Leaf leaf_by_mobility(const G& game, const typename G::Position& p) {
    thread_local typename G::Moves moves;
    game.moves(p, moves);
    return {{1, static_cast<std::uint32_t>(moves.size())}};
}

template <Effort G>
Leaf leaf_by_effort(const G& game, const typename G::Position& p, int bound) {
    const Estimate estimate = game.effort(p, bound);
    const Numbers numbers{estimate.reach, estimate.refute};
    if (numbers.solved() && repetition_answers(game, p, bound, numbers)) return {{1, 1}};
    return {numbers, numbers.solved() ? estimate.plies : 0};
}

/// The estimate of the side that repetition does not satisfy; the other side only has to wait.
template <EstimatesPlies G>
Leaf leaf_by_plies(const G& game, const typename G::Position& p, int bound) {
    const std::optional<int> rho = repetition_value(game, p);
    const bool mover = !rho || *rho < bound;
    const std::uint32_t plies = game.plies_to_win(p, mover);
    return {mover ? Numbers{plies, 1} : Numbers{1, plies}};
}

/// `depth`: moves from the root of the search to the leaf, so each side has made about half of them.
inline Leaf leaf_by_depth(std::size_t depth) noexcept {
    const auto moves = static_cast<std::uint32_t>(1 + depth / 2);
    return {{moves, moves}};
}

/// The leaf by the analysis of winning threats. If the threats do not settle the position, the disproof number is the
/// number of open moves. If the opponent threatens to win, only the moves that prevent it are open, and the disproof
/// number is at least the game's `forced_reply_effort`: the search for threats has already looked behind forced
/// replies, so a forced reply gains nothing (Allis 1994, 4.4.2, leaves them out).
template <TellsThreats G>
[[gnu::noinline]] Leaf leaf_by_threats(const G& game, const typename G::Position& canonical, int bound) {
    const auto& found = analyse_threats(game, canonical);
    switch (found.verdict) {
        case ThreatVerdict::won:
            return {proved_numbers, found.plies};
        case ThreatVerdict::lost:
            return {disproved_numbers, found.plies};
        case ThreatVerdict::nobody_in_time:
            return {leaf_of_value(0, bound).numbers, found.plies};
        default:
            return {{1, found.effort}, found.plies};
    }
}

/// The least rank that a disproof of an open position can have, since it has to refute the moves that are omitted.
template <TellsThreats G>
std::uint32_t disproof_rank_by_threats(const G& game, const typename G::Position& canonical) {
    const auto& found = analyse_threats(game, canonical);
    return found.verdict == ThreatVerdict::open ? found.plies : 0;
}

/// Removes from `moves` those that a line of winning threats refutes: with the policy `threats`, nodes omit them.
template <TellsThreats G>
void omit_refuted_moves(const G& game, const typename G::Position& canonical, typename G::Moves& moves) {
    const auto& found = analyse_threats(game, canonical);
    if (found.verdict != ThreatVerdict::open) return;  // settled: nothing is left out
    const auto& open = found.open;
    const typename G::Moves all = moves;
    moves.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::find(open.begin(), open.end(), all[i]) != open.end()) moves.push_back(all[i]);
    }
}

/// What one count of the moves tells of a position beforehand, where the policy needs the count.
struct CountedMoves {
    GameState state = GameState::unknown;
    std::uint32_t moves = 0;  ///< where the state is known

    static constexpr CountedMoves of(std::uint32_t moves) noexcept {
        return {moves == 0 ? GameState::over : GameState::goes_on, moves};
    }
};

/// How a search evaluates its leaves: by what settles them (leaf.hpp), else by its initialisation policy.
template <Game G>
class LeafEvaluator {
  public:
    /// `records` may be null. Throws std::logic_error if the game does not have what the policy needs.
    LeafEvaluator(const G& game, const KnownRecords<G>* records, Initialisation policy)
        : game_(&game), records_(records), policy_(policy) {
        if ((policy == Initialisation::effort && !estimates_effort(game)) ||
            (policy == Initialisation::plies && !EstimatesPlies<G>) ||
            (policy == Initialisation::threats && !finds_threats(game))) {
            refuse();
        }
    }

    Initialisation policy() const noexcept { return policy_; }

    /// True with the policy `threats`: nodes omit the moves that a line of winning threats refutes.
    bool omits_refuted_moves() const noexcept {
        if constexpr (TellsThreats<G>) return policy_ == Initialisation::threats;
        return false;
    }

    /// The leaf for the question "value(p) >= bound?". `key()` gives the key of p, and is called only where it is
    /// needed; `depth` is the number of moves from the root of the search.
    template <class KeyOf>
    Leaf operator()(const typename G::Position& p, int bound, KeyOf&& key, std::size_t depth = 0) const {
        const CountedMoves counted = count(p);
        const auto open = [&]() -> Leaf {
            if constexpr (TellsThreats<G>) {
                if (omits_refuted_moves()) return leaf_by_threats(*game_, *game_->position(key()), bound);
            }
            return initialise(p, bound, depth, counted);
        };
        return settled_leaf_or(*game_, records_, p, bound, key, open, counted.state);
    }

    /// Fetches the stored record of a position into the cache.
    [[gnu::always_inline]] void prefetch(const typename G::Key& key) const noexcept {
        if (records_ != nullptr) records_->prefetch(records_->hash(key));
    }

    /// Counts the moves, if the policy needs the count and the game counts them quickly: so a position is looked at
    /// once, and not for its end and for its moves.
    [[gnu::always_inline]] CountedMoves count([[maybe_unused]] const typename G::Position& p) const {
        if constexpr (CountsMoves<G>) {
            if (counts_moves()) return CountedMoves::of(game_->count_moves(p));
        }
        return {};
    }

    /// True if count() counts.
    bool counts_moves() const noexcept {
        return policy_ == Initialisation::mobility && proofbase::counts_moves(*game_);
    }

    /// The leaf of a question that nothing settles; not for the policy `threats`. `counted` is from count().
    Leaf initialise(const typename G::Position& p, int bound, std::size_t depth,
                    const CountedMoves& counted = {}) const {
        if (counted.state == GameState::goes_on) return {{1, counted.moves}};
        switch (policy_) {  // no default, so that the compiler names a policy without a case
            case Initialisation::unit:
                return {{1, 1}};
            case Initialisation::mobility:
                return leaf_by_mobility(*game_, p);
            case Initialisation::effort:
                if constexpr (Effort<G>) return leaf_by_effort(*game_, p, bound);
                break;
            case Initialisation::plies:
                if constexpr (EstimatesPlies<G>) return leaf_by_plies(*game_, p, bound);
                break;
            case Initialisation::depth:
                return leaf_by_depth(depth);
            case Initialisation::threats:
                break;
        }
        refuse();
    }

  private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse() {
        throw std::logic_error("the game lacks what its initialisation policy needs");
    }

    const G* game_;
    const KnownRecords<G>* records_;
    Initialisation policy_;
};

}  // namespace proofbase
