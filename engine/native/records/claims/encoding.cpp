#include "records/claims/encoding.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "errors.hpp"
#include "records/claims/claim.hpp"
#include "records/claims/pairings.hpp"
#include "records/claims/strategies.hpp"
#include "records/claims/threat_trees.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

void encode_claims(const Claims& claims, std::string& out) {
    const std::size_t start = out.size();
    out.push_back(static_cast<char>(encoding_version_of(claims) << 4 | claims.size()));
    for (const Claim& claim : claims) {
        out.push_back(static_cast<char>(static_cast<int>(claim.side) | static_cast<int>(claim.evidence) << 1));
        write_varint(zigzag(claim.bound), out);
        write_varint(claim.rank, out);
        if (claim.side == Side::lower) write_varint(claim.witness, out);
        out += claim.payload;
    }
    if (out.size() - start > most_record_bytes) {
        throw MalformedRecord("claims of " + std::to_string(out.size() - start) + " bytes: a record holds at most " +
                              std::to_string(most_record_bytes));
    }
}

std::string encode_claims(const Claims& claims) {
    std::string out;
    encode_claims(claims, out);
    return out;
}

namespace {

/// Offset of the first byte sequence that is not UTF-8 (Unicode 15, table 3-7); the size of the text if there is none.
std::size_t first_invalid_utf8(std::string_view text) noexcept {
    std::size_t i = 0;
    while (i < text.size()) {
        const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
        const std::uint8_t lead = byte(i);
        const std::size_t size = lead < 0x80   ? 1
                                 : lead < 0xc2 ? 0
                                 : lead < 0xe0 ? 2
                                 : lead < 0xf0 ? 3
                                 : lead < 0xf5 ? 4
                                               : 0;
        if (size == 0 || i + size > text.size()) return i;
        if (size > 1) {
            const std::uint8_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
            const std::uint8_t most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
            if (byte(i + 1) < least || byte(i + 1) > most) return i;
            for (std::size_t k = 2; k < size; ++k) {
                if ((byte(i + k) & 0xc0) != 0x80) return i;
            }
        }
        i += size;
    }
    return i;
}

/// Checks that numbers are the moves of one line (lower), or lines, each behind its number of moves (upper). `start` is
/// where the numbers begin in the record.
void check_lines(Side side, std::string_view numbers, std::size_t start) {
    if (numbers.empty() && side == Side::lower) {
        throw MalformedRecord("a line without moves at byte " + std::to_string(start));
    }
    std::size_t left = 0;  // moves that the line still has
    for (std::size_t within = 0; within < numbers.size();) {
        const std::uint32_t number = read_varint(numbers, within);
        if (side == Side::lower) continue;
        if (left > 0) {
            --left;
        } else if (number == 0) {
            throw MalformedRecord("a line without moves before byte " + std::to_string(start + within));
        } else {
            left = number;
        }
    }
    if (left > 0) throw MalformedRecord("a line is cut off at byte " + std::to_string(start + numbers.size()));
}

/// Checks the payload of a claim and moves `offset` to the byte after it.
void skip_payload(Side side, Evidence evidence, std::string_view bytes, std::size_t& offset) {
    if (evidence == Evidence::children) return;
    const std::size_t start = offset;
    const std::uint32_t number = read_varint(bytes, offset);
    if (is_search(evidence)) {
        if (number < 1 || number > most_search_nodes) {
            throw MalformedRecord(std::to_string(number) + " search nodes at byte " + std::to_string(start) +
                                  ": 1 to " + std::to_string(most_search_nodes) + " are allowed");
        }
        return;
    }
    if (number > bytes.size() - offset) {
        throw MalformedRecord("a payload is cut off at byte " + std::to_string(bytes.size()));
    }
    const std::string_view payload = bytes.substr(offset, number);
    if (evidence == Evidence::table) {
        if (const std::size_t fault = first_invalid_utf8(payload); fault < payload.size()) {
            throw MalformedRecord("the name of a table is not UTF-8 at byte " + std::to_string(offset + fault));
        }
    } else if (evidence == Evidence::threats) {
        ThreatTrees::read(payload, side == Side::lower, offset);
    } else if (evidence == Evidence::strategy) {
        Strategy::read(payload, side == Side::lower, offset);
    } else if (evidence == Evidence::pairing) {
        read_pairing(payload, offset);
    } else {
        check_lines(side, payload, offset);
    }
    offset += number;
}

}  // namespace

void decode_claims(std::string_view bytes, Claims& claims) {
    claims.clear();
    if (bytes.empty()) throw MalformedRecord("no bytes");
    const auto head = static_cast<std::uint8_t>(bytes[0]);
    const std::size_t count = head & 15;
    const int version = head >> 4;
    if (version < encoding_version || version > encoding_version_with_pairing) {
        throw MalformedRecord("unknown encoding version " + std::to_string(version));
    }
    if (count == 0) throw MalformedRecord("a record has at least one claim");
    std::size_t offset = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (offset >= bytes.size()) throw MalformedRecord("a claim is missing at byte " + std::to_string(offset));
        const auto kind = static_cast<std::uint8_t>(bytes[offset]);
        if (kind > 5 + 2 * version)  // what the version knows
            throw MalformedRecord("unknown kind of claim at byte " + std::to_string(offset));
        ++offset;
        Claim& claim = claims.emplace_back();
        claim.side = static_cast<Side>(kind & 1);
        claim.evidence = static_cast<Evidence>(kind >> 1);
        claim.bound = unzigzag(read_varint(bytes, offset));
        claim.rank = read_varint(bytes, offset);
        if (claim.side == Side::lower) claim.witness = read_varint(bytes, offset);
        const std::size_t start = offset;
        skip_payload(claim.side, claim.evidence, bytes, offset);
        claim.payload.assign(bytes.substr(start, offset - start));
        if (i == 0) continue;
        const Claim& before = claims[i - 1];
        if (before.side > claim.side) throw MalformedRecord("an upper claim stands before a lower one");
        if (before.side == claim.side) {
            if (before.strength() >= claim.strength()) {
                throw MalformedRecord("claims of a side are not ordered from the strongest bound");
            }
            if (before.rank <= claim.rank) throw MalformedRecord("a claim is dominated by another");
        }
    }
    if (encoding_version_of(claims) != version) {
        throw MalformedRecord("version " + std::to_string(version) + " without a claim " +
                              (version == encoding_version_with_threats            ? "by threats"
                               : version == encoding_version_with_strategy         ? "by a strategy"
                               : version == encoding_version_with_search_to_limits ? "by a search to limits"
                                                                                   : "by a pairing"));
    }
    if (offset > most_record_bytes) {
        throw MalformedRecord("claims of " + std::to_string(offset) + " bytes: a record holds at most " +
                              std::to_string(most_record_bytes));
    }
    if (offset < bytes.size()) {
        for (std::size_t i = 0; i < count; ++i) read_varint(bytes, offset);
    }
    if (offset < bytes.size()) {
        throw MalformedRecord("bytes left over after byte " + std::to_string(offset));
    }
}

Claims decode_claims(std::string_view bytes) {
    Claims claims;
    decode_claims(bytes, claims);
    return claims;
}

}  // namespace proofbase
