#include "search/algorithms/algorithm_name.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace proofbase {

namespace {

using Default = PolicyKind::Default;

bool takes_number(const Policy& policy) {
    return policy.name.ends_with("-N");
}

/// "table-" of "table-N".
std::string_view prefix(const Policy& policy) {
    return policy.name.substr(0, policy.name.size() - 1);
}

/// A name that is being read. Its error messages quote the name.
class Reader {
  public:
    Reader(std::string_view text, const GameFeatures& game) : text_(text), game_(game) {}

    UnsuitableAlgorithm refusal(const std::string& why) const {
        return UnsuitableAlgorithm("algorithm " + quoted(std::string(text_), 80) + ": " + why);
    }

    const FamilyPolicies& family() const {
        const std::string_view name = text_.substr(0, text_.find('+'));
        std::string names = "auto";
        for (const FamilyPolicies& family : algorithm_table()) {
            if (family.name == name) return family;
            names += ", " + std::string(family.name);
        }
        throw refusal("the algorithms are " + names + ", with policies behind '+'");
    }

    /// The texts behind the `+` signs.
    std::vector<std::string_view> policies() const {
        std::vector<std::string_view> out;
        std::size_t end = std::min(text_.find('+'), text_.size());
        while (end < text_.size()) {
            const std::size_t start = end + 1;
            end = std::min(text_.find('+', start), text_.size());
            if (end == start) {
                throw refusal("a policy is missing behind the " + std::string(end < text_.size() ? "" : "last ") +
                              "'+'");
            }
            out.push_back(text_.substr(start, end - start));
        }
        return out;
    }

    /// The number in the text of a policy; nothing if the text is that of another policy.
    std::optional<std::uint64_t> match(const Policy& policy, std::string_view text) const {
        if (!takes_number(policy)) {
            const bool same = text == policy.name || (!policy.old_name.empty() && text == policy.old_name);
            return same ? std::optional<std::uint64_t>(0) : std::nullopt;
        }
        if (!text.starts_with(prefix(policy))) return std::nullopt;
        const std::string_view digits = text.substr(prefix(policy).size());
        std::uint64_t number = 0;
        const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || at != digits.data() + digits.size()) {
            throw refusal("'" + std::string(prefix(policy)) + "' needs a number, not " +
                          quoted(std::string(digits), 40));
        }
        if (number < policy.min_number || number > policy.max_number) {
            throw refusal("'" + std::string(policy.name) + "' takes a number from " +
                          std::to_string(policy.min_number) + " to " + std::to_string(policy.max_number) + ", not " +
                          std::to_string(number));
        }
        return number;
    }

    void require(const GameRequirement* needed) const {
        if (needed != nullptr && !needed->met(game_)) {
            throw refusal(game_.name + std::string(needed->message_if_unmet));
        }
    }

  private:
    std::string_view text_;
    const GameFeatures& game_;
};

/// The policy of a kind that a text names, with its number; null if the text names none. A policy without a number is
/// looked for first: "p-all" is no number of "p-N".
const Policy* find_policy(const Reader& reader, const PolicyKind& kind, std::string_view text, std::uint64_t& number) {
    for (const bool with_number : {false, true}) {
        for (const Policy& policy : kind.policies) {
            if (takes_number(policy) != with_number) continue;
            if (const auto found = reader.match(policy, text)) {
                number = *found;
                return &policy;
            }
        }
    }
    return nullptr;
}

std::string list_of_policies(const FamilyPolicies& family) {
    std::string out;
    for (const PolicyKind& kind : family.kinds) {
        out += out.empty() ? "" : "; ";
        for (const Policy& policy : kind.policies) {
            out += std::string(&policy == kind.policies.data() ? "" : ", ") + std::string(policy.name);
        }
        out += " (" + std::string(kind.name) + ")";
    }
    return out;
}

std::string text_of(const Policy& policy, std::uint64_t number, bool old_name) {
    if (takes_number(policy)) return std::string(prefix(policy)) + std::to_string(number);
    return std::string(old_name && !policy.old_name.empty() ? policy.old_name : policy.name);
}

/// The policy of a kind that full names leave out; empty: none.
std::string_view unnamed(const PolicyKind& kind) {
    return kind.rule == Default::hidden ? kind.default_policy : "";
}

/// The same of checkpoints.
std::string_view unnamed_in_checkpoints(const PolicyKind& kind) {
    return kind.left_out_of_checkpoints.empty() ? unnamed(kind) : kind.left_out_of_checkpoints;
}

}  // namespace

bool Algorithm::has(std::string_view policy) const noexcept {
    return std::any_of(chosen_.begin(), chosen_.end(),
                       [&](const Chosen& chosen) { return chosen.policy != nullptr && chosen.policy->name == policy; });
}

