// The threats of go-moku for the tests: a question a line on standard input, an answer a line on standard output.
//   squares WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER         the squares of each kind of threat
//   meeting WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER         the squares that meet all double fours at once
//   fours   WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER NODES   OUTCOME NODES LINE
//   threes  WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER NODES   OUTCOME NODES TREE
//   forgetful, as threes                                               with a table of 16 entries
//   sequences, thesis, as threes     dependency-based search, sequences tested by replay or by the search of the
//   thesis;
//                                    behind NODES: tested sequences, those that passed and have no tree, TREE
//   operators WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER        MOVE:CATEGORY:REPLIES:SQUARES of each threat
//   bench   WIDTH HEIGHT LENGTH EXACT LANES ATTACKER DEFENDER NODES   OUTCOME NODES NANOSECONDS of both searches
// EXACT is 0 or 1. LANES is `narrow` (vectors, boards to 15x16, five in a row) or `wide`. Sets are numbers of squares
// with commas between them, or `-`.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "games/gomoku/line_threats.hpp"
#include "threats/sequences/fours_search.hpp"
#include "threats/sequences/winning_sequences.hpp"
#include "threats/trees/threes_search.hpp"

namespace {

using namespace proofbase;
using gomoku::lines::Constant;

struct Question {
    char kind[16];
    int width, height, length, exact;
    char lanes[16];
    char attacker[2048];
    char defender[2048];
    unsigned long long nodes;
};

template <class Attack>
typename Attack::Set read_set(const Attack& attack, const char* text) {
    typename Attack::Set set;
    if (*text == '-') return set;
    for (const char* at = text;;) {
        char* end = nullptr;
        set = set | Attack::Set::of(attack.bit(static_cast<int>(std::strtol(at, &end, 10))));
        if (*end != ',') return set;
        at = end + 1;
    }
}

template <class Attack>
void print_set(const Attack& attack, const char* name, const typename Attack::Set& set) {
    std::printf(" %s=", name);
    set.for_each([&](int bit) { std::printf("%d,", attack.square(bit)); });
}

template <class Outcome>
const char* outcome_text(Outcome outcome) {
    return outcome == Outcome::won ? "won" : outcome == Outcome::none ? "none" : "cut";
}

template <class Attack>
void print_operators(const Attack& attack, const typename Attack::Stones& stones, const Question& q) {
    using Lines = gomoku::LineThreats<typename Attack::Set>;
    std::vector<typename Lines::Threat> threats;
    Lines(q.width, q.height, q.length, q.exact != 0).add_all(stones.attacker, stones.defender, 2, threats);
    for (const auto& threat : threats) {
        std::printf(" %d:%d:", attack.square(threat.move), threat.category);
        threat.replies.for_each([&](int bit) { std::printf("%d,", attack.square(bit)); });
        std::printf(":");
        threat.squares.for_each([&](int bit) { std::printf("%d,", attack.square(bit)); });
    }
}

template <class Attack>
void print_sequence(const Attack& attack, const typename Attack::Stones& stones, const Question& q, bool replayed) {
    using Lines = gomoku::LineThreats<typename Attack::Set>;
    using Search = WinningSequences<Attack, Lines>;
    Search search(attack, Lines(q.width, q.height, q.length, q.exact != 0), Lines(q.width, q.height, q.length, false));
    const auto test = replayed ? Search::Test::by_replay : Search::Test::by_search;
    const auto outcome = search.find(stones, q.nodes, test);
    const auto& cost = search.cost();
    std::printf("%s %llu %llu %llu", outcome_text(outcome), static_cast<unsigned long long>(cost.nodes),
                static_cast<unsigned long long>(cost.potential), static_cast<unsigned long long>(cost.unproved));
    if (outcome == Search::Outcome::won) {
        for (const std::uint16_t number : search.tree().numbers) std::printf(" %u", number);
    }
}

template <class Attack>
void answer(const Attack& attack, const Question& question) {
    const auto stones = attack.stones(read_set(attack, question.attacker), read_set(attack, question.defender));
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto nanoseconds = [&](auto since) {
        return static_cast<long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now() - since).count());
    };
    if (std::strcmp(question.kind, "squares") == 0) {
        const auto found = attack.threats(stones);
        print_set(attack, "five", found.five);
        print_set(attack, "four", found.four);
        print_set(attack, "straight_four", found.straight_four);
        print_set(attack, "double_four", found.double_four);
        print_set(attack, "three", found.three);
        print_set(attack, "four_three", found.four_three);
        print_set(attack, "double_three", found.double_three);
        print_set(attack, "wins", attack.wins(stones));
        print_set(attack, "defender_wins", attack.defender_wins(stones));
        print_set(attack, "defender_fours", attack.defender_fours(stones));
    } else if (std::strcmp(question.kind, "meeting") == 0) {
        print_set(attack, "meeting", attack.meeting(stones, attack.threats(stones).double_four));
    } else if (std::strcmp(question.kind, "fours") == 0) {
        FoursSearch<Attack> search(attack);
        const auto outcome = search.find(stones, question.nodes);
        std::printf("%s %llu", outcome_text(outcome), static_cast<unsigned long long>(search.nodes()));
        for (const int bit : search.line()) std::printf(" %d", attack.square(bit));
    } else if (std::strcmp(question.kind, "operators") == 0) {
        print_operators(attack, stones, question);
    } else if (std::strcmp(question.kind, "sequences") == 0 || std::strcmp(question.kind, "thesis") == 0) {
        print_sequence(attack, stones, question, std::strcmp(question.kind, "sequences") == 0);
    } else if (std::strcmp(question.kind, "bench") != 0) {
        ThreesSearch<Attack> search(attack, std::strcmp(question.kind, "threes") == 0 ? 16 : 2);
        const auto outcome = search.find(stones, question.nodes);
        std::printf("%s %llu", outcome_text(outcome), static_cast<unsigned long long>(search.nodes()));
        ThreatTree tree;
        if (outcome == ThreesSearch<Attack>::Outcome::won && search.write(stones, tree, 100 * question.nodes)) {
            for (const std::uint16_t number : tree.numbers) std::printf(" %u", number);
        }
    } else {
        FoursSearch<Attack> fours(attack);
        ThreesSearch<Attack> threes(attack, 16);
        auto since = now();
        auto outcome = outcome_text(fours.find(stones, question.nodes));
        std::printf("fours %s %llu %lld", outcome, static_cast<unsigned long long>(fours.nodes()), nanoseconds(since));
        since = now();
        outcome = outcome_text(threes.find(stones, question.nodes));
        std::printf(" threes %s %llu %lld", outcome, static_cast<unsigned long long>(threes.nodes()),
                    nanoseconds(since));
    }
    std::printf("\n");
}

template <bool exact>
void answer(const Question& q) {
    if (std::strcmp(q.lanes, "narrow") == 0) {
        answer(gomoku::Attack<gomoku::NarrowRows, Constant<5>>(q.width, q.height, {}, exact), q);
    } else {
        answer(gomoku::Attack<gomoku::WideRows, int>(q.width, q.height, q.length, exact), q);
    }
}

}  // namespace

int main() {
    static Question q;
    while (std::scanf("%15s %d %d %d %d %15s %2047s %2047s", q.kind, &q.width, &q.height, &q.length, &q.exact, q.lanes,
                      q.attacker, q.defender) == 8) {
        const bool limited = std::strcmp(q.kind, "squares") != 0 && std::strcmp(q.kind, "meeting") != 0 &&
                             std::strcmp(q.kind, "operators") != 0;
        if (limited && std::scanf("%llu", &q.nodes) != 1) return 1;
        if (q.exact != 0) {
            answer<true>(q);
        } else {
            answer<false>(q);
        }
    }
    return 0;
}
