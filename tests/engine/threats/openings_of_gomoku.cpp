// Proves openings of go-moku, and prints what came of it.
//   openings_of_gomoku [free|standard] [--records FILE] [--restore FILE] [--work POSITIONS] SQUARE...
// The squares are moves on 15x15, the first one by the attacker. If the defender is to move all his replies are proved, one
// after the other. FILE gets the records, or has those of an earlier run; replay_of_threat_records.cpp describes it. POSITIONS
// limits the searches by threats for a position with the attacker to move.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_set>
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

/// The records of a file that print_record has written.
template <class Attack>
struct RecordReader {
    const Attack& attack;
    std::istringstream in;

    int number() {
        int n = 0;
        in >> n;
        return n;
    }
    typename Attack::Set squares() {
        std::string text;
        in >> text;
        typename Attack::Set set;
        if (text == "-") return set;
        std::istringstream list(text);
        for (std::string square; std::getline(list, square, ',');) set = set | Attack::Set::of(attack.bit(std::stoi(square)));
        return set;
    }
    void tree(ThreatTree& out) {
        const int move = number();
        ++out.nodes;
        if (move == 0) {
            out.numbers.push_back(ThreatTree::ends);
            return;
        }
        int count = number();
        out.numbers.push_back(static_cast<std::uint16_t>(move - 1));
        out.numbers.push_back(static_cast<std::uint16_t>(count));
        for (; count > 0; --count) {
            out.numbers.push_back(static_cast<std::uint16_t>(number()));
            tree(out);
        }
    }
    void add_tree(ThreatRecord<Attack>& record, int reply) {
        record.trees.push_back({reply, {}, {}});
        tree(record.trees.back().tree);
    }
    ThreatRecord<Attack> record() {
        ThreatRecord<Attack> out;
        const auto attacker = squares();
        out.stones = attack.stones(attacker, squares());
        char side = 0;
        char kind = 0;
        in >> side >> out.rank >> kind;
        out.attacker_moves = side == 'A';
        if (kind == 'W') out.witness = attack.bit(number());
        if (kind == 'T') add_tree(out, QuietNode<Attack>::pass);
        if (kind != 'N') return out;
        for (int count = number(); count > 0; --count) out.named.push_back(attack.bit(number()));
        in >> kind;
        if (number() == 1) add_tree(out, QuietNode<Attack>::pass);
        in >> kind;
        for (int count = number(); count > 0; --count) add_tree(out, attack.bit(number()));
        return out;
    }
};

template <class Attack>
std::vector<ThreatRecord<Attack>> read_records(const std::string& name, const Attack& attack) {
    std::ifstream file(name);
    std::vector<ThreatRecord<Attack>> records;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) records.push_back(RecordReader<Attack>{attack, std::istringstream(line)}.record());
    return records;
}

struct Options {
    std::string records;
    std::string restored;
    std::uint64_t most_work = 500'000'000;
    std::vector<const char*> moves;
};

std::string text_of(int bit) {
    if (bit < 0) return "-";
    return static_cast<char>('a' + bit % 16) + std::to_string(bit / 16 + 1);
}

template <bool exact>
int run(const Options& options) {
    const auto& moves = options.moves;
    const auto count = moves.size();
    using Attack = gomoku::QuietAttack<gomoku::NarrowRows, Constant<5>, exact>;
    const Attack attack(15, 15, {});
    OpeningSettings settings;
    settings.most_work = options.most_work;
    OpeningSearch<Attack> search(attack, settings);
    typename Attack::Stones s;
    for (std::size_t i = 0; i < count; ++i) {
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
    auto& quiet = search.quiet();
    ThreatRecords<Attack> proof(attack, quiet.nodes().keys());
    if (!options.restored.empty()) {
        const auto records = read_records(options.restored, attack);
        std::printf("%zu of %zu records hold\n", proof.restore(records, quiet.nodes()), records.size());
    }
    std::FILE* file = options.records.empty() ? nullptr : std::fopen(options.records.c_str(), "w");
    if (file != nullptr) std::fprintf(file, "15 15 5 %s\n", exact ? "standard" : "free");
    std::unordered_set<std::uint64_t> written;
    const auto write = [&](const QuietNode<Attack>& root) {
        std::size_t records = 0;
        std::size_t nodes = 0;
        int least = 225;
        std::size_t fresh = 0;
        proof.collect(root, [&](const auto& record) {
            ++records;
            least = std::min(least, record.rank);
            for (const auto& tree : record.trees) nodes += tree.tree.nodes;
            if (!written.insert(quiet.nodes().keys().of(record.stones, record.attacker_moves)).second) return;
            ++fresh;
            if (file != nullptr) print_record(file, attack, record);
        });
        std::printf("        %zu records (%zu not written before), %zu nodes of trees, the last quiet move at ply %d\n", records,
                    fresh, nodes, 225 - least);
        if (file != nullptr) std::fflush(file);
    };
    bool proved = false;
    if (count % 2 == 1) {
        double before = cpu_seconds();
        proved = search.prove_replies(s, [&](int reply, bool found) {
            std::printf("%s %s: %.2f s, %zu nodes\n", found ? "PROVED" : "OPEN", text_of(reply).c_str(),
                        cpu_seconds() - before, quiet.nodes().size());
            if (found) write(quiet.nodes().at(attack.defended(s, reply), true));
            std::fflush(stdout);
            before = cpu_seconds();
        });
    } else if (count >= 4) {
        auto& node = quiet.nodes().at(s, true);
        proved = quiet.prove(node, options.most_work);
    } else {
        proved = search.prove(s);
    }
    std::printf("%s %.2f s, %llu positions in %llu searches, %llu expansions, %zu nodes\n", proved ? "PROVED" : "OPEN",
                cpu_seconds(), static_cast<unsigned long long>(quiet.evaluation().work()),
                static_cast<unsigned long long>(quiet.evaluation().searches()),
                static_cast<unsigned long long>(quiet.expansions()), quiet.nodes().size());
    if (proved) write(quiet.nodes().at(s, count % 2 == 0));
    if (file != nullptr) std::fclose(file);
    return proved ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    bool exact = false;
    for (int i = 1; i < count; ++i) {
        const bool more = i + 1 < count;
        if (std::strcmp(arguments[i], "standard") == 0) {
            exact = true;
        } else if (std::strcmp(arguments[i], "--records") == 0 && more) {
            options.records = arguments[++i];
        } else if (std::strcmp(arguments[i], "--restore") == 0 && more) {
            options.restored = arguments[++i];
        } else if (std::strcmp(arguments[i], "--work") == 0 && more) {
            options.most_work = std::strtoull(arguments[++i], nullptr, 10);
        } else if (std::strcmp(arguments[i], "free") != 0) {
            options.moves.push_back(arguments[i]);
        }
    }
    return exact ? run<true>(options) : run<false>(options);
}
