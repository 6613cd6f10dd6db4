// Positions that one df-pn does not settle, be it that no threats follow a pass with so few stones or that their proof
// is large: the attacker's moves by what their proofs are expected to cost, each reply of the defender a search of its
// own with growing effort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/openings/opening_candidate.hpp"
#include "threats/openings/winning_shapes.hpp"
#include "threats/quiet/proof_reduction.hpp"
#include "threats/quiet/quiet_search.hpp"
#include "threats/quiet/shared_search.hpp"

namespace proofbase {

struct OpeningSettings {
    QuietSettings quiet{};
    std::uint64_t first_effort = 30'000;          ///< positions of searches by threats for a reply
    std::uint64_t pass_effort = 500'000;          ///< for a pass after a candidate
    std::uint64_t most_work = ~std::uint64_t{0};  ///< for one position with the attacker to move
    std::uint64_t reduction_nodes = 16'000;       ///< for a position of a proof that was found, to make it smaller
    std::uint64_t most_direct = 50'000'000;       ///< for one df-pn; a reply that needs more is answered by its replies
    int growth = 4;
    int candidates = 24;
};

/// What a search is doing, for those who wait for it. Moves are bits, in the orientation of the position asked for.
struct OpeningProgress {
    static constexpr int none = -1;

    int answered = none;  ///< where all replies to a position are proved: the reply that is worked on
    std::size_t proved_before = 0;
    std::size_t replies_before = 0;
    int move = none;   ///< of the attacker
    int reply = none;  ///< to that move; none: a pass
    std::size_t proved = 0;
    std::size_t replies = 0;
    std::uint64_t effort = 0;  ///< of the attempt under way
};

template <QuietThreatBoard Attack>
class OpeningSearch {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    using Node = QuietNode<Attack>;

    OpeningSearch(const Attack& attack, const OpeningSettings& settings)
        : attack_(attack),
          settings_(settings),
          shared_(attack_, settings.quiet),
          quiet_(attack_, shared_),
          reduction_(quiet_, settings.reduction_nodes),
          shapes_(quiet_.nodes().keys()) {}

    std::function<void(const OpeningProgress&)> report;

    /// A position with the attacker to move. `seen`: positions proved before that differ in a stone of the defender.
    bool prove(const Stones& s, const std::vector<Analogy>& seen = {}) {
        asked_ = s;
        depth_ = 0;  // it is not, where memory ran out on the way
        Node& node = quiet_.nodes().at(s, true);
        if (node.proved()) return true;
        prove_by_replies(node, settings_.most_work, seen);
        return reduce_if_proved(node);
    }

    /// The same for a position with more stones: by df-pn as far as that goes, and then by the replies.
    bool prove_late(const Stones& s) {
        Node& node = quiet_.nodes().at(s, true);
        if (node.proved()) return true;
        if (quiet_.prove(node, std::min(settings_.most_direct, settings_.most_work)) || node.failed()) {
            return reduce_if_proved(node);
        }
        return prove(s);
    }

    /// A position with the defender to move: every reply is a search of its own, those far from the stones first, one
    /// of each class of symmetric ones, and each one learns from those before. `proved(reply, whether)` is called after
    /// each of them.
    template <class Proved>
    bool prove_replies(const Stones& s, Proved&& proved) {
        std::vector<int> replies = replies_of(s);
        std::ranges::reverse(replies);
        Answers answers;
        bool all = true;
        for (const int reply : replies) {
            progress_ = {reply, answers.replies.size(), replies.size()};
            const bool found = answer(s, reply, all, answers);
            all = all && found;
            proved(reply, found);
        }
        if (all) name_all_replies(quiet_.nodes().at(s, false));
        return all;
    }

    /// Whether the node is proved; then the positions that its proof rests on become fewer.
    bool reduce_if_proved(Node& node) {
        if (node.proved()) reduction_.reduce(node);
        return node.proved();
    }

    QuietSearch<Attack>& quiet() noexcept { return quiet_; }
    /// For other threads, which help with what this one proves (`QuietSearch::help`).
    SharedSearch<Attack>& shared() noexcept { return shared_; }
    const SharedSearch<Attack>& shared() const noexcept { return shared_; }

    /// Begins anew with other limits. The nodes are gone.
    void restart(const OpeningSettings& settings) {
        settings_ = settings;
        shared_.settings = settings.quiet;
        shared_.nodes.clear();
        shared_.history = {};
        shapes_.clear();
        moves_.clear();
        quiet_.set_analogies({});
    }

