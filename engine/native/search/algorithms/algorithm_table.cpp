#include "search/algorithms/algorithm_table.hpp"

namespace proofbase {

namespace {

using Default = PolicyKind::Default;

constexpr GameRequirement an_estimate{[](const GameFeatures& game) { return game.effort; },
                                      " has no estimate of the effort"};
constexpr GameRequirement an_estimate_of_plies{[](const GameFeatures& game) { return game.plies; },
                                               " has no estimate of the plies to a win"};
constexpr GameRequirement winning_threats{[](const GameFeatures& game) { return game.threats; }, " has no threats"};
constexpr GameRequirement trees_of_threats{[](const GameFeatures& game) { return game.threat_trees; },
                                           " is not won by threats with several replies"};
constexpr GameRequirement oriented_keys{[](const GameFeatures& game) { return game.fixed_key_size; },
                                        " encodes positions in one orientation only"};
constexpr GameRequirement keys_of_one_size{[](const GameFeatures& game) { return game.fixed_key_size; },
                                           " has keys of varying length: one thread only"};
constexpr GameRequirement no_cycles_for_dag{[](const GameFeatures& game) { return game.acyclic; },
                                            " has cycles, which pn-dag cannot treat; pn-base-twin and pn-cyclic can"};
constexpr GameRequirement no_cycles_for_null_window{
    [](const GameFeatures& game) { return game.acyclic; },
    " has cycles, which null-window cannot treat; pn-base-twin and pn-cyclic can"};
constexpr GameRequirement no_cycles_to_forget{[](const GameFeatures& game) { return game.acyclic; },
                                              " has cycles: an answer may rest on edges that drop-solved would forget"};
constexpr GameRequirement cycles{[](const GameFeatures& game) { return !game.acyclic; },
                                 " has no cycles: pn-dag treats it"};
constexpr GameRequirement plies_left{[](const GameFeatures& game) { return game.plies_left; },
                                     " is not chess within at most 250 plies"};
constexpr GameRequirement values_of_22_bits{[](const GameFeatures& game) { return game.highest_value < 1 << 22; },
                                            " has values that are too large for df-pn"};

constexpr std::uint64_t most_mib = std::uint64_t{1} << 30;

const Policy unit{"unit", "every leaf counts 1 and 1 (Allis et al. 1994, 3.1 and Fig. 4)"};
const Policy mobility{"mobility", "1 and the number of moves (Schijf 1993, 3.4 and 5.5)"};
const Policy effort{.name = "effort",
                    .about = "the game's own estimate, which may look some plies ahead by the rules",
                    .needs = &an_estimate,
                    .may_be_default = [](const GameFeatures& game) { return game.by_effort; }};
const Policy plies{"plies", "the game's own estimate of the plies to a win", &an_estimate_of_plies};
const Policy depth{"depth", "1 + depth / 2 for both numbers, so that deep lines wait (Allis 1994, 2.3.3 and 5.4)"};
const Policy threats{"threats", "winning threats settle what they can, else the number of moves that they leave open",
                     &winning_threats};

PolicyKind initialisation(std::vector<Policy> policies) {
    return {initialisation_kind, Default::first_possible, "", std::move(policies)};
}

const PolicyKind evaluation{"evaluation",
                            Default::hidden,
                            "immediate",
                            {{"immediate", "a leaf is evaluated when it is created"},
                             {"delayed", "a leaf is evaluated when it is selected (Allis 1994, 2.2.1)"}}};
const PolicyKind selection{
    "selection",
    Default::hidden,
    "current-node",
    {{"current-node", "the next most-proving node is sought from the current node (Allis et al. 1994, 4.2)"},
     {"from-root", "every most-proving node is sought from the root"}}};
const PolicyKind full_updates{
    "updates up to the root",
    Default::hidden,
    "",
    {{"full-updates", "ancestors are updated up to the root, also where nothing changes (Schijf 1993, 4.6)", nullptr,
      "no-stop"}}};
const PolicyKind symmetry{"symmetric positions apart",
                          Default::hidden,
                          "",
                          {{"no-symmetry", "symmetric positions are nodes of their own", &oriented_keys, "oriented"}}};
const PolicyKind keep_only{"memory", Default::hidden, "keep", {{"keep", "the whole graph stays"}}};
/// What a search of graphs without cycles does with solved nodes.
const PolicyKind keep_or_drop_solved{
    "memory",
    Default::hidden,
    "keep",
    {{"keep", "the whole graph stays"},
     {"drop-solved",
      "no nodes for leaves that are solved, no edges below solved nodes (Allis 1994, 4.4.2): less memory, the same "
      "expansions",
      &no_cycles_to_forget}}};
const PolicyKind move_order{
    "order of moves",
    Default::hidden,
    "order-0",
    {{"order-N", "the moves of every position are shuffled with the seed N; 0: as in the rules"}}};

PolicyKind update_order(std::string_view default_policy) {
    return {"updates",
            Default::hidden,
            default_policy,
            {{"stack", "all parents by recursion, once for every path (Schijf 1993, 4.6)"},
             {"queue", "all parents, first come, first served (Schijf 1993, 4.6)"}}};
}

FamilyPolicies pn_tree() {
    return {"pn-tree",
            "proof-number search in a tree; also for games with cycles",
            {initialisation({effort, mobility, unit, depth}),
             {"backup",
              Default::hidden,
              "",
              {{"mst", "MST*: the numbers count nodes of the smallest solution tree (Allis 1994, 2.5.4)"}}},
             evaluation,
             selection,
             {"memory",
              Default::hidden,
              "keep",
              {{"keep", "the whole tree stays"},
               {"delete-solved", "DeleteSolvedSubtrees: what a solved node rests on is emitted, the rest deleted"},
               {"delete-least", "DeleteLeastProving as well, when three quarters of the memory are full"}}},
             full_updates,
             move_order},
            {{"mobility", "delayed"}, {"mst", "effort"}, {"mst", "depth"}, {"mst", "delete-least"}},
            {}};
}

FamilyPolicies pn_dag() {
    return {"pn-dag",
            "proof-number search in a graph whose nodes are positions (Schijf 1993, 4.4)",
            {initialisation({threats, effort, mobility, unit, depth}), update_order(""), full_updates, symmetry,
             keep_or_drop_solved, move_order},
            {{"threats", "stack"},
             {"threats", "queue"},
             {"threats", "no-symmetry"},
             {"drop-solved", "stack"},
             {"drop-solved", "queue"},
             {"drop-solved", "depth"}},
            {{"full-updates", {"stack", "queue"}}},
            &no_cycles_for_dag};
}

FamilyPolicies pss() {
    return {"pss",
            "proof-set search with (P,D)-truncated sets (Mueller 2001); in games with cycles over base and twin nodes",
            {initialisation({effort, mobility, unit}),
             {"size of proof sets",
              Default::shown,
              "p-4",
              {{"p-N", "leaves that a proof set names; 0: numbers only", nullptr, "", 0, 0xfffffffe},
               {"p-all", "proof sets are whole"}}},
             {"size of disproof sets",
              Default::shown,
              "d-4",
              {{"d-N", "leaves that a disproof set names; 0: numbers only", nullptr, "", 0, 0xfffffffe},
               {"d-all", "disproof sets are whole"}}},
             {"favouring, percent",
              Default::hidden,
              "favour-100",
              {{"favour-N", "what leaves of the root's sets weigh in comparisons, in percent", nullptr, "", 0, 100}}},
             {"order of leaves in a set",
              Default::shown,
              "newest",
              {{"newest", "the newest leaves of a weight come first"},
               {"oldest", "the oldest leaves of a weight come first"}},
              "oldest"},
             symmetry,
             keep_or_drop_solved,
             move_order},
            {},
            {}};
}

const PolicyKind table_size{
    "size of the table",
    Default::hidden,
    "table-0",
    {{"table-kib-N", "in KiB; 0: a quarter of the memory budget, or 256 MiB", nullptr, "", 0, most_mib << 10},
     {"table-N", "in MiB; 0: the same", nullptr, "", 0, most_mib}}};
const PolicyKind threads{"threads",
                         Default::hidden,
                         "threads-1",
                         {{"threads-N", "threads that share the table", &keys_of_one_size, "", 1, 255}}};

FamilyPolicies df_pn() {
    return {"df-pn",
            "depth-first proof-number search with a table of fixed size (Nagai 2002)",
            {initialisation({effort, mobility, unit}),
             {"disproof numbers",
              Default::hidden,
              "sum",
              {{"sum", "the sum of the children's proof numbers"},
               {"weak", "the largest of them, plus one for each other child (Ueda et al. 2008)"}}},
             table_size,
             threads,
             move_order},
            {},
            {},
            &values_of_22_bits};
}

FamilyPolicies df_pn_plies() {
    return {"df-pn-plies",
            "df-pn of `within:N:chess`: a node for a position, with the plies within which it is won and is not",
            {table_size},
            {},
            {},
            &plies_left};
}

FamilyPolicies alpha_beta() {
    return {"alpha-beta",
            "alpha-beta search with iterative deepening; also for games with cycles",
            {{"size of the table",
              Default::hidden,
              "table-0",
              {{"table-N", "a transposition table of N MiB; 0: none", nullptr, "", 0, std::uint64_t{1} << 20}}},
             {"aim", Default::hidden, "", {{"exact", "the search goes on until it has the value"}}},
             move_order},
            {},
            {}};
}

FamilyPolicies pn_cyclic() {
    return {"pn-cyclic",
            "proof-number search in a graph with end nodes for repetitions (Schijf 1993, 5.4); may end unknown",
            {initialisation({effort, mobility, unit}),
             update_order("queue"),
             {"merged positions",
              Default::hidden,
              "",
              {{"conversions",
                "only positions after moves that cannot be taken back; never ends unknown (Allis 1994, 2.3.4)"}}},
             symmetry,
             keep_only,
             move_order},
            {},
            {}};
}

FamilyPolicies pn_base_twin() {
    return {"pn-base-twin",
            "proof-number search with base nodes and twin nodes (Breuker et al. 2001)",
            {initialisation({effort, mobility, unit}), symmetry, keep_only, move_order},
            {},
            {}};
}

FamilyPolicies pn_fixpoint() {
    return {
        "pn-fixpoint",
        "best-first search in a graph with cycles: costs of proofs are a fixpoint over the whole graph (Knuth 1977)",
        {initialisation({plies, effort, mobility, unit}), symmetry, keep_only, move_order},
        {},
        {},
        &cycles};
}

FamilyPolicies pn2() {
    return {"pn2",
            "pn^2-search: a second search in a tree develops the leaves of the first (Allis 1994, 2.3.1)",
            {initialisation({effort, mobility, unit, depth}),
             evaluation,
             selection,
             {"second trees kept",
              Default::hidden,
              "cache-0",
              {{"cache-N", "the last N trees of second searches are kept", nullptr, "", 0, 64}}},
             full_updates,
             move_order},
            {{"mobility", "delayed"}},
            {}};
}

FamilyPolicies null_window() {
    return {"null-window",
            "depth-first alpha-beta with a null window over a table of fixed size",
            {table_size, threads, move_order},
            {},
            {},
            &no_cycles_for_null_window};
}

FamilyPolicies threat_trees() {
    return {
        "threats",
        "wins by trees of threats, with relevance zones for the replies (Allis 1994, ch. 5); in renju `pn-dag+threats` "
        "with moves of the attacker that threaten to win by fours; proves wins only",
        {{"threads",
          Default::hidden,
          "threads-1",
          {{"threads-N", "threads that search the same nodes", nullptr, "", 1, 255}}}},
        {},
        {},
        &trees_of_threats};
}

}  // namespace

const std::vector<FamilyPolicies>& algorithm_table() {
    static const std::vector<FamilyPolicies> table{pn_tree(),    pn_dag(),      pss(),          df_pn(),
                                                   alpha_beta(), pn_cyclic(),   pn_base_twin(), pn_fixpoint(),
                                                   pn2(),        null_window(), threat_trees(), df_pn_plies()};
    return table;
}

}  // namespace proofbase