std::uint64_t Algorithm::number(std::string_view policy, std::uint64_t fallback) const noexcept {
    for (const Chosen& chosen : chosen_) {
        if (chosen.policy != nullptr && chosen.policy->name == policy) return chosen.number;
    }
    return fallback;
}

Initialisation Algorithm::initialisation() const {
    constexpr std::pair<std::string_view, Initialisation> names[] = {
        {"unit", Initialisation::unit},   {"mobility", Initialisation::mobility}, {"effort", Initialisation::effort},
        {"plies", Initialisation::plies}, {"depth", Initialisation::depth},       {"threats", Initialisation::threats}};
    for (const Chosen& chosen : chosen_) {
        if (chosen.kind->name != initialisation_kind) continue;
        for (const auto& [name, policy] : names) {
            if (chosen.policy != nullptr && chosen.policy->name == name) return policy;
        }
        throw std::logic_error("Algorithm::initialisation() lacks a policy of " + text());
    }
    return Initialisation::unit;
}

std::string Algorithm::full_name(bool old_names) const {
    std::string out(family_->name);
    for (const Chosen& chosen : chosen_) {
        if (chosen.policy == nullptr) continue;
        const std::string text = text_of(*chosen.policy, chosen.number, old_names);
        if (text != (old_names ? unnamed_in_checkpoints(*chosen.kind) : unnamed(*chosen.kind))) out += "+" + text;
    }
    return out;
}

std::string Algorithm::text() const {
    return full_name(false);
}

std::string Algorithm::text_of_checkpoints() const {
    return full_name(true);
}

Algorithm read_algorithm(std::string_view text, const GameFeatures& game) {
    const Reader reader(text, game);
    const std::vector<std::string_view> policies = reader.policies();
    const FamilyPolicies& family = reader.family();
    reader.require(family.needs);
    Algorithm algorithm;
    algorithm.family_ = &family;
    for (const PolicyKind& kind : family.kinds) algorithm.chosen_.push_back({&kind, nullptr, 0});

    for (const std::string_view policy : policies) {
        bool known = false;
        for (Algorithm::Chosen& chosen : algorithm.chosen_) {
            std::uint64_t number = 0;
            const Policy* const found = find_policy(reader, *chosen.kind, policy, number);
            if (found == nullptr) continue;
            if (chosen.policy != nullptr) {
                throw reader.refusal("'" + text_of(*chosen.policy, chosen.number, false) + "' and '" +
                                     text_of(*found, number, false) + "' exclude each other");
            }
            if (policy != chosen.kind->default_policy) reader.require(found->needs);
            chosen.policy = found;
            chosen.number = number;
            known = true;
            break;
        }
        if (!known) {
            throw reader.refusal(quoted(std::string(policy), 40) + " is no policy of " + std::string(family.name) +
                                 ", which has " + list_of_policies(family));
        }
    }

    for (const auto& [one, other] : family.exclusions) {
        if (algorithm.has(one) && algorithm.has(other)) {
            throw reader.refusal("'" + std::string(one) + "' and '" + std::string(other) + "' exclude each other");
        }
    }
    const auto excluded = [&](const Policy& policy) {
        return std::any_of(family.exclusions.begin(), family.exclusions.end(), [&](const auto& pair) {
            return (pair.first == policy.name && algorithm.has(pair.second)) ||
                   (pair.second == policy.name && algorithm.has(pair.first));
        });
    };
    for (Algorithm::Chosen& chosen : algorithm.chosen_) {
        if (chosen.policy != nullptr) continue;
        if (chosen.kind->rule != Default::first_possible) {
            if (chosen.kind->default_policy.empty()) continue;
            chosen.policy = find_policy(reader, *chosen.kind, chosen.kind->default_policy, chosen.number);
            continue;
        }
        for (const Policy& policy : chosen.kind->policies) {
            if (excluded(policy) || (policy.needs != nullptr && !policy.needs->met(game))) continue;
            if (policy.may_be_default != nullptr && !policy.may_be_default(game)) continue;
            chosen.policy = &policy;
            break;
        }
    }
    for (const auto& [policy, others] : family.requirements) {
        if (!algorithm.has(policy)) continue;
        if (std::any_of(others.begin(), others.end(), [&](std::string_view other) { return algorithm.has(other); })) {
            continue;
        }
        std::string list;
        for (const std::string_view other : others) list += (list.empty() ? "'" : " or '") + std::string(other) + "'";
        throw reader.refusal("'" + std::string(policy) + "' goes with " + list);
    }
    return algorithm;
}

