#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "games/within/inner_game.hpp"

namespace proofbase::within {

namespace {

struct InnerFamily {
    std::string name;
    OpenInnerGame open;
};

/// Classes of one family in the order of the list of games.
std::vector<InnerFamily>& inner_families() {
    static std::vector<InnerFamily> all;
    return all;
}

}  // namespace

void add_inner_game(std::string_view family, OpenInnerGame open) {
    inner_families().push_back({std::string(family), std::move(open)});
}

std::shared_ptr<const InnerGame> open_inner_game(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view family = name.substr(0, colon);
    std::optional<UnknownGame> refusal;
    for (const InnerFamily& entry : inner_families()) {
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

}  // namespace proofbase::within
