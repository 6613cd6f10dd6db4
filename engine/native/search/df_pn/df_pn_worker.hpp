// Depth-first proof-number search (df-pn), one thread of it: Nagai, "Df-pn algorithm for searching AND/OR trees and its
// applications" (2002), with the thresholds of Pawlewicz and Lew, "Improving depth-first PN-search: 1 + epsilon trick"
// (2006).
//
// A node is searched until its proof or disproof number reaches a threshold; then its numbers go into the table, and
// its parent goes on. A frame holds the numbers of all children of its node, as they were when it was entered, as its
// own searches left them, and as others changed them since: so a table that has lost an entry costs time and nothing
// else, and a child that was searched never looks cheaper than it came back (else the search might not end).
//
// In games with cycles a repetition on the path settles a node for the side that it suits, and results that rest on it
// stay with this thread (df_pn_path.hpp); the table holds facts and numbers only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "concepts.hpp"
#include "records/local_check.hpp"
#include "search/df_pn/df_pn_checkpoint.hpp"
#include "search/df_pn/df_pn_children.hpp"
#include "search/df_pn/df_pn_ghi.hpp"
#include "search/df_pn/df_pn_shared.hpp"
#include "search/df_pn/df_pn_stack.hpp"
#include "search/df_pn/df_pn_table.hpp"
#include "search/policy/initialisation.hpp"
#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// One depth-first search from a root, which can be left after any expansion and taken up again.
template <Game G>
class alignas(64) DfPnWorker {
  public:
    using Shared = DfPnShared<G>;
    using Position = typename G::Position;
    using Move = typename G::Move;
    using Key = typename G::Key;
    using Words = typename Shared::Words;

    /// `number` is that of the thread: threads list children from different ones on, so that of equal children each
    /// takes another one.
    explicit DfPnWorker(Shared& shared, std::uint32_t number = 0)
        : shared_(shared), game_(shared.game), number_(number), acyclic_(!may_recur || game_.acyclic()) {}

    /// Begins a search of a node that is not over: until it is solved.
    void begin(const Position& position, int bound) {
        abandon(0);
        answer_ = {};
        const Words key = shared_.keys.words(game_.key(position));
        enter(position, {key, bound, hash_node(key, bound)}, {infinite, infinite}, 0);
    }

    bool begun() const noexcept { return !frames_.empty() || answer_.numbers.solved(); }
    bool solved() const noexcept { return answer_.numbers.solved(); }

    /// Numbers and rank of the solved root, and the move that proves it.
    const DfPnEntry& answer() const noexcept { return answer_; }
    Move answer_move() const noexcept { return answer_move_; }

    std::uint64_t expansions() const noexcept { return expansions_; }

    /// Goes on for `most` expansions, or until the root is solved. If the rules throw, the expansion has not happened.
    void search(std::uint64_t most) {
        const std::uint64_t start = expansions_;
        while (!frames_.empty() && expansions_ - start < most) {
            const DfPnSummary summary = summarise(frames_.back());
            if (over(frames_.back(), summary)) {
                leave(summary);
            } else {
                descend(summary);
            }
        }
    }

    /// With several threads: leaves what another thread has solved above.
    void look_around() {
        for (std::uint32_t place = 0; place < frames_.size(); ++place) {
            DfPnEntry entry;
            const Frame& frame = frames_[place];
            if (!shared_.table.find(frame.node.key, frame.node.bound, frame.node.hash, entry)) continue;
            if (!entry.numbers.solved()) continue;
            abandon(place + 1);
            return give_back(entry, {}, 0);
        }
    }

