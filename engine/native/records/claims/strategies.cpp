#include "records/claims/strategies.hpp"

#include "errors.hpp"
#include "records/claims/varint.hpp"

namespace proofbase {

std::string Strategy::payload(bool lower) const {
    std::string bytes;
    if (!lower) {
        write_varint(static_cast<std::uint32_t>(named.size()), bytes);
        for (std::size_t i = 0; i < named.size(); ++i) {
            write_varint(i == 0 ? named[0] : named[i] - named[i - 1], bytes);
        }
    }
    std::uint32_t next = 0;
    for (const Marked& marked : marks) {
        write_varint((marked.square - next) * marks_of_squares + static_cast<std::uint32_t>(marked.mark), bytes);
        next = marked.square + 1;
    }
    std::string out;
    write_varint(static_cast<std::uint32_t>(bytes.size()), out);
    return out += bytes;
}

Strategy Strategy::read(std::string_view bytes, bool lower, std::size_t start) {
    Strategy out;
    std::size_t offset = 0;
    const auto fault = [&](std::size_t at, const char* rule) {
        return MalformedRecord(std::string(rule) + " at byte " + std::to_string(start + at));
    };
    if (!lower) {
        const std::uint32_t count = read_varint(bytes, offset);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t at = offset;
            if (at >= bytes.size()) throw fault(at, "named replies are cut off");
            std::uint64_t move = read_varint(bytes, offset);
            if (i > 0) {
                if (move == 0) throw fault(at, "named replies do not ascend");
                move += out.named.back();
                if (move >> 31) throw fault(at, "a named reply is 2^31 or more");
            }
            out.named.push_back(static_cast<std::uint32_t>(move));
        }
    }
    std::uint64_t next = 0;
    while (offset < bytes.size()) {
        const std::size_t at = offset;
        const std::uint32_t number = read_varint(bytes, offset);
        next += number / marks_of_squares;
        if (next >> 31) throw fault(at, "a square is 2^31 or more");
        out.marks.push_back({static_cast<std::uint32_t>(next), static_cast<Mark>(number % marks_of_squares)});
        ++next;
    }
    return out;
}

}  // namespace proofbase
