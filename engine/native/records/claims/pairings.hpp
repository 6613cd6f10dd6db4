// The payload of claims by a pairing (docs/record-encoding.md): for each pair, in ascending order, the squares that it
// leaves out since the first one of the pair before, and those between its two squares. docs/strategies.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
std::string pairing_payload(const Pairing& pairing);

/// Reads what `pairing_payload` writes, without the length; `start` is where it begins in the record, for messages.
/// Throws MalformedRecord.
Pairing read_pairing(std::string_view bytes, std::size_t start = 0);

}  // namespace proofbase
