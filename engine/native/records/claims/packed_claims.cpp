#include "records/claims/packed_claims.hpp"

#include <utility>

namespace proofbase {

std::optional<std::uint64_t> PackedClaims::pack(const Claims& claims) {
    bool by_search = false;
    bool narrow = true;
    std::uint64_t present = 0;
    for (const Claim& claim : claims) {
        const std::uint64_t side = claim.side == Side::lower ? 1 : 2;
        const bool search = claim.evidence == Evidence::search;
        if (present & side || (!search && claim.evidence != Evidence::children)) return std::nullopt;
        if (claim.bound < -2048 || claim.bound > 2047 || claim.rank > 16383 || claim.witness > 255) {
            return std::nullopt;
        }
        present |= side;
        by_search |= search;
        narrow &= claim.bound >= -8 && claim.bound <= 7 && claim.rank <= 127;
    }
    if (by_search && !narrow) return std::nullopt;
    std::uint64_t word = present | (narrow ? 0 : wide);
    for (const Claim& claim : claims) {
        const bool lower = claim.side == Side::lower;
        const auto bound = static_cast<std::uint64_t>(claim.bound);
        std::uint64_t bits = 0;
        if (narrow) {
            const std::uint64_t search = claim.evidence == Evidence::search;
            const std::uint64_t nodes = search != 0 ? claim.nodes() : 0;
            bits = search | (bound & 15) << 1 | std::uint64_t{claim.rank} << 5;
            bits |= lower ? std::uint64_t{claim.witness} << 12 | nodes << 20 : nodes << 12;
        } else {
            bits = (bound & 4095) | std::uint64_t{claim.rank} << 12;
            if (lower) bits |= std::uint64_t{claim.witness} << 26;
        }
        word |= bits << (lower ? 2 : 36);
    }
    return word;
}

Claim PackedClaims::claim(Side side) const {
    Claim claim{side, Evidence::children, bound(side), rank(side), side == Side::lower ? witness() : 0, {}};
    if (word_ & wide || !(field(side) & 1)) return claim;
    return std::move(claim).by_search(
        static_cast<std::uint32_t>(field(side) >> (side == Side::lower ? 20 : 12)) & 0x3fff, false);
}

void PackedClaims::unpack(Claims& claims) const {
    claims.clear();
    for (const Side side : {Side::lower, Side::upper}) {
        if (has(side)) claims.push_back(claim(side));
    }
}

}  // namespace proofbase
