// Keys of positions that are the same for all images of a position under the symmetries of the board.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "threats/board/threat_concepts.hpp"

namespace proofbase {

template <QuietThreatBoard Attack>
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

  private:
    const Attack& attack_;
    std::array<std::uint64_t, Set::capacity> attacker_{};
    std::array<std::uint64_t, Set::capacity> defender_{};
};

}  // namespace proofbase
