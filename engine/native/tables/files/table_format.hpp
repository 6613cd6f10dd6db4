// The format of table files (docs/tables.md). A file holds one class and is written once.
//
//   0      header, 256 bytes, its own CRC-32 in the last four
//   256    CRC-32 of every block, with the block's number as the initial value; zeros up to a multiple of 64
//   then   blocks of 8,192 entries of `bits` bits each, the first entry in the low bits of the first byte; the last
//          block is as long as the others, filled up with zeros
//   then   8 bytes of zeros, so that an entry can be read as part of a word
//
// A compressed table (version 2) has two numbers a block instead: the CRC-32 of its bytes in the file, all of them
// first, then the numbers of these bytes. A block is a frame of zstd that holds its entries, a byte each, or two where
// they have more than 8 bits; blocks have as many entries as the header says, the last one has what is left.
//
// An entry is the value less `lowest`. Numbers are little-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "concepts.hpp"
#include "keys.hpp"
#include "table_concepts.hpp"
#include "tables/files/crc32.hpp"

namespace proofbase {

/// The header of a table file.
struct TableHeader {
    static constexpr std::size_t bytes = 256;
    static constexpr std::string_view magic{"PBTABLE\n", 8};
    static constexpr std::uint32_t plain_version = 1;
    static constexpr std::uint32_t compressed_version = 2;
    static constexpr std::uint64_t plain_block_entries = 8192;
    static constexpr std::uint64_t fewest_block_entries = 1024;  ///< of compressed blocks, a power of two
    static constexpr std::uint64_t most_block_entries = std::uint64_t{1} << 20;
    static constexpr std::size_t tail = 8;
    static constexpr std::size_t longest_game = 64;
    static constexpr std::size_t longest_class = 32;
    static constexpr std::uint32_t most_bits = 8;         ///< of a value
    static constexpr std::uint32_t most_plies_bits = 16;  ///< of an entry of plies

    std::string game;        ///< at most 64 bytes
    std::string class_name;  ///< at most 32 bytes
    std::uint32_t table_class = 0;
    std::uint32_t rules_version = 0;
    std::uint64_t fingerprint = 0;  ///< of the rules and the numbering (function fingerprint)
    std::uint64_t entries = 0;
    std::int32_t lowest = 0;
    std::uint32_t bits = 1;  ///< 1 to 8; 16 at most in a table of plies
    bool plies = false;      ///< entries are those of plies_code.hpp, and no values
    bool resets = false;     ///< they are those of resets_code.hpp
    bool compressed = false;
    std::uint64_t block_entries = plain_block_entries;  ///< a power of two

    std::uint64_t blocks() const noexcept { return (entries + block_entries - 1) / block_entries; }
    /// Bytes of a block in a plain file, and in memory.
    std::size_t block_bytes() const noexcept { return block_entries / 8 * bits; }
    /// Bytes of an entry in a block before it is compressed.
    std::size_t entry_bytes() const noexcept { return bits > 8 ? 2 : 1; }
    /// What is between the header and the blocks, without the zeros there.
    std::size_t directory_bytes() const noexcept { return (compressed ? 8 : 4) * blocks(); }
    std::size_t data_start() const noexcept { return (bytes + directory_bytes() + 63) / 64 * 64; }
    /// Bytes of a file of the plain form.
    std::size_t plain_bytes() const noexcept {
        const std::uint64_t count = (entries + plain_block_entries - 1) / plain_block_entries;
        return (bytes + 4 * count + 63) / 64 * 64 + count * (plain_block_entries / 8 * bits) + tail;
    }

    /// The 256 bytes.
    std::string written() const {
        std::string out(bytes, '\0');
        const auto put = [&out](std::size_t at, const auto& number) { std::memcpy(&out[at], &number, sizeof number); };
        std::memcpy(&out[0], magic.data(), magic.size());
        put(8, compressed ? compressed_version : plain_version);
        put(12, bits);
        put(16, entries);
        put(24, lowest);
        put(28, table_class);
        put(32, rules_version);
        put(36, resets ? 2u : std::uint32_t{plies});
        put(40, fingerprint);
        if (compressed) put(48, block_entries);
        std::memcpy(&out[64], game.data(), game.size());
        std::memcpy(&out[128], class_name.data(), class_name.size());
        put(bytes - 4, crc32(out.data(), bytes - 4));
        return out;
    }

