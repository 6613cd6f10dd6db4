// The name of an algorithm: a family, and policies behind `+` in any order, e.g. "pn-dag+effort". What is not named has
// its default (algorithm_table.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "search/algorithms/algorithm_table.hpp"
#include "search/policy/initialisation_policy.hpp"

namespace proofbase {

/// An algorithm that the table knows and that can treat the game, with all its policies.
class Algorithm {
  public:
    std::string_view family() const noexcept { return family_->name; }

    /// True if the policy is chosen, by name or by default.
    bool has(std::string_view policy) const noexcept;

    /// The number of a policy, e.g. 64 of "table-N" in "table-64"; `fallback` if the kind has another choice.
    std::uint64_t number(std::string_view policy, std::uint64_t fallback = 0) const noexcept;

    /// The initialisation policy; `unit` in families that have no choice of them. Throws std::logic_error if the table
    /// has one whose name is not known here.
    Initialisation initialisation() const;

    /// The full name: with all policies except hidden defaults, e.g. "pn-dag+effort".
    std::string text() const;
    /// The full name with the old names of policies, for the fingerprints of checkpoints.
    std::string text_of_checkpoints() const;

  private:
    friend Algorithm read_algorithm(std::string_view, const GameFeatures&);

    struct Chosen {
        const PolicyKind* kind;
        const Policy* policy;  ///< null: none
        std::uint64_t number;
    };

    std::string full_name(bool old_names) const;

    const FamilyPolicies* family_ = nullptr;
    std::vector<Chosen> chosen_;  ///< one of each kind
};

/// Reads a name (not `auto`). Throws UnsuitableAlgorithm, with the reason, where the table has no such algorithm or
/// the game lacks what the algorithm needs.
Algorithm read_algorithm(std::string_view text, const GameFeatures& game);

/// The choices of one kind of policy that a game has.
struct PolicyChoices {
    std::string kind;
    std::vector<std::string> policies;
};

/// A family that can treat a game, with its policies.
struct AlgorithmChoices {
    std::string family;
    std::vector<PolicyChoices> kinds;
};

/// The families that can treat a game.
std::vector<AlgorithmChoices> list_algorithms(const GameFeatures& game);

/// The whole table for docs/algorithms.md, as Markdown.
std::string describe_algorithms();

}  // namespace proofbase