    /// Whether positions are open because of `most_work` alone.
    bool out_of_work() const {
        return std::ranges::any_of(
            moves_, [](const auto& position) { return position.second.depth == 0 && !position.second.ruled_out(); });
    }

    /// For each position that is asked again.
    void set_most_work(std::uint64_t work) noexcept { settings_.most_work = work; }

  private:
    static constexpr std::size_t most_seen = 3;  ///< proofs that a new one may follow

    /// The attacker's moves in a position.
    struct Moves {
        std::vector<OpeningCandidate> candidates;
        int depth = std::numeric_limits<int>::max();  ///< 0: the position was asked; otherwise it came up on the way

        /// Whether the limits of the searches rule every move out.
        bool ruled_out() const {
            return std::ranges::all_of(
                candidates, [](const auto& candidate) { return candidate.price() == OpeningCandidate::never; });
        }
    };

    /// The replies that are answered, and the nodes of their proofs.
    struct Answers {
        std::vector<int> replies;
        std::vector<Node*> roots;
    };

    /// One reply. `others`: all before it are answered. What was found of replies that are open serves when they are
    /// tried again.
    bool answer(const Stones& s, int reply, bool others, Answers& answers) {
        std::vector<Analogy> seen;
        for (std::size_t i = answers.replies.size(); i-- > 0 && seen.size() < most_seen;) {
            seen.push_back({reply, answers.replies[i]});
        }
        const Stones after = attack_.defended(s, reply);
        const bool known = quiet_.nodes().at(after, true).proved();
        if (!known && !prove(after, seen)) return false;
        add_answer(after, reply, answers);
        if (!known && others) {
            quiet_.nodes().keep_proofs_of(answers.roots);
            moves_.clear();  // the replies that they hold for proved may be gone
        }
        return true;
    }

    void add_answer(const Stones& after, int reply, Answers& answers) {
        Node& node = quiet_.nodes().at(after, true);
        answers.replies.push_back(reply);
        answers.roots.push_back(&node);
        if (Node* after_pass = proof_after_pass(node)) answers.roots.push_back(after_pass);
        if (!node.children.empty()) shapes_.note(attack_.attacked(node.stones, node.answer().move));
    }

    /// A node with the attacker to move. `most_work`: positions that the searches by threats of this call look at.
    bool prove_by_replies(Node& node, std::uint64_t most_work, const std::vector<Analogy>& seen) {
        if (node.proved()) return true;
        const std::uint64_t key = quiet_.nodes().keys().of(node.stones, true);
        quiet_.set_analogies(seen);
        // Kept until the position is proved: a search that reached `most_work` goes on where it was.
        Moves& moves = moves_[key];
        if (moves.candidates.empty()) moves.candidates = candidates_of(node.stones);
        moves.depth = std::min(moves.depth, depth_);
        const std::uint64_t begin = quiet_.work();
        ++depth_;
        while (!node.proved() && !moves.ruled_out() && quiet_.work() - begin < most_work) {
            OpeningCandidate& next = *std::ranges::min_element(moves.candidates, {}, &OpeningCandidate::price);
            step(node.stones, next, seen);
            if (next.proved()) settle(node, next.move());
        }
        --depth_;
        if (node.proved()) moves_.erase(key);
        return node.proved();
    }

    std::vector<OpeningCandidate> candidates_of(const Stones& s) {
        std::vector<OpeningCandidate> list;
        std::set<std::uint64_t> seen;
        std::vector<int> moves = quiet_.evaluation().candidates(s, 4 * settings_.candidates);
        while (!moves.empty() && list.size() < static_cast<std::size_t>(settings_.candidates)) {
            const int move = moves.back();
            moves.pop_back();
            const Stones after = attack_.attacked(s, move);
            if (!seen.insert(quiet_.nodes().keys().of(after, false)).second) continue;
            list.emplace_back(move, replies_of(after), settings_.first_effort, list.size(), shapes_.likelihood(after));
        }
        return list;
    }

    /// One of each class of symmetric replies, the most dangerous first.
    std::vector<int> replies_of(const Stones& s) {
        std::vector<int> replies;
        std::set<std::uint64_t> seen;
        const auto worth = attack_.worth(s);
        for (Set left = attack_.playable(s); !left.empty();) {
            const int reply = QuietEvaluation<Attack>::most_dangerous(left, worth);
            left = left - Set::of(reply);
            if (seen.insert(quiet_.nodes().keys().of(attack_.defended(s, reply), true)).second) {
                replies.push_back(reply);
            }
        }
        return replies;
    }