    /// The numbers of the root as the search has them now, and the moves from it, at `position`, to where the search
    /// is.
    Numbers numbers() const {
        if (frames_.empty()) return answer_.numbers;
        return summarise(frames_.front()).numbers(shared_.weak);
    }
    std::vector<std::uint32_t> line(Position position) {
        std::vector<std::uint32_t> line;
        typename G::Moves moves;
        for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
            const Words key = children_[frames_[i].first + frames_[i].current].key;
            game_.moves(position, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) {  // the frame may have a mirrored position
                const Position next = game_.play(position, moves[m]);
                if (shared_.keys.words(game_.key(next)) != key) continue;
                line.push_back(moves[m]);
                position = next;
                break;
            }
        }
        return line;
    }

    /// Gives up where it is.
    void release() noexcept { abandon(0); }

    void limit_conditions(std::uint64_t bytes) noexcept { path_.limit(bytes); }

    std::uint64_t bytes() const noexcept {
        return children_.capacity() * sizeof(Child) + leanings_.capacity() * sizeof(Leaning) +
               frames_.capacity() * sizeof(Frame) + path_.bytes() + notes_.bytes();
    }

    /// What was solved or grew a lot since the last call: for checkpoints.
    std::vector<DfPnNote<Key>> take_notes() noexcept { return notes_.take(); }

  private:
    using Node = typename DfPnPath<Words>::Node;

    static constexpr bool may_recur = requires(const G& game, const Position& p) { game.repetition(p); };
    bool cyclic() const noexcept { return may_recur && !acyclic_; }

    static constexpr std::uint64_t refresh_interval = 16;  // expansions

    using Child = DfPnChild<Words>;
    using Frame = DfPnFrame<Position, Words>;

    DfPnSummary summarise(const Frame& frame) const noexcept {
        return DfPnSummary(children_.data() + frame.first, frame.count, shared_.crowd, shared_.weak);
    }

    bool over(const Frame& frame, const DfPnSummary& summary) const noexcept {
        return summary.proof == 0 || summary.sum == 0 || summary.proof >= frame.limits.proof ||
               summary.disproof(shared_.weak) >= frame.limits.disproof;
    }

    /// Searches the best child, until it is the best no more, or settles that its parent is over.
    void descend(const DfPnSummary& summary) {
        Frame& frame = frames_.back();
        frame.current = summary.best;
        const Child& best = children_[frame.first + summary.best];
        shared_.table.prefetch(best.hash);
        const std::uint64_t second = std::uint64_t{summary.second} + summary.second / 4 + 1;
        Numbers limits;
        limits.disproof = static_cast<std::uint32_t>(std::min<std::uint64_t>(frame.limits.proof, second));
        limits.disproof = std::max(limits.disproof, best.numbers.disproof + 1);  // where threads part
        if (frame.limits.disproof == infinite) {
            limits.proof = infinite;
        } else if (shared_.weak) {
            limits.proof = frame.limits.disproof - (summary.open - 1);
        } else {
            limits.proof = static_cast<std::uint32_t>(frame.limits.disproof - (summary.sum - best.numbers.proof));
        }
        enter(game_.play(frame.position, static_cast<Move>(best.move)), node_of(best), limits, best.rank);
    }

    /// Puts a frame with the children of `position` on the stack.
    void enter(const Position& position, const Node& node, const Numbers& limits, std::uint64_t work) {
        frames_.emplace_back();
        Frame& frame = frames_.back();
        frame.first = top_;
        frame.node = node;
        try {
            frame.position = position;
            frame.limits = limits;
            frame.work = work;
            frame.start = expansions_;
            if (cyclic()) {
                const std::optional<int> rho = repetition_value(game_, frame.position);
                frame.recurs = rho.has_value();
                frame.node.safe = rho && node.bound <= *rho;
                path_.push(frame.node);
            }
            expand(frame);
        } catch (...) {
            if (cyclic() && path_.size() == frames_.size()) path_.pop();
            top_ = frame.first;
            frames_.pop_back();
            throw;
        }
        frame.refreshed = ++expansions_;
        count(frame);
        if (work == 0) return;
        // What was searched below another parent in the meantime may be solved.
        DfPnEntry entry;
        if (shared_.table.find(frame.node.key, frame.node.bound, frame.node.hash, entry) && entry.numbers.solved() &&
            frames_.size() > 1) {
            give_back(entry, {}, Move{});
        }
    }

    void reserve(std::uint32_t count) {
        if (children_.size() >= top_ + count) return;
        children_.resize(2 * (top_ + count));
        if (cyclic()) leanings_.resize(children_.size());
    }

    /// Lists the children of the last frame and looks them up.
    void expand(Frame& frame) {
        reserve(listing_.list(shared_, frame.position, frame.node.bound));
        Child* const children = children_.data() + top_;
        const std::uint32_t count = listing_.value(shared_, children);
        if (number_ != 0) {
            const std::uint64_t first = std::uint64_t{count} * number_ / shared_.crowd.threads();
            std::rotate(children, children + first, children + count);
        }
        frame.lost = listing_.lost();
        frame.count = count;
        top_ += count;
        for (std::uint32_t i = 0; i < count; ++i) {
            Child& child = children[i];
            if (cyclic()) leanings_[frame.first + i] = {};
            if (child.numbers.disproved()) continue;
            DfPnEntry entry;
            if (shared_.table.find(child.key, child.bound, child.hash, entry)) {
                take(child, entry);
            } else if (const auto leaf = shared_.recorded(child.key, child.bound)) {
                child.numbers = leaf->numbers;
                child.rank = leaf->rank;
            }
            if (cyclic() && !child.numbers.solved()) lean(child, leanings_[frame.first + i]);
        }
    }

    static Node node_of(const Child& child) noexcept { return {child.key, child.bound, child.hash}; }

    /// What the path says of an unsolved child.
    void lean(Child& child, Leaning& leaning) {
        const Node node = node_of(child);
        if (const auto place = path_.place(node)) {
            child.numbers = path_[*place].safe ? proved_numbers : disproved_numbers;
            child.rank = 0;
            leaning = Leaning::on(*place);
            return;
        }
        const auto fact = [this](const Node& other) {
            DfPnEntry entry;
            return shared_.table.find(other.key, other.bound, other.hash, entry) && entry.numbers.solved() &&
                   entry.numbers.proved() == other.safe;
        };
        if (const auto result = path_.conditional(node, fact)) {
            child.numbers = result->proved ? proved_numbers : disproved_numbers;
            child.rank = 0;
            leaning = result->leaning;
            // Rests on facts only: what rests on it may become a fact, and its proof then looks for this one.
            if (leaning.none()) shared_.table.store(node.key, node.bound, node.hash, {child.numbers, 0, 0});
        }
    }

    /// The node at the end of the path is over: its numbers go into the table and to its parent.
    void leave(const DfPnSummary& summary) {
        const Frame& frame = frames_.back();
        const auto place = static_cast<std::uint32_t>(frames_.size() - 1);
        DfPnEntry entry{summary.numbers(shared_.weak), 0, frame.work + (expansions_ - frame.start)};
        Leaning leaning;
        Move move{};
        if (entry.numbers.solved()) std::tie(entry.rank, move) = result(frame, entry.numbers, leaning);
        leaning.settle(place);
        if (leaning.none()) {
            notes_.add({frame.node.key, frame.node.bound, entry}, frame.work, shared_.table.most_bytes() / 16);
            shared_.table.store(frame.node.key, frame.node.bound, frame.node.hash, entry);
        } else {
            path_.remember(frame.node, leaning, entry.numbers.proved());
        }
        give_back(entry, leaning, move);
    }

    /// Rank, witness and leaning of a solved node.
    std::pair<std::uint32_t, Move> result(const Frame& frame, const Numbers& solved, Leaning& leaning) const {
        std::uint32_t rank = solved.proved() ? infinite : frame.lost;
        std::uint32_t weight = infinite;
        Move move{};
        for (std::uint32_t i = frame.first; i < frame.first + frame.count; ++i) {
            const Child& child = children_[i];
            if (!solved.proved()) {
                rank = std::max(rank, child.rank);
                if (cyclic()) leaning.add(leanings_[i]);
            } else if (child.numbers.disproved()) {
                const std::uint32_t here = cyclic() ? leanings_[i].weight() : 0;
                if (here > weight || (here == weight && child.rank >= rank)) continue;
                weight = here;
                rank = child.rank;
                move = static_cast<Move>(child.move);
                if (cyclic()) leaning = leanings_[i];
            }
        }
        if (frame.recurs && frame.node.safe == solved.proved()) return {0, move};  // what repetition suits has no rank
        return {rank + 1, move};
    }

    /// Takes the last frame off and tells its parent what became of it.
    void give_back(const DfPnEntry& entry, const Leaning& leaning, Move move) {
        abandon(frames_.size() - 1);
        if (frames_.empty()) {
            answer_ = entry;
            answer_move_ = move;
            return;
        }
        Frame& parent = frames_.back();
        count(parent);
        Child& child = children_[parent.first + parent.current];
        take(child, entry);
        if (cyclic()) leanings_[parent.first + parent.current] = leaning;
        if (expansions_ - parent.refreshed >= refresh_interval) refresh(parent);
    }

    /// What the table has come to know of the other children. In games with cycles their numbers may hold for another
    /// path, so that taking them again and again might not end: facts only.
    void refresh(Frame& frame) {
        frame.refreshed = expansions_;
        for (std::uint32_t i = 0; i < frame.count; ++i) {
            const Child& child = children_[frame.first + i];
            if (!child.numbers.solved()) shared_.table.prefetch(child.hash);
        }
        for (std::uint32_t i = 0; i < frame.count; ++i) {
            Child& child = children_[frame.first + i];
            if (child.numbers.solved() || i == frame.current) continue;
            DfPnEntry entry;
            if (!shared_.table.find(child.key, child.bound, child.hash, entry)) continue;
            if (cyclic() && !entry.numbers.solved()) continue;
            take(child, entry);
        }
    }

    static void take(Child& child, const DfPnEntry& entry) noexcept {
        child.numbers = entry.numbers;
        child.rank = entry.numbers.solved() ? entry.rank
                                            : static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.work, infinite));
    }

    /// Tells the other threads of a node that takes some work.
    void count(Frame& frame) noexcept {
        if (!shared_.crowd.several() || frame.counted) return;
        if (frame.work + (expansions_ - frame.start) < DfPnCrowd::least_work) return;
        frame.counted = true;
        shared_.crowd.enter(frame.node.hash);
    }

    /// Takes frames off until there are `count`.
    void abandon(std::size_t count) {
        while (frames_.size() > count) {
            if (cyclic()) path_.pop();
            if (frames_.back().counted) shared_.crowd.leave(frames_.back().node.hash);
            top_ = frames_.back().first;
            frames_.pop_back();
        }
    }

    Shared& shared_;
    const G& game_;
    std::uint32_t number_;
    bool acyclic_;
    std::vector<Frame> frames_;
    std::vector<Child> children_;    ///< of all frames
    std::vector<Leaning> leanings_;  ///< of the children, in games with cycles
    std::uint32_t top_ = 0;          ///< children in use
    DfPnPath<Words> path_;
    DfPnListing<G> listing_;
    std::uint64_t expansions_ = 0;
    DfPnEntry answer_;
    Move answer_move_{};
    DfPnNotes<Key> notes_;
};

}  // namespace proofbase
