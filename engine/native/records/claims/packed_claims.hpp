// The claims of most records in one machine word, so that a record takes a key and a word in a record table.
//
//   bit  0       there is a lower claim          bit  1       there is an upper claim
//   bits 2-35    lower                           bits 36-61   upper
//   bit  62      0, narrow:  search (1: the evidence is a search), bound (4, signed), rank (7), lower: witness (8),
//                            search nodes (14)
//                1, wide:    bound (12, signed), rank (14), lower: witness (8); no evidence by search
//   bit  63      the claims do not fit: bits 0-62 say where their encoding is stored (RecordTable)
//
// Narrow serves searches of win, draw and loss, wide serves games of many values and long lines. Wide is used where
// narrow does not fit, so that equal claims are equal words. The word of a record is never 0. These do not fit a word:
// witnesses above 255, several claims of a side, evidence by tables, lines and others, bounds outside -2048..2047,
// ranks above 16383; with evidence by search, bounds outside -8..7 and ranks above 127.
#pragma once

#include <cstdint>
#include <optional>

#include "records/claims/claim.hpp"

namespace proofbase {

class PackedClaims {
  public:
    static constexpr std::uint64_t stored_apart = std::uint64_t{1} << 63;

    explicit PackedClaims(std::uint64_t word) noexcept : word_(word) {}

    /// The word of a record's claims; nothing if they do not fit.
    static std::optional<std::uint64_t> pack(const Claims& claims);

    bool has(Side side) const noexcept { return word_ & (side == Side::lower ? 1 : 2); }
    std::int32_t bound(Side side) const noexcept {
        const auto bits = static_cast<std::uint32_t>(field(side));
        if (word_ & wide) return static_cast<std::int32_t>(bits << 20) >> 20;
        return static_cast<std::int32_t>(bits >> 1 << 28) >> 28;
    }
    std::uint32_t rank(Side side) const noexcept {
        if (word_ & wide) return static_cast<std::uint32_t>(field(side) >> 12) & 16383;
        return static_cast<std::uint32_t>(field(side) >> 5) & 127;
    }
    std::uint32_t witness() const noexcept {
        return static_cast<std::uint32_t>(field(Side::lower) >> (word_ & wide ? 26 : 12)) & 255;
    }

    Claim claim(Side side) const;

    void unpack(Claims& claims) const;

  private:
    static constexpr std::uint64_t wide = std::uint64_t{1} << 62;

    std::uint64_t field(Side side) const noexcept { return word_ >> (side == Side::lower ? 2 : 36); }

    std::uint64_t word_;
};

}  // namespace proofbase
