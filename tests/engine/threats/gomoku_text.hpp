// Squares and positions of go-moku as text (h8), and records as lines of text, as replay_of_threat_records.cpp says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "threats/quiet/threat_records.hpp"

namespace proofbase {

/// The bit of a square on a board of at most 15 columns (gomoku::NarrowRows).
inline int bit_of(const char* square) {
    return square[0] - 'a' + 16 * (std::atoi(square + 1) - 1);
}

/// `-`: no square.
inline std::string text_of(int bit) {
    if (bit < 0) return "-";
    return static_cast<char>('a' + bit % 16) + std::to_string(bit / 16 + 1);
}

/// After moves from the empty board, the first one by the attacker.
template <class Attack>
typename Attack::Stones stones_after(const Attack& attack, std::span<const char* const> moves) {
    typename Attack::Stones s;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const int bit = bit_of(moves[i]);
        s = i % 2 == 0 ? attack.attacked(s, bit) : attack.defended(s, bit);
    }
    return s;
}

/// In the numbers of the evidence `threats`.
inline void print_tree(std::FILE* file, const ThreatTree& tree, std::size_t& at) {
    const int number = tree.numbers[at++];
    if (number == ThreatTree::ends) {
        std::fprintf(file, " 0");
        return;
    }
    int count = tree.numbers[at++];
    std::fprintf(file, " %d %d", number + 1, count);
    for (; count > 0; --count) {
        std::fprintf(file, " %d", tree.numbers[at++]);
        print_tree(file, tree, at);
    }
}
inline void print_tree(std::FILE* file, const ThreatTree& tree) {
    std::size_t at = 0;
    print_tree(file, tree, at);
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
            print_tree(file, record.trees[0].tree);
            std::fprintf(file, "\n");
        }
        return;
    }
    std::fprintf(file, " N %zu", record.named.size());
    for (const int bit : record.named) std::fprintf(file, " %d", attack.square(bit));
    const bool passes = !record.trees.empty() && record.trees[0].reply == QuietNode<Attack>::pass;
    std::fprintf(file, " P %d", passes ? 1 : 0);
    if (passes) print_tree(file, record.trees[0].tree);
    std::fprintf(file, " R %zu", record.trees.size() - (passes ? 1 : 0));
    for (std::size_t i = passes ? 1 : 0; i < record.trees.size(); ++i) {
        std::fprintf(file, " %d", attack.square(record.trees[i].reply));
        print_tree(file, record.trees[i].tree);
    }
    std::fprintf(file, "\n");
}

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
        for (std::string square; std::getline(list, square, ',');)
            set = set | Attack::Set::of(attack.bit(std::stoi(square)));
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

}  // namespace proofbase