    /// Reads 256 bytes. Returns what is wrong with them; an empty string if nothing is.
    std::string read(const char* data) {
        const auto get = [data](std::size_t at, auto& number) { std::memcpy(&number, data + at, sizeof number); };
        if (std::string_view(data, magic.size()) != magic) return "it is no table of proofbase";
        std::uint32_t number;
        get(8, number);
        compressed = number == compressed_version;
        if (!compressed && number != plain_version)
            return "version " + std::to_string(number) + " of the format is not known here";
        get(bytes - 4, number);
        if (number != crc32(data, bytes - 4)) return "its header is damaged: the checksum is another";
        get(12, bits);
        get(16, entries);
        get(24, lowest);
        get(28, table_class);
        get(32, rules_version);
        get(36, number);
        plies = number == 1;
        resets = number == 2;
        get(40, fingerprint);
        if (compressed) get(48, block_entries);
        const auto text = [data](std::size_t at, std::size_t longest) {
            return std::string(data + at, strnlen(data + at, longest));
        };
        game = text(64, longest_game);
        class_name = text(128, longest_class);
        const bool sense = bits >= 1 && bits <= (plies ? most_plies_bits : most_bits) && entries > 0 &&
                           std::has_single_bit(block_entries) && block_entries >= fewest_block_entries &&
                           block_entries <= most_block_entries;
        // The bytes without a meaning have to be 0, as they are in what this header would write.
        return sense && written() == std::string_view(data, bytes) ? "" : "its header makes no sense";
    }
};

/// Entry number `i` of packed data. Precondition: 3 bytes beyond the end of the data can be read.
inline std::uint32_t packed_entry(const unsigned char* data, std::uint32_t bits, std::uint64_t i) noexcept {
    const std::uint64_t at = i * bits;
    std::uint32_t word;
    std::memcpy(&word, data + (at >> 3), 4);
    return word >> (at & 7) & ((1u << bits) - 1);
}

/// Packs entries below 2^bits, the first one into the low bits of the first byte.
template <class Entry>
void pack_entries(const Entry* entries, std::uint64_t count, std::uint32_t bits, unsigned char* to) {
    std::uint64_t word = 0;
    unsigned filled = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        word |= std::uint64_t{entries[i]} << filled;
        for (filled += bits; filled >= 8; filled -= 8, word >>= 8) *to++ = word & 0xff;
    }
    if (filled > 0) *to = word & 0xff;
}

/// A fingerprint of the rules and the numbering of a class, made of up to 64 positions, their moves and the children.
/// It shows that a table was built by other rules. docs/tables.md states it byte by byte.
template <HasTables G>
std::uint64_t fingerprint(const G& game, std::uint32_t table_class) {
    constexpr std::uint64_t samples = 64;
    const std::uint64_t size = game.class_size(table_class);
    std::string text;
    const auto put = [&text](std::uint64_t number) { write_key(number, 8, text); };
    const auto put_child = [&](const typename G::Position& child, int reward) {
        write_key(game.key(child), game.key_size(), text);
        put(static_cast<std::uint64_t>(reward));
        if (game.table_class(child) != no_table_class) put(game.table_rank(child));
    };
    for (std::uint64_t k = 0; k < samples; ++k) {
        const std::uint64_t i = size <= samples ? k % size : k * (size / samples);
        const std::optional<typename G::Position> p = game.table_position(table_class, i);
        if (!p) continue;
        write_key(game.key(*p), game.key_size(), text);
        if (const auto value = game.terminal(*p)) {
            put(static_cast<std::uint64_t>(*value));
        } else if constexpr (Indexed<G>) {
            game.for_each_successor(*p, put_child);
        } else {
            typename G::Moves moves;
            game.moves(*p, moves);
            for (std::size_t m = 0; m < moves.size(); ++m) put_child(game.play(*p, moves[m]), 0);
        }
    }
    const std::uint64_t low = crc32(text.data(), text.size());
    return std::uint64_t{crc32(text.data(), text.size(), 0x9e3779b9u)} << 32 | low;
}

}  // namespace proofbase
