// Searches a position, and counts the replies of the defender that threats answer: as trees of the position itself,
// which answer all replies outside their zones as well, and as children, which answer no others.
//   children_by_threats SQUARE...
// Printed are the trees, the children, and those children that a tree of their parent answers besides.
#include <cstdio>
#include <span>

#include "games/gomoku/attack.hpp"
#include "gomoku_text.hpp"
#include "threats/openings/opening_search.hpp"

int main(int count, char** arguments) {
    using namespace proofbase;
    using Attack = gomoku::Attack<gomoku::NarrowRows, gomoku::lines::Constant<5>>;
    using Node = QuietNode<Attack>;
    const Attack attack(15, 15, {}, false);
    OpeningSearch<Attack> search(attack, {.reduction_nodes = 0});  // which would find more wins by threats
    if (!search.prove_late(stones_after(attack, std::span(arguments + 1, arguments + count)))) return 2;
    std::size_t trees = 0;
    std::size_t by_threats = 0;
    std::size_t answered = 0;
    search.quiet().nodes().for_each([&](Node& node) {
        if (node.attacker_moves || node.trees.empty()) return;
        trees += node.trees.size() - 1;
        for (const auto& child : node.children) {
            if (child.node->proved() && !child.node->trees.empty()) ++by_threats;
            for (const auto& tree : node.trees) answered += tree.zone.has(child.move) ? 0 : 1;
        }
    });
    std::printf("%zu trees, %zu children by threats, %zu children answered\n", trees, by_threats, answered);
}
