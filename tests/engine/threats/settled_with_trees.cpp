// Writes the records of positions whose replies were proved one by one after some of them had been answered by trees:
// both proofs of such a reply are there, and a record takes one.
//   settled_with_trees FILE SQUARE...
// FILE gets the records, as replay_of_threat_records.cpp describes them.
#include <cstdio>
#include <span>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "gomoku_text.hpp"
#include "threats/openings/opening_search.hpp"
#include "threats/quiet/threat_records.hpp"

int main(int count, char** arguments) {
    using namespace proofbase;
    using Attack = gomoku::Attack<gomoku::NarrowRows, gomoku::lines::Constant<5>>;
    using Node = QuietNode<Attack>;
    if (count < 3) return 2;
    const Attack attack(15, 15, {}, false);
    OpeningSearch<Attack> search(attack, {});
    if (!search.prove_late(stones_after(attack, std::span(arguments + 2, arguments + count)))) return 2;

    auto& nodes = search.quiet().nodes();
    std::vector<Node*> answered;
    nodes.for_each([&](Node& node) {
        if (!node.attacker_moves && node.proved() && node.trees.size() > 1) answered.push_back(&node);
    });
    std::size_t twice = 0;
    for (Node* node : answered) {
        // As a search does that answers the replies one by one.
        node->children.clear();
        attack.empty(node->stones).for_each([&](int reply) {
            Node& child = nodes.at(attack.defended(node->stones, reply), true);
            if (!child.proved() && !search.quiet().evaluation().prove_by_threats(child, 100'000)) return;
            node->children.push_back({reply, &child});
            for (const auto& tree : node->trees) twice += tree.reply == reply ? 1 : 0;
        });
    }

    std::FILE* file = std::fopen(arguments[1], "w");
    if (file == nullptr) return 2;
    std::fprintf(file, "15 15 5 free\n");
    std::size_t wrong = 0;
    ThreatRecords<Attack> records(attack, nodes.keys());
    records.collect_all(nodes, [&](const auto& record) {
        for (std::size_t i = 1; i < record.trees.size(); ++i) {
            if (record.trees[i].reply <= record.trees[i - 1].reply) ++wrong;
        }
        print_record(file, attack, record);
    });
    std::fclose(file);
    std::printf("%zu replies proved twice, %zu with two trees in a record\n", twice, wrong);
}
