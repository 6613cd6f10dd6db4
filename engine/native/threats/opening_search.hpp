// Positions with so few stones that no threats follow a pass: the attacker's moves by growing effort, each reply of the
// defender a search of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "threats/quiet_search.hpp"

namespace proofbase {

struct OpeningSettings {
    QuietSettings quiet;
    std::uint64_t first_effort = 30'000;  ///< positions of searches by threats for a reply
    std::uint64_t last_effort = 8'000'000;
    int growth = 4;
    int candidates = 8;
    int most_failures = 2;  ///< replies that may fail before the move is put off until the effort has grown
};

/// What a search is doing, for those who wait for it.
struct OpeningProgress {
    int move = -1;       ///< of the attacker, a bit
    int reply = -1;      ///< of the defender, a bit
    std::size_t proved = 0;  ///< replies
    std::size_t replies = 0;
    std::uint64_t effort = 0;
};

template <class Attack>
class OpeningSearch {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;

    OpeningSearch(const Attack& attack, const OpeningSettings& settings, const std::atomic<bool>* stop = nullptr)
        : attack_(attack), settings_(settings), quiet_(attack, settings.quiet, stop) {}

    std::function<void(const OpeningProgress&)> report;

    /// A position with the attacker to move.
    bool prove(const Stones& s) {
        Node& node = quiet_.nodes().at(s, true);
        if (node.proved()) return true;
        std::vector<Candidate> candidates = candidates_of(node.stones);
        for (std::uint64_t effort = settings_.first_effort; effort <= settings_.last_effort;
             effort *= static_cast<std::uint64_t>(settings_.growth)) {
            std::ranges::stable_sort(candidates, std::greater{}, &Candidate::proved);
            for (Candidate& candidate : candidates) {
                if (!all_replies(node.stones, candidate, effort)) {
                    if (quiet_.stopped()) return false;
                    continue;
                }
                Node& child = quiet_.nodes().at(attack_.attacked(node.stones, candidate.move), false);
                node.children.assign(1, {candidate.move, &child});
                node.numbers = ProofNumbers::proved();
                node.evaluated = true;
                return true;
            }
        }
        return false;
    }

    QuietSearch<Attack>& quiet() noexcept { return quiet_; }

  private:
    struct Candidate {
        int move;
        std::size_t proved = 0;
        std::vector<int> replies;  ///< the ones to be tried first in front
    };

    std::vector<Candidate> candidates_of(const Stones& s) {
        std::vector<Candidate> list;
        std::set<std::uint64_t> seen;
        std::vector<int> moves = quiet_.evaluation().candidates(s, 4 * settings_.candidates);
        while (!moves.empty() && list.size() < static_cast<std::size_t>(settings_.candidates)) {
            const int move = moves.back();
            moves.pop_back();
            const Stones after = attack_.attacked(s, move);
            if (!seen.insert(quiet_.nodes().keys().of(after, false)).second) continue;
            list.push_back({move, 0, replies_of(after)});
        }
        return list;
    }

    /// One of each class of symmetric replies, the most dangerous first.
    std::vector<int> replies_of(const Stones& s) {
        std::vector<int> replies;
        std::set<std::uint64_t> seen;
        const auto worth = attack_.worth(s);
        for (Set left = attack_.empty(s); !left.empty();) {
            const int reply = QuietEvaluation<Attack>::most_dangerous(left, worth);
            left = left - Set::of(reply);
            if (seen.insert(quiet_.nodes().keys().of(attack_.defended(s, reply), true)).second) {
                replies.push_back(reply);
            }
        }
        return replies;
    }

    bool all_replies(const Stones& s, Candidate& candidate, std::uint64_t effort) {
        const Stones after = attack_.attacked(s, candidate.move);
        // If a pass of the defender cannot be answered no reply can.
        quiet_.evaluation().set_analogies({});
        progress_ = {candidate.move, -1, candidate.proved, candidate.replies.size(), effort};
        if (report) report(progress_);
        if (!quiet_.prove(quiet_.nodes().at(after, true), 4 * effort)) return false;
        int failures = 0;
        std::vector<int> failed;
        std::vector<int> others;
        candidate.proved = 0;
        for (std::size_t i = 0; i < candidate.replies.size(); ++i) {
            const int reply = candidate.replies[i];
            if (failures > settings_.most_failures || quiet_.stopped()) {
                others.push_back(reply);
                continue;
            }
            progress_.reply = reply;
            progress_.proved = candidate.proved;
            if (report) report(progress_);
            quiet_.evaluation().set_analogies({{reply, Analogy::nothing}});
            Node& node = quiet_.nodes().at(attack_.defended(after, reply), true);
            if (quiet_.prove(node, effort)) {
                ++candidate.proved;
                others.push_back(reply);
            } else {
                ++failures;
                failed.push_back(reply);
            }
        }
        candidate.replies = std::move(failed);
        candidate.replies.insert(candidate.replies.end(), others.begin(), others.end());
        if (failures > 0 || candidate.proved < candidate.replies.size()) return false;
        Node& node = quiet_.nodes().at(after, false);
        node.children.clear();
        attack_.empty(node.stones).for_each([&](int reply) {
            node.children.push_back({reply, &quiet_.nodes().at(attack_.defended(node.stones, reply), true)});
        });
        node.numbers = ProofNumbers::proved();
        node.evaluated = true;
        return true;
    }

    Attack attack_;
    OpeningSettings settings_;
    QuietSearch<Attack> quiet_;
    OpeningProgress progress_;
};

}  // namespace proofbase