    /// One attempt to answer one reply to a candidate.
    void step(const Stones& s, OpeningCandidate& candidate, const std::vector<Analogy>& seen) {
        const Stones after = attack_.attacked(s, candidate.move());
        if (!candidate.begun()) {
            // If a pass of the defender cannot be answered no reply can.
            tell(s, candidate, OpeningProgress::none, settings_.pass_effort);
            quiet_.set_analogies(seen);
            Node& after_pass = quiet_.nodes().at(after, true);
            const bool wins = quiet_.prove(after_pass, settings_.pass_effort);
            // The answers to most replies follow this proof, so its size counts a hundred times.
            if (wins) quiet_.shorten(after_pass, settings_.first_effort);
            candidate.begin(wins);
            for (std::size_t i = 0; wins && i < candidate.replies().size(); ++i) {
                const Stones replied = attack_.defended(after, candidate.replies()[i].move);
                if (quiet_.nodes().proved(replied, true) != nullptr) candidate.note_proved(i);
            }
            return;
        }
        const std::size_t index = candidate.next();
        const int reply = candidate.replies()[index].move;
        const std::uint64_t effort = candidate.effort(index, settings_.growth);
        tell(s, candidate, reply, effort);
        std::vector<Analogy> analogies = {{reply, Analogy::nothing}};
        analogies.insert(analogies.end(), seen.begin(), seen.end());
        Node& node = quiet_.nodes().at(attack_.defended(after, reply), true);
        const std::uint64_t begin = quiet_.work();
        // Neither way is the better one everywhere, so each has half of a large effort.
        if (effort > settings_.most_direct && !node.failed()) prove_by_replies(node, effort / 2, analogies);
        const std::uint64_t spent = quiet_.work() - begin;
        if (!node.proved() && spent < effort) {
            quiet_.set_analogies(analogies);
            quiet_.prove(node, effort - spent);
        }
        candidate.note(index, effort, node.numbers);
    }

    /// The proof that the attacker's answer in this position, with the attacker to move, wins against a pass; null:
    /// there is none.
    Node* proof_after_pass(const Node& node) {
        if (node.children.empty()) return nullptr;  // threats win
        Node* after_pass = quiet_.nodes().find(attack_.attacked(node.stones, node.answer().move), true);
        return after_pass != nullptr && after_pass->proved() ? after_pass : nullptr;
    }

    /// All replies to a move of the attacker are answered.
    void settle(Node& node, int move) {
        Node& child = quiet_.nodes().at(attack_.attacked(node.stones, move), false);
        name_all_replies(child);
        node.children.assign(1, {move, &child});
        node.numbers = ProofNumbers::proved();
        node.evaluated = true;
    }

    void name_all_replies(Node& node) {
        node.children.clear();
        attack_.playable(node.stones).for_each([&](int reply) {
            node.children.push_back({reply, &quiet_.nodes().at(attack_.defended(node.stones, reply), true)});
        });
        node.numbers = ProofNumbers::proved();
        node.evaluated = true;
    }

    /// `s`: the position whose candidate this is, in the orientation of its node.
    void tell(const Stones& s, const OpeningCandidate& candidate, int reply, std::uint64_t effort) {
        if (!report || depth_ > 1) return;  // what is told is the search of the position that was asked
        const auto* image = quiet_.nodes().keys().between(s, asked_);
        const auto shown = [&](int bit) {
            return bit < 0 || image == nullptr ? bit : static_cast<int>((*image)[static_cast<std::size_t>(bit)]);
        };
        progress_.move = shown(candidate.move());
        progress_.reply = shown(reply);
        progress_.proved = candidate.proved_replies();
        progress_.replies = candidate.replies().size();
        progress_.effort = effort;
        report(progress_);
    }

    Attack attack_;
    OpeningSettings settings_;
    SharedSearch<Attack> shared_;
    QuietSearch<Attack> quiet_;
    ProofReduction<Attack> reduction_;
    WinningShapes<Attack> shapes_;                    ///< of the replies that are proved
    std::unordered_map<std::uint64_t, Moves> moves_;  ///< of positions that are not proved
    Stones asked_;                                    ///< the position that is being proved, as it was given
    OpeningProgress progress_;
    int depth_ = 0;  ///< how many positions, one below the other, are being proved by their replies
};

}  // namespace proofbase
