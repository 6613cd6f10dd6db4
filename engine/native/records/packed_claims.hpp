// The claims of most records in one machine word, so that a record table costs a key and a word a record.
//
//   bit  0       there is a lower claim          bit  1       there is an upper claim
//   bits 2-35    lower: evidence is a search (1), bound (4, signed), rank (7), witness (8), search nodes (14)
//   bits 36-61   upper: evidence is a search (1), bound (4, signed), rank (7), search nodes (14)
//   bit  63      the claims do not fit: bits 0-62 say where their encoding is kept (RecordTable)
//
// A word of a record is never 0. What does not fit: bounds outside -8..7, ranks above 127, witnesses above 255, several
// claims of a side, evidence by tables and lines.
#pragma once

#include <cstdint>
#include <optional>

#include "records/claim.hpp"

namespace proofbase {

class PackedClaims {
  public:
    static constexpr std::uint64_t elsewhere = std::uint64_t{1} << 63;

    explicit PackedClaims(std::uint64_t word) noexcept : word_(word) {}

    /// The word of a record's claims; nothing if they do not fit.
    static std::optional<std::uint64_t> pack(const Claims& claims) {
        std::uint64_t word = 0;
        for (const Claim& claim : claims) {
            const bool lower = claim.side == Side::lower;
            const std::uint64_t present = lower ? 1 : 2;
            const bool search = claim.evidence == Evidence::search;
            if (word & present || (!search && claim.evidence != Evidence::children)) return std::nullopt;
            if (claim.bound < -8 || claim.bound > 7 || claim.rank > 127 || claim.witness > 255) return std::nullopt;
            const std::uint64_t nodes = search ? claim.nodes() : 0;
            const std::uint64_t bits = std::uint64_t{search} | (static_cast<std::uint64_t>(claim.bound) & 15) << 1 |
                                       std::uint64_t{claim.rank} << 5;
            word |= present;
            word |= lower ? (bits | std::uint64_t{claim.witness} << 12 | nodes << 20) << 2 : (bits | nodes << 12) << 36;
        }
        return word;
    }

    bool has(Side side) const noexcept { return word_ & (side == Side::lower ? 1 : 2); }
    std::int32_t bound(Side side) const noexcept {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(field(side) >> 1) << 28) >> 28;
    }
    std::uint32_t rank(Side side) const noexcept { return static_cast<std::uint32_t>(field(side) >> 5) & 127; }
    std::uint32_t witness() const noexcept { return static_cast<std::uint32_t>(word_ >> 14) & 255; }

    Claim claim(Side side) const {
        Claim claim{side, Evidence::children, bound(side), rank(side), side == Side::lower ? witness() : 0, {}};
        if (!(field(side) & 1)) return claim;
        return std::move(claim).by_search(static_cast<std::uint32_t>(field(side) >> (side == Side::lower ? 20 : 12)) &
                                          0x3fff);
    }

    void unpack(Claims& claims) const {
        claims.clear();
        for (const Side side : {Side::lower, Side::upper}) {
            if (has(side)) claims.push_back(claim(side));
        }
    }

  private:
    std::uint64_t field(Side side) const noexcept { return word_ >> (side == Side::lower ? 2 : 36); }

    std::uint64_t word_;
};

}  // namespace proofbase
