// The algorithms by name, as data: families, the policies that each family takes, their defaults, and what excludes
// what. Reading a name, writing it in full, refusing it, listing the choices and the table in docs/algorithms.md all
// come from here; no search is made for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concepts.hpp"

namespace proofbase {

/// What a game has, as far as names of algorithms depend on it.
struct GameFeatures {
    std::string name;
    bool acyclic;
    bool effort;          ///< estimates_effort()
    bool by_effort;       ///< and initialises_by_effort
    bool plies;           ///< EstimatesPlies
    bool threats;         ///< finds_threats()
    bool threat_trees;    ///< QuietThreatGame or HasForcingMoves
    bool fixed_key_size;  ///< every key has the same number of bytes
    bool plies_left;      ///< counts_plies_of_wins()
    int highest_value;
};

template <Game G>
GameFeatures features_of(const G& game) {
    const bool effort = estimates_effort(game);
    return {game.name(),
            game.acyclic(),
            effort,
            effort && initialises_by_effort<G>,
            EstimatesPlies<G>,
            finds_threats(game),
            QuietThreatGame<G> || HasForcingMoves<G>,
            game.key_size() != 0,
            counts_plies_of_wins(game),
            game.highest_value()};
}

/// A feature that a game must have for a policy or a family, and the message for games that do not have it.
struct GameRequirement {
    bool (*met)(const GameFeatures& game);
    std::string_view message_if_unmet;  ///< follows the name of the game
};

/// One choice of a kind of policy.
struct Policy {
    std::string_view name;   ///< "mobility"; "table-N" where a number follows
    std::string_view about;  ///< one line for docs/algorithms.md
    const GameRequirement* needs = nullptr;
    std::string_view
        old_name{};  ///< of an earlier release: still accepted, and kept in the fingerprints of checkpoints
    std::uint64_t min_number = 0;
    std::uint64_t max_number = (std::uint64_t{1} << 63) - 1;
    bool (*may_be_default)(const GameFeatures& game) = nullptr;  ///< null: always
};

/// A kind of policy: policies of which an algorithm has at most one.
struct PolicyKind {
    enum class Default : std::uint8_t {
        first_possible,  ///< the first policy that the game and the other policies of the name allow; the full name
                         ///< shows it
        shown,           ///< `default_policy`, which the full name shows
        hidden,          ///< `default_policy`, or none if it is empty; the full name does not show it
    };

    std::string_view name;
    Default rule;
    std::string_view default_policy;
    std::vector<Policy> policies;
    std::string_view left_out_of_checkpoints = {};  ///< the default of the release that first wrote them, if another
};

/// The name of the kind that Algorithm::initialisation() looks for.
inline constexpr std::string_view initialisation_kind = "initialisation";

/// A family of algorithms: what stands before the first `+` of a name.
struct FamilyPolicies {
    std::string_view name;
    std::string_view about;
    std::vector<PolicyKind> kinds;  ///< in the order of the full name
    /// Policies that do not go together.
    std::vector<std::pair<std::string_view, std::string_view>> exclusions;
    /// The first policy needs one of the others.
    std::vector<std::pair<std::string_view, std::vector<std::string_view>>> requirements;
    const GameRequirement* needs = nullptr;
};

/// All families, in the order in which they are listed.
const std::vector<FamilyPolicies>& algorithm_table();

}  // namespace proofbase
