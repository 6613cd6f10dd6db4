// How a new node is valued: by the rules if the game is over, by a stored record if one settles the question,
// else by the initialisation policy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "concepts.hpp"
#include "keys.hpp"
#include "records/local_check.hpp"
#include "records/record_table.hpp"
#include "search/policy/proof_numbers.hpp"
#include "threats/threat_outlook.hpp"

namespace proofbase {

/// A node as it is created. `rank`: where the numbers are solved, plies to the end of the game; otherwise the least
/// rank that a refutation has.
struct Leaf {
    Numbers numbers;
    std::uint32_t rank = 0;
};

/// The answer to "value(p) >= bound?" where the limits of the position's value give it (with rewards a bound may leave
/// them).
template <Game G>
std::optional<Leaf> in_range(const G& game, const typename G::Position& p, int bound) {
    const int limit = value_limit(game, p);
    if (bound <= -limit) return Leaf{proved_numbers, 0};
    if (bound > limit) return Leaf{disproved_numbers, 0};
    return std::nullopt;
}

/// The rank of a claim that repetition alone would satisfy is 0, so no look-ahead can be its evidence.
template <Game G>
bool repetition_answers(const G& game, const typename G::Position& p, int bound, const Numbers& numbers) {
    const std::optional<int> rho = repetition_value(game, p);
    return rho && (*rho >= bound ? numbers.proved() : numbers.disproved());
}

/// Initialisation policy `unit`: every unsolved leaf counts one (Allis et al. 1994, 2.2).
struct UnitInitialisation {
    template <Game G>
    Leaf operator()(const G&, const typename G::Position&, int) const noexcept {
        return {{1, 1}};
    }
};

/// Initialisation policy `mobility`: a refutation must answer every move (Allis et al. 1994, 4.2; Allis 1994, 2.4).
struct MobilityInitialisation {
    template <Game G>
    Leaf operator()(const G& game, const typename G::Position& p, int) const {
        thread_local typename G::Moves moves;
        game.moves(p, moves);
        return {{1, static_cast<std::uint32_t>(moves.size())}};
    }
};

/// Initialisation policy `effort`: the game's own estimate, which may look ahead (concepts.hpp, Effort).
struct EffortInitialisation {
    template <Effort G>
    Leaf operator()(const G& game, const typename G::Position& p, int bound) const noexcept {
        const Estimate estimate = game.effort(p, bound);
        const Numbers numbers{estimate.reach, estimate.refute};
        if (numbers.solved() && repetition_answers(game, p, bound, numbers)) return {{1, 1}};
        return {numbers, numbers.solved() ? estimate.plies : 0};
    }
};

/// Initialisation policy `depth`: the moves of each side from the root to the leaf, and one, so that deep lines wait a
/// little (Allis 1994, 2.3.3 and 5.4: 1 + depth / 2). For trees, where a node has one depth.
struct DepthInitialisation {
    template <Game G>
    Leaf operator()(const G&, const typename G::Position&, int, std::size_t depth) const noexcept {
        const auto moves = static_cast<std::uint32_t>(1 + depth / 2);
        return {{moves, moves}};
    }
};

/// Initialisation policy `threats`: a search for winning threats settles what it can (Allis 1994, 4.4.1); what is left
/// counts the moves that it leaves open. For graphs that know positions by their keys: it looks at canonical positions.
struct ThreatsInitialisation {
    static constexpr bool by_lines = true;  ///< solutions rest on lines (extraction.hpp), and moves are left out

    /// Answering a four is one move, and gains nothing by itself, since the search for threats has looked behind all
    /// fours already (Allis 1994, 4.4.2, leaves such moves out). Measured on four-ply positions of qubic: 1 makes the
    /// search 3 to 8 times longer, 5 to 30 are alike.
    static constexpr std::uint32_t four_weight = 10;

    template <Threats G>
    Leaf operator()(const G& game, const typename G::Position& p, int) const {
        const ThreatOutlook<G>& outlook = of(game, p);
        switch (outlook.verdict()) {
            case ThreatOutlook<G>::Verdict::won:
                return {proved_numbers, outlook.plies()};
            case ThreatOutlook<G>::Verdict::lost:
                return {disproved_numbers, outlook.plies()};
            default:
                const auto open = static_cast<std::uint32_t>(outlook.open().size());
                return {{1, outlook.urgent() ? std::max(open, four_weight) : open}, outlook.plies()};
        }
    }

