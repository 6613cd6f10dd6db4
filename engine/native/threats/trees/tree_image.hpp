// A threat tree on a board that was turned or mirrored.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "threats/board/threat_concepts.hpp"
#include "threats/trees/threat_tree.hpp"

namespace proofbase {

/// Writes the images of trees under the symmetries of a board.
template <QuietThreatBoard Attack>
class TreeImage {
  public:
    using Symmetry = typename Attack::Symmetry;

    TreeImage(const Attack& attack, const Symmetry& image) : attack_(attack), image_(image) {}

    /// The tree with every square replaced by its image; the replies ascend again.
    ThreatTree of(const ThreatTree& tree) {
        ThreatTree out;
        out.nodes = tree.nodes;
        out.numbers.reserve(tree.numbers.size());
        add_node(tree, 0, out.numbers);
        return out;
    }

  private:
    struct Reply {
        std::uint16_t square;  ///< its image
        std::size_t node;      ///< where the node after it begins
    };

    std::uint16_t of_square(std::uint16_t square) const {
        const auto bit = static_cast<std::size_t>(attack_.bit(static_cast<int>(square)));
        return static_cast<std::uint16_t>(attack_.square(image_[bit]));
    }

    /// Adds the image of the node at `at`.
    void add_node(const ThreatTree& tree, std::size_t at, std::vector<std::uint16_t>& out) {
        out.push_back(tree.numbers[at]);
        if (out.back() == ThreatTree::ends) return;
        out.back() = of_square(out.back());
        out.push_back(tree.numbers[at + 1]);
        const std::size_t first = replies_.size();
        std::size_t place = at + 2;
        for (int count = out.back(); count > 0; --count) {
            replies_.push_back({of_square(tree.numbers[place]), place + 1});
            if (count > 1) place = tree.behind(place + 1);
        }
        const std::size_t last = replies_.size();
        std::sort(replies_.begin() + static_cast<std::ptrdiff_t>(first), replies_.end(),
                  [](const Reply& a, const Reply& b) { return a.square < b.square; });
        for (std::size_t i = first; i < last; ++i) {
            out.push_back(replies_[i].square);
            add_node(tree, replies_[i].node, out);
        }
        replies_.resize(first);
    }

    const Attack& attack_;
    const Symmetry& image_;
    std::vector<Reply> replies_;  ///< of the nodes above the one that is written, as a stack
};

}  // namespace proofbase
