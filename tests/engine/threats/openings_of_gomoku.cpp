// Proves openings of go-moku, and prints what came of it.
//   openings_of_gomoku [free|standard] [--records FILE] [--restore FILE] [--work POSITIONS] [--direct POSITIONS]
//   [--reduction POSITIONS] [--threads N] SQUARE...
// The squares are moves on 15x15, the first one by the attacker. If the defender is to move all his replies are proved,
// one after the other. FILE gets the records, or has those of an earlier run; replay_of_threat_records.cpp describes
// it. --work limits the searches by threats for a position with the attacker to move, --direct those of one df-pn,
// --reduction those that make a proof smaller, for each of its positions. Seconds are those of the processor, of all
// threads together, and in brackets by the clock.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "games/gomoku/attack.hpp"
#include "gomoku_text.hpp"
#include "threats/openings/opening_search.hpp"
#include "threats/quiet/threat_records.hpp"

namespace {

using namespace proofbase;
using gomoku::lines::Constant;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

double clock_seconds() {
    static const auto begin = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Options {
    std::string records;
    std::string restored;
    std::uint64_t most_work = 500'000'000;
    std::uint64_t most_direct = OpeningSettings{}.most_direct;
    std::uint64_t reduction_nodes = OpeningSettings{}.reduction_nodes;
    int threads = 1;
    std::vector<const char*> moves;
};

/// Other threads, which help a search for as long as this lives.
template <class Attack>
class Helpers {
  public:
    Helpers(const Attack& attack, SharedSearch<Attack>& shared, int count) {
        for (int i = 0; i < count; ++i) {
            searches_.push_back(std::make_unique<QuietSearch<Attack>>(attack, shared));
            threads_.emplace_back([search = searches_.back().get()](const std::stop_token& stop) {
                while (!stop.stop_requested()) search->help();
            });
        }
    }

  private:
    std::vector<std::unique_ptr<QuietSearch<Attack>>> searches_;
    std::vector<std::jthread> threads_;
};

template <bool exact>
int run(const Options& options) {
    const auto& moves = options.moves;
    const auto count = moves.size();
    using Attack = gomoku::Attack<gomoku::NarrowRows, Constant<5>>;
    const Attack attack(15, 15, {}, exact);
    OpeningSettings settings;
    settings.most_work = options.most_work;
    settings.quiet.spare_candidates = attack.spare_candidates();
    settings.most_direct = options.most_direct;
    settings.reduction_nodes = options.reduction_nodes;
    OpeningSearch<Attack> search(attack, settings);
    const Helpers<Attack> helpers(attack, search.shared(), options.threads - 1);
    clock_seconds();
    const auto s = stones_after(attack, moves);
    double next_line = 0;
    search.report = [&](const OpeningProgress& p) {
        if (cpu_seconds() < next_line) return;
        next_line = cpu_seconds() + 2;
        std::printf("%7.2f  %s: %zu of %zu replies proved, %s with effort %llu\n", cpu_seconds(),
                    text_of(p.move).c_str(), p.proved, p.replies, p.reply < 0 ? "pass" : text_of(p.reply).c_str(),
                    static_cast<unsigned long long>(p.effort));
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
        std::printf("        %zu records (%zu not written before), %zu nodes of trees, the last quiet move at ply %d\n",
                    records, fresh, nodes, 225 - least);
        if (file != nullptr) std::fflush(file);
    };
    bool proved = false;
    if (count % 2 == 1) {
        double before = cpu_seconds();
        double clock_before = clock_seconds();
        proved = search.prove_replies(s, [&](int reply, bool found) {
            std::printf("%s %s: %.2f s (%.2f), %llu positions, %zu nodes\n", found ? "PROVED" : "OPEN",
                        text_of(reply).c_str(), cpu_seconds() - before, clock_seconds() - clock_before,
                        static_cast<unsigned long long>(search.shared().work), quiet.nodes().size());
            if (found) write(quiet.nodes().at(attack.defended(s, reply), true));
            std::fflush(stdout);
            before = cpu_seconds();
            clock_before = clock_seconds();
        });
    } else if (count >= 4) {
        proved = search.prove_late(s);
    } else {
        proved = search.prove(s);
    }
    const auto& shared = search.shared();
    std::printf("%s %.2f s (%.2f), %llu positions in %llu searches, %llu expansions, %zu nodes\n",
                proved ? "PROVED" : "OPEN", cpu_seconds(), clock_seconds(),
                static_cast<unsigned long long>(shared.work), static_cast<unsigned long long>(shared.searches),
                static_cast<unsigned long long>(shared.expansions), quiet.nodes().size());
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
        } else if (std::strcmp(arguments[i], "--direct") == 0 && more) {
            options.most_direct = std::strtoull(arguments[++i], nullptr, 10);
        } else if (std::strcmp(arguments[i], "--reduction") == 0 && more) {
            options.reduction_nodes = std::strtoull(arguments[++i], nullptr, 10);
        } else if (std::strcmp(arguments[i], "--threads") == 0 && more) {
            options.threads = std::atoi(arguments[++i]);
        } else if (std::strcmp(arguments[i], "free") != 0) {
            options.moves.push_back(arguments[i]);
        }
    }
    return exact ? run<true>(options) : run<false>(options);
}
