// The parameter "WIDTHxHEIGHT" of games on rectangular boards.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "errors.hpp"

namespace proofbase {

/// {width, height} of e.g. "5x4"; throws UnknownGame for anything else, leading zeros included.
inline std::pair<int, int> parse_board_size(std::string_view family, std::string_view text) {
    const auto number = [](std::string_view digits, int& out) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return error == std::errc{} && end == digits.data() + digits.size() && out >= 1 && digits.front() != '0';
    };
    const std::size_t cross = text.find('x');
    int width = 0;
    int height = 0;
    if (cross == std::string_view::npos || !number(text.substr(0, cross), width) ||
        !number(text.substr(cross + 1), height) || width > 1000 || height > 1000) {
        throw UnknownGame(std::string(family) + ": " + quoted(text, 40) +
                          " is no board size: a board size is WIDTHxHEIGHT, such as 5x4");
    }
    return {width, height};
}

}  // namespace proofbase
