// What repetition settles in a graph of bases, for the graph kind base-twin: the largest set of expanded nodes in which
// the side that repetition satisfies can stay, or leave for something that is settled its way. And where such a set
// ends: the way on which the other side forces play to a leaf that is not expanded yet.
//
// The base-twin algorithm finds both by walking: along every path that does not repeat itself, as printed, and there
// may be more of them than time to walk. This finds them in a time proportional to the graph.
#pragma once

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

    /// Nodes are 0 .. nodes-1. `for_each_child(n, visit)` calls visit(child, supports) for the children of an inner
    /// node n and does nothing for others; `supports` says whether the child favours the side that repetition satisfies
    /// in n, by what is settled, or, `inner` children that are held, by repetition. `one(n)`: one such child is enough.
    template <class ForEachChild, class One>
    RepetitionRegion(std::uint32_t nodes, ForEachChild&& for_each_child, One&& one)
        : state_(nodes, State::out), after_(nodes, none), first_(std::size_t{nodes} + 1), left_(nodes) {
        std::vector<std::uint32_t> fallen;
        for (std::uint32_t n = 0; n < nodes; ++n) {
            for_each_child(n, [&](std::uint32_t child, bool, bool) {
                state_[n] = State::held;
                ++first_[child + 1];
            });
        }
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        above_.resize(first_[nodes]);
        std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
        for (std::uint32_t n = 0; n < nodes; ++n) {
            if (state_[n] == State::out) continue;
            std::uint32_t supporting = 0;
            std::uint32_t failing = none;
            for_each_child(n, [&](std::uint32_t child, bool inner, bool supports) {
                above_[next[child]++] = inner && supports ? n : none;  // only such a child can stop to support
                if (supports) {
                    ++supporting;
                } else if (failing == none) {
                    failing = child;
                }
            });
            left_[n] = one(n) ? supporting : 1;
            if (one(n) ? supporting == 0 : failing != none) fall(n, failing, fallen);
        }
        for (std::size_t i = 0; i < fallen.size(); ++i) {
            const std::uint32_t child = fallen[i];
            for (std::uint32_t a = first_[child]; a < first_[child + 1]; ++a) {
                const std::uint32_t n = above_[a];
                if (n != none && state_[n] == State::held && --left_[n] == 0) fall(n, child, fallen);
            }
        }
    }

    State state(std::uint32_t n) const noexcept { return state_[n]; }

    /// Of a lost node that needs all its children: the one that forces play on.
    std::uint32_t after(std::uint32_t n) const noexcept { return after_[n]; }

  private:
    void fall(std::uint32_t n, std::uint32_t because, std::vector<std::uint32_t>& fallen) {
        state_[n] = State::lost;
        after_[n] = because;
        fallen.push_back(n);
    }

    std::vector<State> state_;
    std::vector<std::uint32_t> after_;
    std::vector<std::uint32_t> first_;  ///< by node: where its parents begin in above_
    std::vector<std::uint32_t> above_;
    std::vector<std::uint32_t> left_;
};

}  // namespace proofbase
