// The name of an algorithm: a family, and policies behind `+` in any order, e.g. "pn-dag+effort".
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace proofbase {

/// Policies of one kind, of which a name holds one at most; `PREFIX-N` stands for those with a number.
struct PolicyKind {
    std::string kind;
    std::vector<std::string> choices;
};

/// A family that treats a game, with its policies.
struct AlgorithmListing {
    std::string family;
    std::vector<PolicyKind> kinds;
};

/// A name that is being read: the family it names takes the policies that it knows, and finish() refuses what is left.
class AlgorithmName {
  public:
    /// Throws UnsuitableAlgorithm if a policy is missing behind a `+`.
    explicit AlgorithmName(std::string_view text) : text_(text) {
        std::size_t end = std::min(text.find('+'), text.size());
        family_ = text.substr(0, end);
        while (end < text.size()) {
            const std::size_t start = end + 1;
            end = std::min(text.find('+', start), text.size());
            if (end == start)
                throw refusal("a policy is missing behind the " + std::string(end < text.size() ? "" : "last ") +
                              "'+'");
            policies_.emplace_back(text.substr(start, end - start));
        }
    }

    const std::string& family() const noexcept { return family_; }

    /// The error for this name, with the reason.
    UnsuitableAlgorithm refusal(const std::string& why) const {
        return UnsuitableAlgorithm("algorithm " + quoted(text_, 80) + ": " + why);
    }

    /// The policy of this name among `choices`; empty if there is none. Throws UnsuitableAlgorithm if there are two.
    std::string take(std::string_view kind, std::initializer_list<std::string_view> choices) {
        add(kind, choices);
        std::string taken;
        std::erase_if(policies_, [&](const std::string& policy) {
            if (std::find(choices.begin(), choices.end(), policy) == choices.end()) return false;
            if (!taken.empty()) throw refusal(quoted(taken) + " and " + quoted(policy) + " exclude each other");
            taken = policy;
            return true;
        });
        return taken;
    }

    /// The number N of a policy `PREFIX-N`; `otherwise` if there is none. Throws UnsuitableAlgorithm for what is no
    /// number below 2^63, or is there twice.
    std::uint64_t take_number(std::string_view kind, std::string_view prefix, std::uint64_t otherwise) {
        const std::string start = std::string(prefix) + "-";
        add(kind, std::vector<std::string>{start + "N"});
        bool found = false;
        std::uint64_t number = otherwise;
        std::erase_if(policies_, [&](const std::string& policy) {
            if (!policy.starts_with(start)) return false;
            if (found) throw refusal("'" + start + "' is there twice");
            const char* const end = policy.data() + policy.size();
            const auto [at, error] = std::from_chars(policy.data() + start.size(), end, number);
            if (error != std::errc() || at != end || number >> 63 != 0) {
                throw refusal("'" + start + "' needs a number, not " + quoted(policy.substr(start.size()), 40));
            }
            return found = true;
        });
        return number;
    }

    /// Throws UnsuitableAlgorithm if a policy is left that nobody has taken.
    void finish() {
        finished_ = true;
        if (policies_.empty()) return;
        std::string known;
        for (const PolicyKind& kind : kinds_) {
            known += known.empty() ? "" : "; ";
            for (const std::string& choice : kind.choices) {
                known += (&choice == kind.choices.data() ? "" : ", ") + choice;
            }
            known += " (" + kind.kind + ")";
        }
        throw refusal(quoted(policies_.front(), 40) + " is no policy of " + family_ + ", which has " + known);
    }

    /// What the family has asked for so far.
    const std::vector<PolicyKind>& kinds() const noexcept { return kinds_; }

    /// True after finish(): nothing but a policy can have been refused.
    bool finished() const noexcept { return finished_; }

  private:
    template <class Choices>
    void add(std::string_view kind, const Choices& choices) {
        kinds_.push_back({std::string(kind), {choices.begin(), choices.end()}});
    }

    std::string text_;
    std::string family_;
    std::vector<std::string> policies_;
    std::vector<PolicyKind> kinds_;
    bool finished_ = false;
};

}  // namespace proofbase
