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

    /// The tree with every square replaced by its image. The replies keep their order.
    ThreatTree image_of(const ThreatTree& tree, const Symmetry& image) const {
        ThreatTree out = tree;
        std::size_t at = 0;
        map_node(out, at, image);
        return out;
    }

  private:
    void map_square(std::uint16_t& square, const Symmetry& image) const {
        square = static_cast<std::uint16_t>(
            attack_.square(image[static_cast<std::size_t>(attack_.bit(static_cast<int>(square)))]));
    }
    void map_node(ThreatTree& tree, std::size_t& at, const Symmetry& image) const {
        if (tree.numbers[at] == ThreatTree::ends) {
            ++at;
            return;
        }
        map_square(tree.numbers[at++], image);
        for (int count = tree.numbers[at++]; count > 0; --count) {
            map_square(tree.numbers[at++], image);
            map_node(tree, at, image);
        }
    }

    const Attack& attack_;
    std::array<std::uint64_t, Set::capacity> attacker_{};
    std::array<std::uint64_t, Set::capacity> defender_{};
};

}  // namespace proofbase
