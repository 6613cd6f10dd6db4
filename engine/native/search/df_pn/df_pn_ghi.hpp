// What df-pn must know in graphs with cycles: which nodes are on the path, and which results rest on them.
//
// A line that comes back to a node of its path settles that node for the side that repetition suits. So a result for
// that side may rest on nodes above it. What it says is "if those nodes are settled for this side, so is this one", and
// this is true on every path. Such *conditional results* are kept by node with the nodes that they rest on, and hold
// wherever each of these is on the path, or has become a fact. (Kishimoto and Mueller, "A general solution to the graph
// history interaction problem", 2004, keep results by a code of the whole path instead; conditions need no code that
// two paths might share, and serve on other paths.) Results for the other side never rest on a repetition.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "search/policy/proof_numbers.hpp"

namespace proofbase {

/// The places on the path that a result rests on: exactly up to `most` of them, beyond that all from the first one on.
class Leaning {
  public:
    static constexpr std::uint32_t most = 6;

    Leaning() = default;
    static Leaning on(std::uint32_t place) noexcept {
        Leaning one;
        one.places_[one.count_++] = place;
        return one;
    }

    bool none() const noexcept { return count_ == 0; }
    /// False if only the first place is known.
    bool exact() const noexcept { return !open_; }
    const std::uint32_t* begin() const noexcept { return places_.data(); }
    const std::uint32_t* end() const noexcept { return places_.data() + count_; }

    void add(const Leaning& other) noexcept {
        if (open_ || other.open_) {
            if (other.none()) return;
            *this = all_from(none() ? other.places_[0] : std::min(places_[0], other.places_[0]));
            return;
        }
        std::array<std::uint32_t, 2 * most> both;
        const auto end = std::set_union(this->begin(), this->end(), other.begin(), other.end(), both.begin());
        const auto count = static_cast<std::uint32_t>(end - both.begin());
        if (count > most) {
            *this = all_from(both[0]);
            return;
        }
        count_ = count;
        std::copy(both.begin(), end, places_.begin());
    }

    /// The node at `place`, the last of the path, is settled itself: what rested on it does no more.
    void settle(std::uint32_t place) noexcept {
        if (count_ > 0 && places_[count_ - 1] >= place) --count_;
        if (count_ == 0) open_ = false;
    }

    /// The smaller, the sooner it is a fact.
    std::uint32_t weight() const noexcept { return none() ? 0 : (open_ ? most + 1 : count_); }

  private:
    static Leaning all_from(std::uint32_t place) noexcept {
        Leaning all = on(place);
        all.open_ = true;
        return all;
    }

    std::array<std::uint32_t, most> places_{};  ///< ascending
    std::uint32_t count_ = 0;
    bool open_ = false;
};

/// The path and the conditional results of one thread. `Words` are the words of a key.
template <class Words>
class DfPnPath {
  public:
    struct Node {
        Words key;
        int bound;
        std::uint64_t hash;
        bool safe = false;  ///< a repetition proves it (else it disproves it); of nodes on the path
        bool operator==(const Node& other) const noexcept { return key == other.key && bound == other.bound; }
    };

    std::size_t size() const noexcept { return nodes_.size(); }

    void push(const Node& node) {
        places_.emplace(node, static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back(node);
    }
    void pop() {
        places_.erase(nodes_.back());
        nodes_.pop_back();
    }

    const Node& operator[](std::uint32_t place) const noexcept { return nodes_[place]; }

    std::optional<std::uint32_t> place(const Node& node) const {
        const auto found = places_.find(node);
        return found != places_.end() ? std::optional(found->second) : std::nullopt;
    }

    /// Remembers that `node` is settled if the nodes it leans on are. When there is too much to remember, all of it is
    /// forgotten: it can be found again.
    void remember(const Node& node, const Leaning& leaning, bool proved) {
        if (!leaning.exact()) return;
        Condition condition{{}, leaning.weight(), proved};
        std::transform(leaning.begin(), leaning.end(), condition.on.begin(), [&](auto place) { return nodes_[place]; });
        if (conditions_.size() >= most_) conditions_.clear();
        std::vector<Condition>& known = conditions_[node];
        if (known.size() == 4) known.erase(known.begin());
        known.push_back(condition);
    }

    struct Result {
        bool proved;
        Leaning leaning;
    };

    /// What a condition that holds here says; `fact(node)` tells whether a node has been settled as a repetition would.
    template <class Fact>
    std::optional<Result> conditional(const Node& node, Fact&& fact) const {
        const auto known = conditions_.find(node);
        if (known == conditions_.end()) return std::nullopt;
        for (auto condition = known->second.rbegin(); condition != known->second.rend(); ++condition) {
            Result result{condition->proved, {}};
            bool holds = true;
            for (std::uint32_t i = 0; i < condition->count && holds; ++i) {
                if (const auto place = this->place(condition->on[i])) {
                    result.leaning.add(Leaning::on(*place));
                } else {
                    holds = fact(condition->on[i]);
                }
            }
            if (holds) return result;
        }
        return std::nullopt;
    }

    /// Limits the conditional results to about this many bytes.
    void limit(std::uint64_t bytes) noexcept { most_ = std::max<std::uint64_t>(16, bytes / (4 * sizeof(Condition))); }

    std::uint64_t bytes() const noexcept {
        return nodes_.size() * (2 * sizeof(Node) + 32) + conditions_.size() * (2 * sizeof(Condition) + 64);
    }

  private:
    struct Condition {
        std::array<Node, Leaning::most> on;
        std::uint32_t count;
        bool proved;
    };
    struct Hash {
        std::size_t operator()(const Node& node) const noexcept { return node.hash; }
    };

    std::vector<Node> nodes_;
    std::unordered_map<Node, std::uint32_t, Hash> places_;
    std::unordered_map<Node, std::vector<Condition>, Hash> conditions_;
    std::uint64_t most_ = 1024;
};

}  // namespace proofbase
