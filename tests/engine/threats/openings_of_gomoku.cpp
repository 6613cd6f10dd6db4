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

namespace {

using namespace proofbase;
using gomoku::lines::Constant;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
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
    from("TABLE", settings.quiet.table_size);
    OpeningSearch<Attack> search(attack, settings);
    typename Attack::Stones s;
    for (int i = 0; i < count; ++i) {
        const int bit = bit_of(moves[i]);
        s = i % 2 == 0 ? attack.attacked(s, bit) : attack.defended(s, bit);
    }
    OpeningProgress last;
    search.report = [&](const OpeningProgress& p) {
        if (p.move != last.move || p.effort != last.effort) {
            std::printf("%7.2f  effort %llu: %s, before: %s: %zu of %zu at %s\n", cpu_seconds(),
                        static_cast<unsigned long long>(p.effort), text_of(p.move).c_str(), text_of(last.move).c_str(),
                        last.proved, last.replies, text_of(last.reply).c_str());
            std::fflush(stdout);
        }
        last = p;
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
    return proved ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    return std::strcmp(arguments[1], "standard") == 0 ? run<true>(count - 2, arguments + 2)
                                                      : run<false>(count - 2, arguments + 2);
}
