// Keys of positions that are the same for all images of a position under the symmetries of the board.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "threats/threat_tree.hpp"

namespace proofbase {

/// `Attack` is a class such as gomoku::QuietAttack.
template <class Attack>
class SymmetricKeys {
  public:
    using Set = typename Attack::Set;
    using Stones = typename Attack::Stones;
    using Symmetry = typename Attack::Symmetry;

    explicit SymmetricKeys(const Attack& attack) : attack_(attack) {
        for (int bit = 0; bit < Set::capacity; ++bit) {
            attacker_[static_cast<std::size_t>(bit)] = attack.attacked({}, bit).hash;
            defender_[static_cast<std::size_t>(bit)] = attack.defended({}, bit).hash;
        }
    }

    std::uint64_t of(const Stones& s, bool attacker_moves) const {
        std::uint64_t least = ~std::uint64_t{0};
        for (const Symmetry& image : attack_.symmetries()) {
            std::uint64_t key = attacker_moves ? 0x6c62272e07bb0142 : 0;
            s.attacker.for_each([&](int bit) { key ^= attacker_[image[static_cast<std::size_t>(bit)]]; });
            s.defender.for_each([&](int bit) { key ^= defender_[image[static_cast<std::size_t>(bit)]]; });
            least = std::min(least, key);
        }
        return least;
    }

    /// A symmetry under which `from` becomes `to`.
    const Symmetry* between(const Stones& from, const Stones& to) const {
        for (const Symmetry& image : attack_.symmetries()) {
            if (image_of(from.attacker, image) == to.attacker && image_of(from.defender, image) == to.defender) {
                return &image;
            }
        }
        return nullptr;
    }

    static Set image_of(const Set& set, const Symmetry& image) {
        Set out;
        set.for_each([&](int bit) { out = out | Set::of(image[static_cast<std::size_t>(bit)]); });
        return out;
    }

    /// The tree with every square replaced by its image; the replies ascend again.
    ThreatTree image_of(const ThreatTree& tree, const Symmetry& image) const {
        ThreatTree out;
        out.nodes = tree.nodes;
        out.numbers.reserve(tree.numbers.size());
        std::vector<Reply> replies;
        add_node(tree, 0, image, replies, out.numbers);
        return out;
    }

  private:
    std::uint16_t image_of(std::uint16_t square, const Symmetry& image) const {
        const auto bit = static_cast<std::size_t>(attack_.bit(static_cast<int>(square)));
        return static_cast<std::uint16_t>(attack_.square(image[bit]));
    }
    struct Reply {
        std::uint16_t square;  ///< its image
        std::size_t node;      ///< where the node after it begins
    };
    /// Adds the image of the node at `at`. `replies`: those of the nodes above it, as a stack.
    void add_node(const ThreatTree& tree, std::size_t at, const Symmetry& image, std::vector<Reply>& replies,
                  std::vector<std::uint16_t>& out) const {
        out.push_back(tree.numbers[at]);
        if (out.back() == ThreatTree::ends) return;
        out.back() = image_of(out.back(), image);
        out.push_back(tree.numbers[at + 1]);
        const std::size_t first = replies.size();
        std::size_t place = at + 2;
        for (int count = out.back(); count > 0; --count) {
            replies.push_back({image_of(tree.numbers[place], image), place + 1});
            if (count > 1) place = tree.behind(place + 1);
        }
        const std::size_t last = replies.size();
        std::sort(replies.begin() + static_cast<std::ptrdiff_t>(first), replies.end(),
                  [](const Reply& a, const Reply& b) { return a.square < b.square; });
        for (std::size_t i = first; i < last; ++i) {
            out.push_back(replies[i].square);
            add_node(tree, replies[i].node, image, replies, out);
        }
        replies.resize(first);
    }

    const Attack& attack_;
    std::array<std::uint64_t, Set::capacity> attacker_{};
    std::array<std::uint64_t, Set::capacity> defender_{};
};

}  // namespace proofbase
