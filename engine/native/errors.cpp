#include "errors.hpp"

#include <cstdint>

namespace proofbase {

std::string quoted(std::string_view text, std::size_t limit) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "'";
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<std::uint8_t>(text[i]);
        std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        for (std::size_t k = 1; k < size; ++k) {
            if (i + k >= text.size() || (static_cast<std::uint8_t>(text[i + k]) & 0xc0) != 0x80) size = 0;
        }
        const std::size_t taken = size == 0 ? 1 : size;
        if (i + taken > limit) return out + "'... (" + std::to_string(text.size()) + " bytes)";
        if (size == 0 || lead < 0x20 || lead == 0x7f) {
            out += {'\\', 'x', digits[lead >> 4], digits[lead & 15]};
        } else {
            out += text.substr(i, size);
        }
        i += taken;
    }
    return out + "'";
}

}  // namespace proofbase
