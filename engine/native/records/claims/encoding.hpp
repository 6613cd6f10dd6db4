// Record encoding, versions 1 to 5 (docs/record-encoding.md). Exactly one byte string encodes a set of claims, so
// equal bytes are equal records, and bytes that deviate from this encoding are malformed.
//
//   record := head claim{n} [source{n}]      head := u8 = 0x10 | n, n = 1..15; 0x20 | n with a claim by threats,
//                                                   0x30 | n with a claim by a strategy,
//                                                   0x40 | n with a claim by a search to limits,
//                                                   0x50 | n with a claim by a pairing
//   claim  := kind bound rank [witness] payload
//             kind: u8, bit 0 side (0 lower, 1 upper), bits 1-3 evidence (0 children, 1 table, 2 line, 3 search,
//             4 threats, 5 strategy, 6 search to limits, 7 pairing)
//             bound: zigzag varint; rank: varint; witness: varint, of lower claims only
//             payload: children nothing; table varint length + UTF-8 name; search, search to limits varint 1..10000;
//                      line varint length + varints: of a lower claim the moves of its line, of an upper claim its
//                      lines, each as the number of its moves and the moves; no line is empty;
//                      threats, strategy, pairing varint length + varints (records/claims/threat_trees.hpp,
//                      records/claims/strategies.hpp, records/claims/pairings.hpp)
//   source := varint; written by stores only. The core accepts and skips sources, and writes none.
//
// A record without its sources has at most 65,536 bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "errors.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

/// Version 5 is that of records with a claim by a pairing, version 4 of others with a claim by a search to limits,
/// version 3 of others with a claim by a strategy, version 2 of others with a claim by threats.
inline constexpr std::uint8_t encoding_version = 1;
inline constexpr std::uint8_t encoding_version_with_threats = 2;
inline constexpr std::uint8_t encoding_version_with_strategy = 3;
inline constexpr std::uint8_t encoding_version_with_search_to_limits = 4;
inline constexpr std::uint8_t encoding_version_with_pairing = 5;

inline std::uint8_t encoding_version_of(const Claims& claims) noexcept {
    Evidence last = Evidence::children;
    for (const Claim& claim : claims) last = std::max(last, claim.evidence);
    if (last <= Evidence::search) return encoding_version;
    return static_cast<std::uint8_t>(static_cast<int>(last) - static_cast<int>(Evidence::search) + encoding_version);
}

/// Appends a record. Throws MalformedRecord if it would be longer than a record may be.
void encode_claims(const Claims& claims, std::string& out);
std::string encode_claims(const Claims& claims);

/// Decodes a record, strictly. Sources are checked and skipped.
///
/// Throws MalformedRecord with the broken rule and the byte. Does not look for contradictions.
void decode_claims(std::string_view bytes, Claims& claims);
Claims decode_claims(std::string_view bytes);

}  // namespace proofbase
