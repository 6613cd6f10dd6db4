// The payload of claims by a pairing (docs/record-encoding.md): for each pair, in ascending order, the squares that it
// leaves out since the first one of the pair before, and those between its two squares. docs/strategies.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "errors.hpp"
#include "records/varint.hpp"

namespace proofbase {

/// Two squares of the canonical position, by the numbers of the moves that take them; first < second.
struct Pair {
    std::uint32_t first;
    std::uint32_t second;
    auto operator<=>(const Pair&) const = default;
};

/// In ascending order; no square is in two pairs.
using Pairing = std::vector<Pair>;

/// The payload, its length included.
inline std::string pairing_payload(const Pairing& pairing) {
    std::string bytes;
    std::uint32_t next = 0;
    for (const Pair& pair : pairing) {
        write_varint(pair.first - next, bytes);
        write_varint(pair.second - pair.first - 1, bytes);
        next = pair.first + 1;
    }
    std::string out;
    write_varint(static_cast<std::uint32_t>(bytes.size()), out);
    return out += bytes;
}

/// Reads what `pairing_payload` writes, without the length; `start` is where it begins in the record, for messages.
/// Throws MalformedRecord.
inline Pairing read_pairing(std::string_view bytes, std::size_t start = 0) {
    Pairing pairing;
    std::unordered_set<std::uint64_t> squares;
    std::size_t offset = 0;
    std::uint64_t next = 0;
    while (offset < bytes.size()) {
        const std::size_t at = offset;
        const auto fault = [&](const char* rule) {
            return MalformedRecord(std::string(rule) + " at byte " + std::to_string(start + at));
        };
        const std::uint64_t first = next + read_varint(bytes, offset);
        if (offset >= bytes.size()) throw fault("a pair is cut off");
        const std::uint64_t second = first + read_varint(bytes, offset) + 1;
        if (second >> 31) throw fault("a square is 2^31 or more");
        if (!squares.insert(first).second || !squares.insert(second).second) throw fault("a square is in two pairs");
        pairing.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
        next = first + 1;
    }
    return pairing;
}

}  // namespace proofbase
