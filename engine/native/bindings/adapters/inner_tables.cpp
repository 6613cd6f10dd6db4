#include "bindings/adapters/inner_tables.hpp"

#include <map>
#include <string>
#include <utility>

#include "errors.hpp"

namespace proofbase {

namespace {

std::map<std::string, OpenInnerTables, std::less<>>& families_with_tables() {
    static std::map<std::string, OpenInnerTables, std::less<>> all;
    return all;
}

}  // namespace

void add_inner_tables(std::string_view family, OpenInnerTables open) {
    families_with_tables().emplace(family, std::move(open));
}

std::shared_ptr<const InnerTables> open_inner_tables(std::string_view game, const std::filesystem::path& directory,
                                                     Damage damage, const std::shared_ptr<BlockCache>& cache) {
    const std::size_t colon = game.find(':');
    const auto found = families_with_tables().find(game.substr(0, colon));
    if (found == families_with_tables().end()) throw NoTables(std::string(game) + " has no tables of plies");
    const auto parameters = colon == std::string_view::npos ? std::string_view() : game.substr(colon + 1);
    try {
        return found->second(parameters, directory, damage, cache);
    } catch (const UnknownGame&) {  // another game of the family, as chess:fifty is of chess
        throw NoTables(std::string(game) + " has no tables of plies");
    }
}

}  // namespace proofbase
