// The format of checkpoints: chunks of words with 32 bits. Each kind of search decides what its words mean. For a
// search that expands a graph, the words are the numbers of the nodes in the order of their expansion. Expanding these
// nodes again in that order gives the same graph, since moves are always generated in the same order, and nodes are
// numbered as they are created. So an expansion takes four bytes in a checkpoint, and a node takes none.
//
// A checkpoint is a sequence of chunks, each
//   magic "pbck" | u8 version 1 | u32 length of fingerprint | fingerprint | f64 seconds so far | u32 count |
//   count x u32 word | u64 checksum of all before            (little-endian)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proofbase {

struct Checkpoint {
    std::vector<std::uint32_t> words;  ///< of all chunks, joined
    double seconds = 0;
};

/// Which search a checkpoint is of; the key of its root follows.
std::string checkpoint_fingerprint(const std::string& algorithm, const std::string& game, int at_least);

std::string write_checkpoint(std::string_view fingerprint, double seconds, const std::vector<std::uint32_t>& words);

/// Throws InvalidCheckpoint for anything that write_checkpoint(fingerprint, ...) did not give.
Checkpoint read_checkpoint(std::string_view chunks, std::string_view fingerprint);

}  // namespace proofbase