std::vector<AlgorithmChoices> list_algorithms(const GameFeatures& game) {
    std::vector<AlgorithmChoices> out;
    for (const FamilyPolicies& family : algorithm_table()) {
        if (family.needs != nullptr && !family.needs->met(game)) continue;
        AlgorithmChoices& listed = out.emplace_back(AlgorithmChoices{std::string(family.name), {}});
        for (const PolicyKind& kind : family.kinds) {
            PolicyChoices choices{std::string(kind.name), {}};
            for (const Policy& policy : kind.policies) {
                if (policy.needs == nullptr || policy.needs->met(game)) choices.policies.emplace_back(policy.name);
            }
            if (!choices.policies.empty()) listed.kinds.push_back(std::move(choices));
        }
    }
    return out;
}

namespace {

/// A family's policies by kind, in the order of the full name. The default of a kind is bold.
std::string policies_as_markdown(const FamilyPolicies& family) {
    std::string out;
    for (const PolicyKind& kind : family.kinds) {
        if (!out.empty()) out += "; ";
        for (const Policy& policy : kind.policies) {
            if (&policy != kind.policies.data()) out += ", ";
            const bool number_by_default = takes_number(policy) && kind.default_policy.starts_with(prefix(policy));
            const bool by_default = policy.name == kind.default_policy || number_by_default;
            const std::string name(number_by_default ? kind.default_policy : policy.name);
            out += by_default ? "**`" + name + "`**" : "`" + name + "`";
        }
    }
    std::string_view excluding;
    for (const auto& [one, other] : family.exclusions) {
        out += one == excluding ? ", `" : ". Not `" + std::string(one) + "` with `";
        out += std::string(other) + "`";
        excluding = one;
    }
    for (const auto& [policy, others] : family.requirements) {
        out += ". `" + std::string(policy) + "` only with ";
        for (std::size_t i = 0; i < others.size(); ++i) {
            out += (i > 0 ? " or `" : "`") + std::string(others[i]) + "`";
        }
    }
    return out;
}

/// A policy as the page of algorithms explains it, with the families in which it means this.
struct PolicyText {
    std::string_view kind;
    const Policy* policy;
    std::vector<std::string_view> families;
};

/// Every policy once, and once more where it means something else in another family.
std::vector<PolicyText> policy_texts() {
    std::vector<PolicyText> out;
    for (const FamilyPolicies& family : algorithm_table()) {
        for (const PolicyKind& kind : family.kinds) {
            for (const Policy& policy : kind.policies) {
                const auto same = std::find_if(out.begin(), out.end(), [&](const PolicyText& text) {
                    return text.kind == kind.name && text.policy->name == policy.name &&
                           text.policy->about == policy.about;
                });
                if (same == out.end()) {
                    out.push_back({kind.name, &policy, {family.name}});
                } else {
                    same->families.push_back(family.name);
                }
            }
        }
    }
    std::stable_sort(out.begin(), out.end(), [&](const PolicyText& one, const PolicyText& other) {
        const auto place = [&](std::string_view kind) {
            std::size_t at = 0;
            for (const FamilyPolicies& family : algorithm_table()) {
                for (const PolicyKind& listed : family.kinds) {
                    if (listed.name == kind) return at;
                    ++at;
                }
            }
            return at;
        };
        return place(one.kind) < place(other.kind);
    });
    return out;
}

}  // namespace

std::string describe_algorithms() {
    std::string out = "## Families\n\n| family | what it is | policies |\n|---|---|---|\n";
    for (const FamilyPolicies& family : algorithm_table()) {
        out += "| `" + std::string(family.name) + "` | " + std::string(family.about) + " | " +
               policies_as_markdown(family) + " |\n";
    }
    out += "\n## Policies\n\n| kind | policy | what it does |\n|---|---|---|\n";
    const std::vector<PolicyText> texts = policy_texts();
    std::string_view kind;
    for (const PolicyText& text : texts) {
        const Policy& policy = *text.policy;
        out += "| " + std::string(text.kind == kind ? "" : text.kind) + " | `" + std::string(policy.name) + "`";
        kind = text.kind;
        const auto meanings = std::count_if(texts.begin(), texts.end(), [&](const PolicyText& other) {
            return other.kind == text.kind && other.policy->name == policy.name;
        });
        if (meanings > 1) {
            for (std::size_t i = 0; i < text.families.size(); ++i) {
                out += (i > 0 ? ", `" : " of `") + std::string(text.families[i]) + "`";
            }
        }
        out += " | " + std::string(policy.about);
        if (!policy.old_name.empty()) out += " (formerly `" + std::string(policy.old_name) + "`)";
        out += " |\n";
    }
    return out;
}

}  // namespace proofbase
