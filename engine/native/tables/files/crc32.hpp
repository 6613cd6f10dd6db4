// The CRC-32 of zlib (polynomial 0x04c11db7, reflected), so that other programs can check table files with any zlib.
// Eight bytes at a time by eight tables (Kounavis and Berry 2005, "slicing by 8").
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace proofbase {

namespace crc32_detail {

struct Tables {
    std::array<std::array<std::uint32_t, 256>, 8> of{};

    constexpr Tables() {
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            std::uint32_t crc = byte;
            for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
            of[0][byte] = crc;
        }
        for (std::size_t k = 1; k < 8; ++k) {
            for (std::size_t byte = 0; byte < 256; ++byte) {
                of[k][byte] = of[k - 1][byte] >> 8 ^ of[0][of[k - 1][byte] & 0xff];
            }
        }
    }
};
inline constexpr Tables tables;

}  // namespace crc32_detail

/// The checksum of `size` bytes with the initial value `crc`: zlib.crc32(data, crc).
inline std::uint32_t crc32(const void* data, std::size_t size, std::uint32_t crc = 0) noexcept {
    static_assert(std::endian::native == std::endian::little);
    const auto& of = crc32_detail::tables.of;
    const auto* bytes = static_cast<const unsigned char*>(data);
    crc = ~crc;
    for (; size >= 8; size -= 8, bytes += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes, 8);
        word ^= crc;
        crc = of[7][word & 0xff] ^ of[6][word >> 8 & 0xff] ^ of[5][word >> 16 & 0xff] ^ of[4][word >> 24 & 0xff] ^
              of[3][word >> 32 & 0xff] ^ of[2][word >> 40 & 0xff] ^ of[1][word >> 48 & 0xff] ^ of[0][word >> 56];
    }
    for (; size > 0; --size) crc = crc >> 8 ^ of[0][(crc ^ *bytes++) & 0xff];
    return ~crc;
}

}  // namespace proofbase
