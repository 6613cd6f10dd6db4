#include "virtual_game/rules.hpp"

#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"

namespace proofbase {

namespace {

struct RulesFamily {
    std::string name;
    OpenRules open;
};

/// Classes of one family in the order in which its file offers them.
std::vector<RulesFamily>& rules_families() {
    static std::vector<RulesFamily> all;
    return all;
}

}  // namespace

void add_rules(std::string_view family, OpenRules open) {
    rules_families().push_back({std::string(family), std::move(open)});
}

std::shared_ptr<const VirtualRules> open_rules(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view family = name.substr(0, colon);
    std::optional<UnknownGame> refusal;
    for (const RulesFamily& entry : rules_families()) {
        if (entry.name != family) continue;
        try {
            return entry.open(colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1));
        } catch (const UnknownGame& error) {
            refusal = error;  // the last class, which takes the most, says what is wrong
        }
    }
    if (refusal) throw UnknownGame(*refusal);
    throw UnknownGame("within: " + quoted(family) + " is no native game that can be inside");
}

}  // namespace proofbase
