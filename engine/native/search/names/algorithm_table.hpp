// The algorithms by name, as data: families, the policies that each family takes, their defaults, and what excludes
// what. Reading a name, writing it in full, refusing it, listing the choices and the table in docs/search.md all come
// from here; no search is made for it.
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
    bool effort;          ///< Effort
    bool threats;         ///< Threats
    bool fixed_key_size;  ///< every key has the same number of bytes
    int highest_value;
};

template <Game G>
GameFeatures features_of(const G& game) {
    return {game.name(), game.acyclic(), Effort<G>, Threats<G>, game.key_size() != 0, game.highest_value()};
}

/// A feature of the game that a policy or a family cannot do without, with the words for its absence.
struct Needed {
    bool (*met)(const GameFeatures& game);
    std::string_view otherwise;  ///< follows the name of the game
};

/// One choice of a kind of policy.
struct Policy {
    std::string_view name;   ///< "mobility"; "table-N" where a number follows
    std::string_view about;  ///< one line for docs/search.md
    const Needed* needs = nullptr;
    std::string_view old_name{};  ///< read as well, and kept in the fingerprints of checkpoints
    std::uint64_t least = 0;      ///< of the number
    std::uint64_t most = (std::uint64_t{1} << 63) - 1;
};

/// Policies of which a name has one at most.
struct PolicyKind {
    enum class Default : std::uint8_t {
        first_that_fits,  ///< the first policy that the game and the other policies of the name allow; always written
        written,          ///< `preset`, written in the full name
        unwritten,        ///< `preset`, or nothing where it is empty; not written
    };

    std::string_view name;
    Default rule;
    std::string_view preset;
    std::vector<Policy> policies;
};

/// A family of algorithms: what stands before the first `+` of a name.
struct FamilyPolicies {
    std::string_view name;
    std::string_view about;
    std::vector<PolicyKind> kinds;  ///< in the order of the full name
    /// Policies that do not go together.
    std::vector<std::pair<std::string_view, std::string_view>> exclusions;
    /// The first policy goes only with one of the others.
    std::vector<std::pair<std::string_view, std::vector<std::string_view>>> requirements;
    const Needed* needs = nullptr;
};

/// All families, in the order in which they are listed.
const std::vector<FamilyPolicies>& algorithm_table();

}  // namespace proofbase
