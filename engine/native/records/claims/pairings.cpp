#include "records/claims/pairings.hpp"

#include <unordered_set>

#include "errors.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

std::string pairing_payload(const Pairing& pairing) {
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

Pairing read_pairing(std::string_view bytes, std::size_t start) {
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