    /// Takes the moves out that a line answers: nodes do not have them.
    template <Threats G>
    void keep_open(const G& game, const typename G::Position& p, typename G::Moves& moves) const {
        const ThreatOutlook<G>& outlook = of(game, p);
        if (outlook.verdict() != ThreatOutlook<G>::Verdict::open) return;  // settled: nothing is left out
        const auto& open = outlook.open();
        const typename G::Moves all = moves;
        moves.clear();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::find(open.begin(), open.end(), all[i]) != open.end()) moves.push_back(all[i]);
        }
    }

    /// Valid until the next call in this thread.
    template <Threats G>
    static const ThreatOutlook<G>& of(const G& game, const typename G::Position& p) {
        thread_local ThreatOutlook<G> outlook;
        outlook.look(game, p);
        return outlook;
    }
};

/// A policy that leaves out moves which lines answer.
template <class Initialisation>
concept ByLines = requires { Initialisation::by_lines; };

/// The value of a leaf for the question "value(p) >= bound?". `known` may be null.
template <Game G, class Initialisation>
class LeafValuation {
  public:
    LeafValuation(const G& game, const RecordTable<G>* known) : game_(&game), known_(known) {}

    /// `key` is called only where it is needed; `depth` is that of the leaf below the root, in plies.
    template <class KeyOf>
    Leaf operator()(const typename G::Position& p, int bound, KeyOf&& key, std::size_t depth = 0) const {
        if (const std::optional<int> value = game_->terminal(p)) {
            return {*value >= bound ? proved_numbers : disproved_numbers, 0};
        }
        if (const std::optional<Leaf> leaf = in_range(*game_, p, bound)) return *leaf;
        if (known_ != nullptr) {
            if (const std::optional<Leaf> leaf = tabled(*known_, p, bound)) return *leaf;
            if (const std::optional<Leaf> leaf = recorded(*known_, key(), bound)) return *leaf;
        }
        if constexpr (ByLines<Initialisation>) {
            return initialisation_(*game_, *game_->position(key()), bound);
        } else {
            return initial(p, bound, depth);
        }
    }

    /// What the rules, a table or a record say, if they settle the question.
    template <class KeyOf>
    std::optional<Leaf> settled(const typename G::Position& p, int bound, KeyOf&& key) const {
        if (const std::optional<int> value = game_->terminal(p)) {
            return Leaf{*value >= bound ? proved_numbers : disproved_numbers, 0};
        }
        if (const std::optional<Leaf> leaf = in_range(*game_, p, bound)) return leaf;
        if (known_ == nullptr) return std::nullopt;
        if (const std::optional<Leaf> leaf = tabled(*known_, p, bound)) return leaf;
        return recorded(*known_, key(), bound);
    }

    /// What the initialisation says of a position that nothing settles.
    Leaf initial(const typename G::Position& p, int bound, std::size_t depth) const {
        if constexpr (requires { initialisation_(*game_, p, bound, depth); }) {
            return initialisation_(*game_, p, bound, depth);
        } else {
            return initialisation_(*game_, p, bound);
        }
    }

    /// What the tables say about the question, if they have the position.
    [[gnu::noinline]] static std::optional<Leaf> tabled(const RecordTable<G>& known, const typename G::Position& p,
                                                        int bound) {
        if (known.tables() == nullptr) return std::nullopt;
        const std::optional<int> value = known.tables()->value(p);
        if (!value) return std::nullopt;
        return Leaf{*value >= bound ? proved_numbers : disproved_numbers, 0};
    }

    /// What a record says about the question, if it settles it.
    [[gnu::noinline]] static std::optional<Leaf> recorded(const RecordTable<G>& known, const typename G::Key& key,
                                                          int bound) {
        const std::uint64_t hash = known.hash(key);
        constexpr std::uint32_t too_late = 1u << 30;  // ranks of what rests on it must stay below 2^31
        const auto settles = [](const std::optional<std::uint32_t>& rank) { return rank && *rank < too_late; };
        if (const auto rank = known.find(key, hash, Side::lower, bound); settles(rank)) {
            return Leaf{proved_numbers, *rank};
        }
        if (const auto rank = known.find(key, hash, Side::upper, bound - 1); settles(rank)) {
            return Leaf{disproved_numbers, *rank};
        }
        return std::nullopt;
    }

  private:
    const G* game_;
    const RecordTable<G>* known_;
    [[no_unique_address]] Initialisation initialisation_;
};

}  // namespace proofbase
