// What repetition settles in a graph of bases, for the graph kind base-twin: the largest set of expanded nodes in which
// the side that repetition satisfies can stay, or leave for something that is settled its way. And where such a set
// ends: the way on which the other side forces play to a leaf that is not expanded yet.
//
// The base-twin algorithm finds both by walking: along every path that does not repeat itself, as printed, and there
// may be more of them than time to walk. This finds them in a time proportional to the graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace proofbase {

class RepetitionRegion {
  public:
    static constexpr std::uint32_t none = 0xffffffff;

    enum class State : std::uint8_t {
        out,   ///< a leaf, or settled
        held,  ///< settled as repetition has it
        lost,  ///< play can be forced to a leaf
    };

    /// Nodes are 0 .. nodes-1.
    explicit RepetitionRegion(std::uint32_t nodes)
        : state_(nodes, State::out),
          after_(nodes, none),
          first_(std::size_t{nodes} + 1),
          next_(nodes),
          left_(nodes),
          nodes_(nodes) {
        fallen_.reserve(nodes);
    }

    /// `for_each_child(n, visit)` calls visit(child, inner, supports) for the children of an inner node n and does
    /// nothing for others; `supports` says whether the child favours the side that repetition satisfies in n, by what
    /// is settled, or, `inner` children that are held, by repetition. `one(n)`: one such child is enough. tick() is
    /// called between any two nodes; where it throws, another call goes on.
    template <class ForEachChild, class One, class Tick>
    void find(ForEachChild&& for_each_child, One&& one, Tick&& tick) {
        for (; counted_ < nodes_; ++counted_) {
            tick();
            for_each_child(counted_, [&](std::uint32_t child, bool, bool) {
                state_[counted_] = State::held;
                ++first_[child + 1];
                ++edges_;
            });
        }
        if (!counts_summed_) {
            above_.resize(edges_);
            for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
            std::copy(first_.begin(), first_.end() - 1, next_.begin());
            counts_summed_ = true;
        }
        for (; linked_ < nodes_; ++linked_) {
            tick();
            if (state_[linked_] == State::held) link(linked_, for_each_child, one(linked_));
        }
        for (; spread_ < fallen_.size(); ++spread_) {
            tick();
            const std::uint32_t child = fallen_[spread_];
            for (std::uint32_t a = first_[child]; a < first_[child + 1]; ++a) {
                const std::uint32_t n = above_[a];
                if (n != none && state_[n] == State::held && --left_[n] == 0) fall(n, child);
            }
        }
    }

    State state(std::uint32_t n) const noexcept { return state_[n]; }

    std::uint64_t bytes() const noexcept {
        const std::size_t numbers = after_.size() + first_.size() + next_.size() + above_.size() + left_.size();
        return state_.size() + (numbers + fallen_.capacity()) * sizeof(std::uint32_t);
    }

    /// Of a lost node that needs all its children: the one that forces play on.
    std::uint32_t after(std::uint32_t n) const noexcept { return after_[n]; }

  private:
    template <class ForEachChild>
    void link(std::uint32_t n, ForEachChild&& for_each_child, bool one) {
        std::uint32_t supporting = 0;
        std::uint32_t failing = none;
        for_each_child(n, [&](std::uint32_t child, bool inner, bool supports) {
            above_[next_[child]++] = inner && supports ? n : none;  // only such a child can stop to support
            if (supports) {
                ++supporting;
            } else if (failing == none) {
                failing = child;
            }
        });
        left_[n] = one ? supporting : 1;
        if (one ? supporting == 0 : failing != none) fall(n, failing);
    }

    void fall(std::uint32_t n, std::uint32_t because) {
        state_[n] = State::lost;
        after_[n] = because;
        fallen_.push_back(n);
    }

    std::vector<State> state_;
    std::vector<std::uint32_t> after_;
    std::vector<std::uint32_t> first_;  ///< by node: where its parents begin in above_
    std::vector<std::uint32_t> next_;   ///< by node: where the next of its parents is entered
    std::vector<std::uint32_t> above_;
    std::vector<std::uint32_t> left_;
    std::vector<std::uint32_t> fallen_;
    std::uint32_t nodes_;
    std::uint32_t edges_ = 0;  ///< of inner nodes
    bool counts_summed_ = false;
    std::uint32_t counted_ = 0;  ///< nodes
    std::uint32_t linked_ = 0;   ///< nodes
    std::size_t spread_ = 0;     ///< fallen nodes that their parents know of
};

}  // namespace proofbase
