// The integers of the record encoding: unsigned LEB128 of minimal length, below 2^31.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace proofbase {

inline void write_varint(std::uint32_t value, std::string& out) {
    while (value > 0x7f) {
        out.push_back(static_cast<char>((value & 0x7f) | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

/// Throws MalformedRecord: a number that does what `fault` says, at this byte.
[[noreturn]] void refuse_varint(const char* fault, std::size_t at);

/// Reads the varint at `offset` and moves `offset` to the byte after it. Throws MalformedRecord.
inline std::uint32_t read_varint(std::string_view bytes, std::size_t& offset) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        if (offset >= bytes.size()) refuse_varint("is cut off", offset);
        const auto byte = static_cast<std::uint8_t>(bytes[offset++]);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            if (byte == 0 && shift > 0) refuse_varint("is not in its shortest form", offset - 1);
            if (value >> 31) refuse_varint("is 2^31 or more", offset - 1);
            return static_cast<std::uint32_t>(value);
        }
    }
    refuse_varint("is longer than 5 bytes", offset - 5);
}

/// Folds a signed integer so that small absolute values stay small: 0, -1, 1, -2 -> 0, 1, 2, 3.
inline std::uint32_t zigzag(std::int32_t value) noexcept {
    return (static_cast<std::uint32_t>(value) << 1) ^ static_cast<std::uint32_t>(value >> 31);
}

inline std::int32_t unzigzag(std::uint32_t value) noexcept {
    return static_cast<std::int32_t>(value >> 1) ^ -static_cast<std::int32_t>(value & 1);
}

}  // namespace proofbase
