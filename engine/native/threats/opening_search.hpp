// Positions with so few stones that no threats follow a pass: the attacker's moves by growing effort, each reply of the
// defender a search of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "threats/quiet_search.hpp"

namespace proofbase {

struct OpeningSettings {
    QuietSettings quiet;
    std::uint64_t first_effort = 30'000;  ///< positions of searches by threats for a reply
    std::uint64_t last_effort = 500'000'000;
    std::uint64_t most_work = ~std::uint64_t{0};  ///< for one position with the attacker to move
    int growth = 4;
    int candidates = 8;
    int most_failures = 2;  ///< replies that may fail before the move is put off until the effort has grown
};

/// What a search is doing, for those who wait for it.
struct OpeningProgress {
    int move = -1;           ///< of the attacker, a bit
    int reply = -1;          ///< of the defender, a bit; -1: before the first and after the last one
    std::size_t proved = 0;  ///< replies
    std::size_t replies = 0;
    std::uint64_t effort = 0;
    std::vector<int> failed;  ///< replies that were not proved with this effort
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

    /// A position with the attacker to move. `seen`: positions proved before that differ in a stone of the defender.
    bool prove(const Stones& s, const std::vector<Analogy>& seen = {}) {
        Node& node = quiet_.nodes().at(s, true);
        quiet_.evaluation().set_analogies(seen);
        // Kept until the position is proved: a search that was stopped goes on with the same efforts.
        std::vector<Candidate>& candidates = candidates_[quiet_.nodes().keys().of(s, true)];
        if (candidates.empty() && !node.proved()) candidates = candidates_of(node.stones);
        const std::uint64_t begin = quiet_.evaluation().work();
        while (!node.proved() && !candidates.empty() && !quiet_.stopped() &&
               quiet_.evaluation().work() - begin < settings_.most_work) {
            std::erase_if(candidates, [&](const Candidate& c) { return c.effort > settings_.last_effort; });
            if (candidates.empty()) break;
            Candidate& next = *std::ranges::min_element(candidates, {}, &Candidate::price);
            if (all_replies(node.stones, next, seen)) {
                Node& child = quiet_.nodes().at(attack_.attacked(node.stones, next.move), false);
                node.children.assign(1, {next.move, &child});
                node.numbers = ProofNumbers::proved();
                node.evaluated = true;
            }
            if (!quiet_.stopped()) next.effort *= static_cast<std::uint64_t>(settings_.growth);
        }
        if (node.proved()) candidates_.erase(quiet_.nodes().keys().of(s, true));
        return node.proved();
    }

    /// A position with the defender to move: every reply is a search of its own, those far from the stones first, and
    /// each one learns from those before. `proved(reply, whether)` is called after each of them.
    template <class Proved>
    bool prove_replies(const Stones& s, Proved&& proved) {
        std::vector<int> replies = replies_of(s);
        std::vector<Node*> roots;
        std::vector<int> done;
        std::ranges::reverse(replies);
        bool all = true;
        for (const int reply : replies) {
            std::vector<Analogy> seen;
            for (std::size_t i = done.size(); i-- > 0 && seen.size() < 3;) seen.push_back({reply, done[i]});
            Node& node = quiet_.nodes().at(attack_.defended(s, reply), true);
            const bool found = prove(node.stones, seen);
            if (found) {
                done.push_back(reply);
                roots.push_back(&node);
                roots.push_back(&quiet_.nodes().at(attack_.attacked(node.stones, node.answer().move), true));
                quiet_.nodes().keep_proofs_of(roots);
            }
            all = all && found;
            proved(reply, found);
            if (quiet_.stopped()) return false;
        }
        if (!all) return false;
        Node& node = quiet_.nodes().at(s, false);
        node.children.clear();
        attack_.empty(node.stones).for_each([&](int reply) {
            node.children.push_back({reply, &quiet_.nodes().at(attack_.defended(node.stones, reply), true)});
        });
        node.numbers = ProofNumbers::proved();
        node.evaluated = true;
        return true;
    }

    QuietSearch<Attack>& quiet() noexcept { return quiet_; }

  private:
    struct Candidate {
        int move;
        std::uint64_t effort;
        std::size_t failures = 0;
        bool complete = false;     ///< all replies were tried with the last effort
        bool shortened = false;    ///< the proof against a pass
        std::vector<int> replies;  ///< those that failed before in front

        /// What the next attempt is expected to cost: one that has failed early can have many difficult replies.
        std::uint64_t price() const { return effort * (complete ? failures : 8); }
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
            list.push_back({move, settings_.first_effort, 0, false, false, replies_of(after)});
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

    bool all_replies(const Stones& s, Candidate& candidate, const std::vector<Analogy>& seen) {
        const Stones after = attack_.attacked(s, candidate.move);
        progress_ = {candidate.move, -1, 0, candidate.replies.size(), candidate.effort, {}};
        tell();
        candidate.complete = false;
        // If a pass of the defender cannot be answered no reply can.
        quiet_.evaluation().set_analogies(seen);
        Node& after_pass = quiet_.nodes().at(after, true);
        if (!quiet_.prove(after_pass, 4 * candidate.effort)) return false;
        // The answers to most replies follow this proof, so its size counts a hundred times.
        if (!candidate.shortened) quiet_.shorten(after_pass, settings_.first_effort);
        candidate.shortened = true;
        std::vector<int> others;
        for (const int reply : candidate.replies) {
            if (static_cast<int>(progress_.failed.size()) > settings_.most_failures || quiet_.stopped()) {
                others.push_back(reply);
                continue;
            }
            progress_.reply = reply;
            tell();
            std::vector<Analogy> analogies = {{reply, Analogy::nothing}};
            analogies.insert(analogies.end(), seen.begin(), seen.end());
            quiet_.evaluation().set_analogies(std::move(analogies));
            if (quiet_.prove(quiet_.nodes().at(attack_.defended(after, reply), true), candidate.effort)) {
                ++progress_.proved;
                others.push_back(reply);
            } else {
                progress_.failed.push_back(reply);
            }
        }
        progress_.reply = -1;
        tell();
        candidate.failures = progress_.failed.size();
        candidate.complete = progress_.failed.size() + progress_.proved == candidate.replies.size();
        candidate.replies = progress_.failed;
        candidate.replies.insert(candidate.replies.end(), others.begin(), others.end());
        if (!candidate.complete || candidate.failures > 0) return false;
        Node& node = quiet_.nodes().at(after, false);
        node.children.clear();
        attack_.empty(node.stones).for_each([&](int reply) {
            node.children.push_back({reply, &quiet_.nodes().at(attack_.defended(node.stones, reply), true)});
        });
        node.numbers = ProofNumbers::proved();
        node.evaluated = true;
        return true;
    }

    void tell() const {
        if (report) report(progress_);
    }

    Attack attack_;
    OpeningSettings settings_;
    QuietSearch<Attack> quiet_;
    std::unordered_map<std::uint64_t, std::vector<Candidate>> candidates_;  ///< of positions that are not proved
    OpeningProgress progress_;
};

}  // namespace proofbase
