#include "search/run/checkpoint.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "keys.hpp"

namespace proofbase {

std::string checkpoint_fingerprint(const std::string& algorithm, const std::string& game, int at_least) {
    return algorithm + " " + game + " at least " + std::to_string(at_least) + " ";
}

std::string write_checkpoint(std::string_view fingerprint, double seconds, const std::vector<std::uint32_t>& words) {
    static_assert(std::endian::native == std::endian::little);
    std::string out("pbck\x01", 5);
    const auto append = [&out](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
    append(static_cast<std::uint32_t>(fingerprint.size()));
    out += fingerprint;
    append(seconds);
    append(static_cast<std::uint32_t>(words.size()));
    out.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t));
    append(hash_key(std::string_view(out)));
    return out;
}

Checkpoint read_checkpoint(std::string_view chunks, std::string_view fingerprint) {
    Checkpoint checkpoint;
    while (!chunks.empty()) {
        std::size_t at = 0;
        const auto take = [&](std::size_t size) {
            if (chunks.size() - at < size) throw InvalidCheckpoint("the checkpoint is cut off");
            at += size;
            return chunks.data() + at - size;
        };
        const auto number = [&]<class T>(T value) {
            std::memcpy(&value, take(sizeof(T)), sizeof(T));
            return value;
        };
        if (std::string_view(take(5), 5) != std::string_view("pbck\x01", 5)) {
            throw InvalidCheckpoint("this is no checkpoint of a search, or one of a newer version");
        }
        const auto length = number(std::uint32_t{});
        const std::string_view found_fingerprint(take(length), length);
        checkpoint.seconds = number(double{});
        const auto count = number(std::uint32_t{});
        const char* taken = take(std::size_t{count} * sizeof(std::uint32_t));
        const std::size_t body = at;
        if (number(std::uint64_t{}) != hash_key(chunks.substr(0, body))) {
            throw InvalidCheckpoint("the checkpoint is damaged");
        }
        if (found_fingerprint != fingerprint) throw InvalidCheckpoint("the checkpoint is of another search");
        const std::size_t before = checkpoint.words.size();
        checkpoint.words.resize(before + count);
        if (count > 0) {  // else there may be no array to copy to
            std::memcpy(checkpoint.words.data() + before, taken, std::size_t{count} * sizeof(std::uint32_t));
        }
        chunks.remove_prefix(at);
    }
    return checkpoint;
}

}  // namespace proofbase
