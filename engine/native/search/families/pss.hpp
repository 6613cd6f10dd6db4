// Family `pss`: proof-set search with (P,D)-truncated sets, in a graph whose nodes are positions (Müller 2001).
//   +unit +mobility +effort   weights of leaves (default: effort where the game has an estimate, else mobility)
//   +p-N +d-N                 leaves that a proof set and a disproof set name (default 4 each): 0 is proof-number
//                             search, `p-all` and `d-all` are whole sets
//   +oldest +newest           which of two leaves of the same weight comes first (default: oldest)
//   +oriented                 symmetric positions are nodes of their own
//   +favour-N                 what leaves of the root's sets weigh in comparisons, in percent (default 100: the same)
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "search/graph/dag/dag.hpp"
#include "search/names/families.hpp"
#include "search/policy/initialisations.hpp"
#include "search/policy/memory.hpp"
#include "search/policy/orientation.hpp"
#include "search/pn/proof_number_search.hpp"
#include "search/policy/set_backup.hpp"

namespace proofbase {

template <Game G>
std::unique_ptr<SearchOf<G>> make_pss(const SearchRequest<G>& request) {
    AlgorithmName& asked = request.name;
    if (!request.game.acyclic()) throw asked.refusal(request.game.name() + " has cycles, which pss cannot treat");
    const std::string initialisation = take_initialisation(request);
    constexpr std::uint32_t all = 0xffffffff;
    constexpr std::uint64_t default_size = 4;
    const auto size = [&](std::string_view which, const std::string& prefix) {
        const std::string whole = prefix + "-all";
        if (!asked.take(which, {whole}).empty()) return all;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(asked.take_number(which, prefix, default_size), all));
    };
    SetOptions options;
    options.proof_size = size("size of proof sets", "p");
    options.disproof_size = size("size of disproof sets", "d");
    const std::uint64_t favour = asked.take_number("favouring, percent", "favour", 100);
    if (favour > 100) throw asked.refusal("'favour-' needs a percentage");
    options.favour = static_cast<std::uint32_t>(favour);
    options.newest_first = asked.take("order of leaves in a set", {"newest", "oldest"}) == "newest";
    const Orientation<G> orientation = take_orientation(request);
    asked.finish();
    const auto text = [](std::uint32_t n) { return n == all ? std::string("all") : std::to_string(n); };
    const std::string name = "pss+" + initialisation + "+p-" + text(options.proof_size) + "+d-" +
                             text(options.disproof_size) + (favour != 100 ? "+favour-" + std::to_string(favour) : "") +
                             (options.newest_first ? "+newest" : "") + (orientation.oriented() ? "+oriented" : "") +
                             request.order_suffix;
    return with_initialisation<G>(
        initialisation, [&]<class Policy>(std::type_identity<Policy>) -> std::unique_ptr<SearchOf<G>> {
            using Members =
                std::conditional_t<std::is_same_v<Policy, UnitInitialisation>, UnitMembers, WeightedMembers>;
            using Graph = Dag<G, SetBackup<Members>, Policy>;
            return std::make_unique<ProofNumberSearch<G, Graph, Keep>>(request, name, orientation, options);
        });
}

}  // namespace proofbase
