// Proves openings of go-moku, and prints what came of it.
//   openings_of_gomoku RULE FIRST[,FIRST...] [SQUARE SQUARE ...]
// RULE is `free` or `standard`.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "games/gomoku/quiet_attack.hpp"
#include "threats/opening_search.hpp"
#include "threats/threat_records.hpp"

namespace {

using namespace proofbase;
using gomoku::lines::Constant;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// In the numbers of the evidence `threats`.
template <class Attack>
void print_tree(std::FILE* file, const ThreatTree& tree, std::size_t& at) {
    const int number = tree.numbers[at++];
    if (number == ThreatTree::ends) {
        std::fprintf(file, " 0");
        return;
    }
    int count = tree.numbers[at++];
    std::fprintf(file, " %d %d", number + 1, count);
    for (; count > 0; --count) {
        std::fprintf(file, " %d", tree.numbers[at++]);
        print_tree<Attack>(file, tree, at);
    }
}
template <class Attack>
void print_tree(std::FILE* file, const ThreatTree& tree) {
    std::size_t at = 0;
    print_tree<Attack>(file, tree, at);
}

template <class Attack>
void print_record(std::FILE* file, const Attack& attack, const ThreatRecord<Attack>& record) {
    const auto stones = [&](const typename Attack::Set& set) {
        if (set.empty()) std::fprintf(file, "-");
        bool first = true;
        set.for_each([&](int bit) {
            std::fprintf(file, first ? "%d" : ",%d", attack.square(bit));
            first = false;
        });
        std::fprintf(file, " ");
    };
    stones(record.stones.attacker);
    stones(record.stones.defender);
    std::fprintf(file, "%c %d", record.attacker_moves ? 'A' : 'D', record.rank);
    if (record.attacker_moves) {
        if (record.witness >= 0) {
            std::fprintf(file, " W %d\n", attack.square(record.witness));
        } else {
            std::fprintf(file, " T");
            print_tree<Attack>(file, record.trees[0].tree);
            std::fprintf(file, "\n");
        }
        return;
    }
    std::fprintf(file, " N %zu", record.named.size());
    for (const int bit : record.named) std::fprintf(file, " %d", attack.square(bit));
    const bool passes = !record.trees.empty() && record.trees[0].reply == QuietNode<Attack>::pass;
    std::fprintf(file, " P %d", passes ? 1 : 0);
    if (passes) print_tree<Attack>(file, record.trees[0].tree);
    std::fprintf(file, " R %zu", record.trees.size() - (passes ? 1 : 0));
    for (std::size_t i = passes ? 1 : 0; i < record.trees.size(); ++i) {
        std::fprintf(file, " %d", attack.square(record.trees[i].reply));
        print_tree<Attack>(file, record.trees[i].tree);
    }
    std::fprintf(file, "\n");
}

int bit_of(const char* text) { return text[0] - 'a' + 16 * (std::atoi(text + 1) - 1); }
std::string text_of(int bit) {
    if (bit < 0) return "-";
    return static_cast<char>('a' + bit % 16) + std::to_string(bit / 16 + 1);
}

template <bool exact>
int run(int count, char** moves) {
    using Attack = gomoku::QuietAttack<gomoku::NarrowRows, Constant<5>, exact>;
    const Attack attack(15, 15, {});
    OpeningSettings settings;
    if (const char* text = std::getenv("MOST_EFFORT")) settings.last_effort = std::strtoull(text, nullptr, 10);
    const auto from = [](const char* name, auto& value) {
        if (const char* text = std::getenv(name)) value = static_cast<std::remove_reference_t<decltype(value)>>(std::strtoull(text, nullptr, 10));
    };
    from("PASS", settings.quiet.pass_nodes);
    from("REPLY", settings.quiet.reply_nodes);
    from("EXPAND", settings.quiet.expand_nodes);
    from("CAND", settings.quiet.candidates);
    from("OPEN", settings.quiet.most_open);
    from("REPAIR", settings.quiet.repair_nodes);
    from("LEVELS", settings.quiet.most_levels);
    from("SHARE", settings.quiet.return_share);
    from("EST", settings.quiet.estimate_divisor);
    from("TABLE", settings.quiet.table_size);
    OpeningSearch<Attack> search(attack, settings);
    typename Attack::Stones s;
    for (int i = 0; i < count; ++i) {
        const int bit = bit_of(moves[i]);
        s = i % 2 == 0 ? attack.attacked(s, bit) : attack.defended(s, bit);
    }
    search.report = [&](const OpeningProgress& p) {
        if (p.reply >= 0 || p.proved + p.failed.size() == 0) return;
        std::printf("%7.2f  %s, effort %llu: %zu of %zu proved, not", cpu_seconds(), text_of(p.move).c_str(),
                    static_cast<unsigned long long>(p.effort), p.proved, p.replies);
        for (const int bit : p.failed) std::printf(" %s", text_of(bit).c_str());
        std::printf("\n");
        std::fflush(stdout);
    };
    bool proved = false;
    if (count >= 4) {
        auto& quiet = search.quiet();
        auto& node = quiet.nodes().at(s, true);
        for (std::uint64_t budget = 10000; !proved && budget <= settings.last_effort; budget *= 2) {
            proved = quiet.prove(node, budget);
        }
    } else {
        proved = search.prove(s);
    }
    auto& quiet = search.quiet();
    std::printf("%s %.2f s, %llu positions in %llu searches, %llu expansions, %zu nodes\n", proved ? "PROVED" : "OPEN",
                cpu_seconds(), static_cast<unsigned long long>(quiet.evaluation().work()),
                static_cast<unsigned long long>(quiet.evaluation().searches()),
                static_cast<unsigned long long>(quiet.expansions()), quiet.nodes().size());
    if (proved) {
        std::FILE* file = std::getenv("RECORDS") != nullptr ? std::fopen(std::getenv("RECORDS"), "w") : nullptr;
        if (file != nullptr) std::fprintf(file, "15 15 5 %s\n", exact ? "standard" : "free");
        std::size_t records = 0;
        std::size_t nodes = 0;
        int least = 225;
        ThreatRecords<Attack> proof(attack, quiet.nodes().keys());
        proof.collect(quiet.nodes().at(s, true), [&](const auto& record) {
            ++records;
            least = std::min(least, record.rank);
            for (const auto& tree : record.trees) nodes += tree.tree.nodes;
            if (file != nullptr) print_record(file, attack, record);
        });
        if (file != nullptr) std::fclose(file);
        std::printf("%zu records, %zu nodes of trees, the last quiet move at ply %d\n", records, nodes, 225 - least);
    }
    return proved ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    return std::strcmp(arguments[1], "standard") == 0 ? run<true>(count - 2, arguments + 2)
                                                      : run<false>(count - 2, arguments + 2);
}
